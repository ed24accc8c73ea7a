"""The pictures of report.html: small multiples, their legend, heat maps, tables in the place of dots."""

import re
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import DRAWING, PageInBrowser, read_table

SCENARIO = """
name = "panels"
time_unit = "ms"
policy = "fcfs"
[[platform.servers]]
name = "node"
cores = 4
[[classes]]
name = "small"
need = 1
share = 0.8
size = { distribution = "exponential", mean = 1.0 }
[[classes]]
name = "large"
need = 3
share = 0.2
size = { distribution = "exponential", mean = 1.0 }
[arrivals]
load = 0.5
[run]
jobs = 400
replications = 3
"""

THREE_KEYS = SCENARIO + """
[sweep]
"arrivals.load" = [0.3, 0.5, 0.7]
"platform.costs.dispatch_latency" = [0.0, 0.05, 0.2]
"platform.servers.node.capacity" = [1.0, 2.0]
policy = ["fcfs", "first_fit"]
"""

POLICIES = SCENARIO + """
[sweep]
policy = ["fcfs", "first_fit", "msf"]
"""

# What a page has to bear: 54 points with some 30 metrics of four classes.
LARGE = SCENARIO.replace("share = 0.8", "share = 0.6") + """
[report]
explain = true
[[classes]]
name = "medium"
need = 2
share = 0.1
size = { distribution = "lognormal", mean = 1.0, scv = 2.0 }
[[classes]]
name = "largest"
need = 4
share = 0.1
size = { distribution = "lognormal", mean = 1.0, scv = 2.0 }
[sweep]
"arrivals.load" = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
policy = ["fcfs", "first_fit", "msf", "static_quickswap", "adaptive_quickswap", "server_filling"]
"""

# Boxes on the screen: of the plots' axes, and of what is drawn in each panel.
BOXES = """
const box = (element) => { const { left, right, top, bottom } = element.getBoundingClientRect(); return { left, right, top, bottom }; };
return [...arguments[0].querySelectorAll(".panel")].map((panel) => {
  const [upward, across] = [...panel.querySelectorAll(".axis")].map(box);
  return { axes: { left: upward.left, right: across.right, top: upward.top, bottom: across.bottom },
    drawn: [...panel.querySelectorAll(".mark, .ring, .cut, .line")].map(box) };
});
"""


class PicturesTest(PageInBrowser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.panels = cls.run_study("panels", THREE_KEYS)
        cls.policies = cls.run_study("policies", POLICIES)
        cls.alone = cls.run_study("alone", SCENARIO)

    def setUp(self):
        super().setUp()
        self.open_report(self.panels)

    def choose(self, box, text):
        """Of a select element."""
        self.run_script("const [box, text] = arguments; box.selectedIndex = [...box.options].findIndex((o) => o.text === text);"
                        "box.dispatchEvent(new Event('change'))", box, text)

    def control(self, section, label):
        return next(one for one in self.find_all(f"{section} .controls label") if one.text.startswith(label)).find_element(By.TAG_NAME, "select")

    def test_further_keys_have_panels_with_their_values_as_titles(self):
        plot = self.shown_plot("response_time")
        titles = [title.text for title in plot.find_elements(By.CSS_SELECTOR, ".panel .title")]
        self.assertEqual(titles, ["dispatch_latency = 0 ms", "dispatch_latency = 0.05 ms", "dispatch_latency = 0.2 ms"] * 2)
        self.assertEqual([title.text for title in plot.find_elements(By.CSS_SELECTOR, "text.row")], ["capacity = 1", "capacity = 2"])
        panels = self.run_script(DRAWING + "return drawing.shown.panels.map((panel) => panel.sets.filter((s) => !s.known)"
                                 ".map((s) => [s.label, s.points.map((p) => [p.x, p.y])]))", plot)
        stored = [r for r in read_table(self.panels / "results.csv") if r["metric"] == "response_time" and r["class"] == "all"]
        keys = [(latency, capacity) for capacity in ("1", "2") for latency in ("0", "0.05", "0.2")]
        for (latency, capacity), sets in zip(keys, panels):
            for policy in ("fcfs", "first_fit"):
                mine = [[float(r["arrivals.load"]), float(r["estimate"])] for r in stored if r["policy"] == policy
                        and float(r["platform.costs.dispatch_latency"]) == float(latency)
                        and float(r["platform.servers.node.capacity"]) == float(capacity)]
                self.assertEqual(len(mine), 3)
                self.assertEqual(dict(map(tuple, sets))[policy], mine)

    def test_panels_share_their_scales(self):
        plot = self.shown_plot("response_time")
        places = self.run_script(DRAWING + """return [...arguments[0].querySelectorAll(".panel")].map((panel) => {
            const axes = panel.querySelector(".axis").getBoundingClientRect();
            return [...panel.querySelectorAll(".mark")].map((mark) => {
              const at = mark.getBoundingClientRect(), { x, y } = mark.__data__;
              return [x, (at.left + at.right) / 2 - axes.left, y, (at.top + at.bottom) / 2 - axes.top]; }); })""", plot)
        marks = [mark for panel in places for mark in panel]
        self.assertEqual(len(marks), 36)
        across = {x: round(at) for x, at, _, _ in marks}
        for x, at, _, _ in marks:
            self.assertLess(abs(at - across[x]), 3)
        in_order = sorted(marks, key=lambda mark: mark[2])
        for lower, upper in zip(in_order, in_order[1:]):
            self.assertLess(upper[3], lower[3] + 3, "a larger value stands higher, whichever panel it is in")

    def test_marks_stay_within_the_axes(self):
        for out in (self.panels, self.policies):
            self.open_report(out)
            for section in self.find_all("section.metric"):
                plot = self.shown(f"#{section.get_attribute('id')}")
                for panel in self.run_script(BOXES, plot):
                    axes = panel["axes"]
                    self.assertTrue(panel["drawn"])
                    for box in panel["drawn"]:
                        self.assertGreaterEqual(box["left"], axes["left"] - 1.5)
                        self.assertLessEqual(box["right"], axes["right"] + 1.5)
                        self.assertGreaterEqual(box["top"], axes["top"] - 1.5)
                        self.assertLessEqual(box["bottom"], axes["bottom"] + 1.5)

    def test_one_legend_switches_a_policy_in_all_plots(self):
        plots = [self.shown_plot(name) for name in ("response_time", "waiting_time", "slowdown")]
        drawn = lambda: [sorted({s.get_attribute("data-label") for s in plot.find_elements(By.CSS_SELECTOR, ".set:not(.known)")}) for plot in plots]
        self.assertEqual(drawn(), [["fcfs", "first_fit"]] * 3)
        legends = self.find_all(".legend")
        self.assertEqual([legend.get_attribute("id") for legend in legends], ["legend"])
        next(b for b in self.find_all("#legend button") if b.text == "fcfs").send_keys(Keys.ENTER)
        self.assertEqual(drawn(), [["first_fit"]] * 3)
        self.assertIn("1 of 2 series is hidden: fcfs.", self.find("#metric-slowdown .remarks").text)

    def test_the_legend_fits_and_stays_in_sight(self):
        for width in (1400, 900, 390):
            self.screen(width, 800)
            self.shown_plot("slowdown")
            box = self.run_script("const { left, right, top, bottom } = document.getElementById('legend').getBoundingClientRect(); return [left, right, top, bottom]")
            self.assertGreaterEqual(box[0], 0)
            self.assertLessEqual(box[1], width)
            self.assertGreaterEqual(box[2], 0)
            self.assertLess(box[3], 240)
            for button in self.find_all("#legend button"):
                self.assertTrue(button.is_displayed())

    def test_a_policy_has_one_colour_in_plots_legend_and_verdict(self):
        plot = self.shown_plot("response_time")
        colours = "const of = (e, what) => getComputedStyle(e)[what];" + DRAWING + """
            const policy = arguments[1];
            return [...new Set([...arguments[0].querySelectorAll(`.set[data-label="${policy}"] .mark`)].map((m) => of(m, "stroke")).concat(
              [...document.querySelectorAll("#legend button")].filter((b) => b.textContent === policy).map((b) => of(b.querySelector(".mark"), "stroke"))),
              [...document.querySelectorAll("#verdict tr.place")].filter((row) => row.cells[0].textContent.replaceAll("\u200b", "").trim() === policy)
                .map((row) => of(row.querySelector(".bar"), "backgroundColor")))]"""
        found = [self.run_script(colours, plot, policy) for policy in ("fcfs", "first_fit")]
        self.assertEqual([len(one) for one in found], [1, 1])
        self.assertNotEqual(found[0], found[1])

    def test_axes_have_units(self):
        plot = self.shown_plot("response_time")
        self.assertEqual([name.text for name in plot.find_elements(By.CSS_SELECTOR, "text.name")], ["response_time (ms)", "arrivals.load"])
        self.find("nav select").send_keys("platform.costs")
        self.assertEqual([name.text for name in plot.find_elements(By.CSS_SELECTOR, "text.name")], ["response_time (ms)", "platform.costs.dispatch_latency (ms)"])

    def test_large_numbers_at_axes_have_prefixes_of_their_units(self):
        self.assertEqual(self.run_script("return [12.5e9, -2e6, 999999, 1e9, 3e15, 1e18, 0, 0.05].map(axis_number)"),
                         ["12.5 G", "-2 M", "999999", "1 G", "3 P", "1000000000000000000", "0", "0.05"])

    def test_values_have_four_digits_and_no_more_than_their_interval(self):
        texts = self.run_script("return [[4373.41, 1773.41], [0.99996, 0.98], [12.345678, null], [123456, 123400], [0.05, null], [2e-9, null], [9.996, 9.0], [0, 0]]"
                                ".map(([mean, low]) => with_interval(mean, low, low === null ? null : 2 * mean - low))")
        self.assertEqual(texts, ["4400 ± 2600", "1.000 ± 0.020", "12.35", "123500 ± 56", "0.05", "2e-9", "10.0 ± 1.0", "0 ± 0"])
        self.assertEqual(self.run_script("return [with_interval(71000, 0, 202719), with_interval(3, 3, 3.14), with_interval(1e-7, 0, 5e-7)]"),
                         ["71000 (0 .. 203000)", "3.00 (3.00 .. 3.14)", "1e-7 (0 .. 5e-7)"])
        # As the program writes them.
        table = self.run_script("return data.verdict.metrics.map((m) => m.rows[0].policies.map((p) => [m.title, p.policy, p.value]))")
        for title, policy, value in [one for metric in table for one in metric]:
            shown = self.run_script("const metric = data.metrics.find((m) => m.name === arguments[0]); const at = estimates_of(metric, metric.classes.indexOf('all')).get("
                                    "data.policies.indexOf(arguments[1])); return with_interval(at.value, at.low, at.high)", title, policy)
            self.assertEqual(shown, value)

    def test_a_heat_map_has_the_estimates_over_two_keys(self):
        self.choose(self.control("#heat-map", "metric"), "waiting_time of large")
        self.choose(self.control("#heat-map", "policy"), "first_fit")
        self.choose(self.control("#heat-map", "across"), "platform.servers.node.capacity")
        self.choose(self.control("#heat-map", "up"), "arrivals.load")
        self.choose(self.control("#heat-map", "dispatch_latency"), "0.2")
        cells = self.run_script("return [...document.querySelectorAll('#heat-map tbody tr')].map((row) => [...row.children].map("
                                "(cell) => [cell.textContent, cell.title, parseFloat(getComputedStyle(cell).getPropertyValue('--share'))]))")
        stored = {(r["arrivals.load"], r["platform.servers.node.capacity"]): r for r in read_table(self.panels / "results.csv")
                  if r["metric"] == "waiting_time" and r["class"] == "large" and r["policy"] == "first_fit"
                  and float(r["platform.costs.dispatch_latency"]) == 0.2}
        self.assertEqual([row[0][0] for row in cells], ["load = 0.7", "load = 0.5", "load = 0.3"])
        shades = []
        for row, load in zip(cells, ("0.7", "0.5", "0.3")):
            for (text, title, share), capacity in zip(row[1:], ("1", "2")):
                expected = stored[load, capacity]
                value = float(expected["estimate"])
                self.assertLessEqual(abs(float(text.split()[0]) - value), 5e-4 * abs(value))
                self.assertLessEqual(len(text.split()[0].strip("-0.").replace(".", "")), 4)
                self.assertIn("95 %: ", title)
                low, high = map(float, title.split("95 %: ")[1].split(";")[0].split(" to "))
                self.assertAlmostEqual(low, float(expected["ci_low"]), delta=1e-3 * abs(low))
                self.assertAlmostEqual(high, float(expected["ci_high"]), delta=1e-3 * abs(high))
                shades.append((value, share))
        shades.sort()
        self.assertEqual([share for _, share in shades], sorted(share for _, share in shades), "a stronger colour is larger")
        self.assertLess(shades[0][1], shades[-1][1])

    def test_policies_alone_are_compared_in_tables_by_class(self):
        self.open_report(self.policies)
        self.assertEqual(self.find_all("section.metric:not(#pareto)"), [])
        table = "#metric-response_time table.by-class"
        heads = self.run_script("return [...document.querySelector(arguments[0]).tHead.rows[0].cells].map((c) => c.textContent)", table)
        self.assertEqual(heads, ["policy", "all", "small", "large"])
        rows = self.run_script("return [...document.querySelector(arguments[0]).tBodies[0].rows].map((row) => [row.cells[0].textContent.replaceAll('\\u200b', '').trim(),"
                               "...[...row.querySelectorAll('.place')].map((c) => [c.querySelector('.value').textContent, c.querySelector('.bar').getBoundingClientRect().width])])", table)
        stored = {(r["class"], r["policy"]): float(r["estimate"]) for r in read_table(self.policies / "results.csv") if r["metric"] == "response_time"}
        self.assertEqual([row[0] for row in rows], sorted(("fcfs", "first_fit", "msf"), key=lambda policy: stored["all", policy]), "the best comes first")
        for at, name in enumerate(heads[1:], 1):
            means = [stored[name, row[0]] for row in rows]
            for mean, (text, width) in zip(means, [row[at] for row in rows]):
                self.assertLessEqual(abs(float(text.split(" ± ")[0]) - mean), float(text.split(" ± ")[1].split()[0]) / 10)  # a mark may follow
                self.assertLess(abs(width / max(row[at][1] for row in rows) - mean / max(means)), 0.06)

    def test_a_study_of_one_point_is_one_table_by_class(self):
        self.open_report(self.alone)
        self.assertEqual(self.find_all("#results-by-class .plot"), [])
        stored = read_table(self.alone / "results.csv")
        rows = self.run_script("return [...document.querySelectorAll('#results-by-class table.by-class')].flatMap((table) => {"
                               "const heads = [...table.tHead.rows[0].cells].map((c) => c.textContent.replaceAll('\\u200b', ''));"
                               "return [...table.tBodies[0].rows].flatMap((row) => [...row.cells].slice(1).map((cell, at) => [row.id, heads[at + 1],"
                               "cell.querySelector('.value')?.textContent])); })")
        found = {(metric[len("metric-"):], name): text for metric, name, text in rows if text}
        self.assertEqual(set(found), {(r["metric"], r["class"]) for r in stored})
        for row in stored:
            text = found[row["metric"], row["class"]]
            mean = text.split()[0]
            ends = re.search(r"\((\S+) \.\. (\S+)\)", text)  # of an interval whose halves differ
            if ends:
                within = (float(ends[2]) - float(ends[1])) / 10
            else:
                within = float(text.split(" ± ")[1].split()[0]) / 10 if " ± " in text else 0.0  # a mark may follow
            self.assertLessEqual(abs(float(mean) - float(row["estimate"])), max(within, 5e-4 * abs(float(row["estimate"]))), row)

    def test_a_point_that_is_chosen_is_told_with_its_number(self):
        plot = self.shown_plot("response_time")
        self.run_script("addEventListener('choose', (event) => { window.chosen_point = event.detail.point; })")
        plot.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER)
        stored = [r for r in read_table(self.panels / "results.csv") if r["metric"] == "response_time" and r["class"] == "all"]
        wanted = next(r["point"] for r in stored if r["policy"] == "fcfs" and float(r["platform.costs.dispatch_latency"]) == 0
                      and float(r["platform.servers.node.capacity"]) == 1 and r["arrivals.load"] == "0.5")
        self.assertEqual(self.run_script("return window.chosen_point"), int(wanted))

    def test_of_many_samples_the_extremes_of_each_column_are_drawn(self):
        found = self.run_script("""
            const points = Array.from({ length: 50000 }, (_, x) => ({ x, y: x === 31234 ? 9 : x === 31235 ? -9 : x % 3 }));
            const kept = thinned(points, (x) => x / 100);
            return [kept.length, d3.max(kept, (p) => p.y), d3.min(kept, (p) => p.y), kept[0].x, kept[kept.length - 1].x,
              kept.every((p, at) => at === 0 || p.x > kept[at - 1].x)];""")
        self.assertLessEqual(found[0], 4 * 501)
        self.assertEqual(found[1:], [9, -9, 0, 49999, True])

    def test_a_plot_of_many_rows_fits_on_a_sheet(self):
        plot = self.shown_plot("response_time")
        self.run_script("dispatchEvent(new Event('beforeprint')); arguments[0].setAttribute('viewBox', '0 0 660 3000')", plot)
        self.media("print", "light")
        self.assertLess(plot.size["height"], 297 / 25.4 * 96 - 2 * 14 / 25.4 * 96)

    def test_a_large_page_is_small_and_opens(self):
        out = self.run_study("large", LARGE)
        self.assertLess((out / "report.html").stat().st_size, 2_200_000)
        self.open_report(out)
        self.assertEqual(self.run_script("return [data.points.length, data.metrics.length >= 25]"), [54, True])


if __name__ == "__main__":
    unittest.main()
