"""report.html as a reader has it."""

import contextlib
import os
import re
import sqlite3
import subprocess
import unittest

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import DRAWING, PageInBrowser, read_table

HOSTILE = '</script><script>window.taken = 1</script><img src=x onerror="window.taken = 1"> "quoted" & \'so\' @data@'

SCENARIO = """
name = "queue"
about = '''%s'''
[platform]
servers = [{ name = "node" }]
[[classes]]
name = "first"
need = 1
share = 0.5
size = { distribution = "exponential", mean = 1.0 }
[[classes]]
name = "second"
need = 1
share = 0.5
size = { distribution = "exponential", mean = 1.0 }
[arrivals]
rate = 0.5
[policy]
name = "fcfs"
[record]
jobs_in_system_every = 1.0
until = 2000.0
[report]
explain = true
[run]
jobs = 3000
replications = 4
[sweep]
policy = [{ name = "fcfs" }, { name = "first_fit" }]
"arrivals.rate" = [0.01, 0.1, 0.5, 0.9]
""" % HOSTILE

# A difference as the store has it, and as the page shows it.
DIFFERENCE = (0, 4, "all", "response_time", -0.125, None, None, 3, 100, "biased")
SHOWN_DIFFERENCE = ["queue", "0.01", "fcfs", "first_fit", "all", "response_time", "s", "-0.125", "", "",
                    "3", "biased"]

# Sixteen series of a queue that is overloaded at its last rate; two replications make wide intervals.
MANY = """
name = "many"
[platform]
servers = [{ name = "node" }]
[[classes]]
name = "job"
need = 1
share = 1.0
size = { distribution = "lognormal", mean = 1.0, scv = 40.0 }
[arrivals]
rate = 0.5
[policy]
name = "fcfs"
[run]
jobs = 300
replications = 2
[sweep]
"run.seed" = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
"arrivals.rate" = [0.1, 0.5, 2.0]
"""


class PageTest(PageInBrowser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.out = cls.run_study("queue", SCENARIO)
        with contextlib.closing(sqlite3.connect(cls.out / "results.sqlite")) as store, store:
            store.execute("DELETE FROM differences")
            store.execute(f"INSERT INTO differences VALUES ({', '.join('?' * len(DIFFERENCE))})", DIFFERENCE)
        subprocess.run([os.environ["MUSTER"], "report", cls.out], check=True, capture_output=True)
        cls.many = cls.run_study("many", MANY)

    def setUp(self):
        super().setUp()
        self.open_report(self.out)

    def test_asks_for_nothing_but_itself(self):
        for svg in self.find_all(".plot > svg"):
            self.run_script("arguments[0].scrollIntoView()", svg)
        requests = [m for m in self.logs("performance") if '"Network.requestWillBeSent"' in m]
        self.assertTrue(requests)
        for request in requests:
            self.assertRegex(request, r'"url":"(file:[^"]*report\.html|data:[^"]*)"')
        self.assertEqual(self.run_script("return performance.getEntriesByType('resource').map((r) => r.name)"
                                         ".filter((name) => !name.startsWith('data:'))"), [])

    def test_draws_every_plot_when_it_comes_near(self):
        sections = [s.get_attribute("id") for s in self.find_all("section.metric")]
        self.assertGreater(len(sections), 8)
        self.assertEqual(len(sections), len(self.find_all("section.metric .plot > svg")))
        self.assertFalse(self.run_script("return !!d3.select(arguments[0]).datum()", self.find(f"#{sections[-1]} svg")))
        for section in sections:
            self.assertGreater(self.coloured_pixels(self.shown(f"#{section}")), 40, section)

    def test_reads_a_column_of_numbers_when_a_plot_or_a_table_needs_it(self):
        columns = self.run_script("return document.querySelectorAll('script[id^=column-]').length")
        self.shown_plot("response_time")
        self.assertGreater(self.run_script("return parsed_columns.size"), 0)
        self.assertLess(self.run_script("return parsed_columns.size"), columns / 2)
        self.open_tables()
        self.assertEqual(self.run_script("return parsed_columns.size"), columns)

    def test_tables_carry_the_numbers_of_results_csv_to_the_last_digit(self):
        self.open_tables()
        stored = read_table(self.out / "results.csv")
        known = {(r["point"], r["class"], r["metric"]): r["estimate"] for r in read_table(self.out / "theory.csv")}
        metrics = list(dict.fromkeys(row["metric"] for row in stored))
        self.assertGreater(len(metrics), 10)
        tables = self.run_script("""return [...document.querySelectorAll('#sections details table')].map((table) => ({
            caption: table.caption.textContent, heads: [...table.tHead.rows[0].cells].map((cell) => cell.textContent),
            rows: [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent)) }))""")
        for metric in metrics:
            mine = [t for t in tables if t["caption"].split(" (")[0].split(":")[0] == metric]
            self.assertEqual(len(mine), 1, metric)
            heads = mine[0]["heads"]
            self.assertEqual(heads[:10], ["point", "policy", "arrivals.rate", "class", "estimate", "ci_low", "ci_high",
                                          "replications", "jobs"] + heads[9:10])
            expected = [[row[head] if head != "theory" else known.get((row["point"], row["class"], metric), "")
                         for head in heads] for row in stored if row["metric"] == metric]
            self.assertEqual(mine[0]["rows"], expected, metric)

    def test_plots_hold_the_estimates_and_theory_dashed(self):
        plot = self.shown_plot("response_time")
        sets = self.run_script(DRAWING + """return [...arguments[0].querySelectorAll('.set')].map((set) => ({ label: set.dataset.label,
            colour: getComputedStyle(set.querySelector('.line')).stroke, dashed: getComputedStyle(set.querySelector('.line')).strokeDasharray !== 'none',
            marks: set.querySelectorAll('.mark').length, data: set.__data__.points.map((p) => [p.x, p.y, p.low, p.high]) }))""", plot)
        number = lambda text: float(text) if text else None
        for label, file, dashed, policy in [("fcfs", "results.csv", False, "fcfs"),
                                            ("first_fit", "results.csv", False, "first_fit"),
                                            ("theory: fcfs", "theory.csv", True, "fcfs")]:
            rows = [r for r in read_table(self.out / file)
                    if r["policy"] == policy and r["class"] == "all" and r["metric"] == "response_time"]
            mine = [s for s in sets if s["label"] == label]
            self.assertEqual(len(mine), 1, label)
            self.assertEqual(mine[0]["data"], [[float(r["arrivals.rate"]), float(r["estimate"]), number(r["ci_low"]),
                                                number(r["ci_high"])] for r in rows])
            self.assertEqual(mine[0]["dashed"], dashed)
            self.assertEqual(mine[0]["marks"], 0 if dashed else 4)
            self.assertEqual(mine[0]["colour"], next(s["colour"] for s in sets if s["label"] == policy), "theory has its policy's colour")

    def test_limits_of_stability_are_marked(self):
        plot = self.shown_plot("response_time")
        marks = self.run_script(DRAWING + "return drawing.shown.panels.flatMap((panel) => panel.marks.map((m) => [m.at, m.text]))", plot)
        self.assertEqual(len(self.find_all("#metric-response_time .limit")), 1)
        self.assertEqual(len(marks), 1)
        self.assertAlmostEqual(marks[0][0], 1.0)
        self.assertEqual(marks[0][1], "work bound")
        self.assertEqual(self.find("#metric-response_time .marks").text, "Stability: work bound 1.")

    def test_axes_are_logarithmic_where_the_data_spans_decades_and_can_be_switched(self):
        plot = self.shown_plot("throughput")
        types = DRAWING + "return [drawing.x, drawing.y].map((scale) => (scale.base ? 'logarithmic' : 'linear'))"
        self.assertEqual(self.run_script(types, plot), ["logarithmic", "logarithmic"])  # rates 0.01 to 0.9
        utilization = self.shown_plot("fairness_jain")
        self.assertEqual(self.run_script(types, utilization), ["logarithmic", "linear"])
        plot = self.shown_plot("throughput")
        for box in self.find_all("#metric-throughput .controls input"):
            box.click()
        self.assertEqual(self.run_script(types, plot), ["linear", "linear"])
        self.assertGreater(self.coloured_pixels(plot), 40)

    def test_class_and_horizontal_axis_can_be_chosen(self):
        plot = self.shown_plot("response_time")
        ys = DRAWING + "return sets[0].points.map((p) => p.y)"
        self.find("#metric-response_time select").send_keys("second")
        stored = [r for r in read_table(self.out / "results.csv") if r["metric"] == "response_time"]
        self.assertEqual(self.run_script(ys, plot), [float(r["estimate"]) for r in stored
                                                       if r["class"] == "second" and r["policy"] == "fcfs"])
        self.find("nav select").send_keys("policy")
        self.assertEqual(self.run_script(ys, plot), [float(r["estimate"]) for r in stored
                                                       if r["class"] == "second" and r["arrivals.rate"] == "0.01"])
        self.assertEqual(self.run_script("return [...arguments[0].querySelectorAll('text.across')].map((t) => t.textContent)", plot),
                         ["fcfs", "first_fit"])

    def test_series_are_switched_by_click_and_by_key(self):
        plot = self.shown_plot("response_time")
        visible = "return [...arguments[0].querySelectorAll('.set')].map((s) => s.dataset.label).sort()"
        self.assertEqual(self.run_script(visible, plot), ["fcfs", "first_fit", "theory: fcfs"])
        buttons = lambda: self.find_all("#legend button")
        self.assertEqual([b.text for b in buttons()], ["fcfs", "first_fit", "theory"])
        buttons()[1].click()
        self.assertEqual(self.run_script(visible, plot), ["fcfs", "theory: fcfs"])
        self.assertEqual(buttons()[1].get_attribute("aria-pressed"), "false")
        self.browser.switch_to.active_element.send_keys(Keys.SPACE)  # the focus has stayed where it was
        self.assertEqual(self.run_script(visible, plot), ["fcfs", "first_fit", "theory: fcfs"])
        buttons()[2].send_keys(Keys.ENTER)
        self.assertEqual(self.run_script(visible, plot), ["fcfs", "first_fit"])

    def test_values_are_told_on_hover_and_by_arrow_keys(self):
        plot = self.shown_plot("response_time")
        first = next(r for r in read_table(self.out / "results.csv") if r["class"] == "all" and r["metric"] == "response_time")
        spoken = lambda: self.find("#spoken").get_attribute("textContent").split(", ")
        plot.send_keys(Keys.ARROW_RIGHT)
        words = spoken()
        self.assertEqual(words[:2], ["fcfs", "arrivals.rate = 0.01"])
        mean, half = map(float, re.fullmatch(r"response_time = (\S+) ± (\S+) s", words[2]).groups())
        self.assertAlmostEqual(mean, float(first["estimate"]), delta=half / 10)
        self.assertAlmostEqual(half, float(first["estimate"]) - float(first["ci_low"]), delta=half / 10)
        low, high = map(float, re.fullmatch(r"95 %: (\S+) to (\S+)", words[3]).groups())
        self.assertAlmostEqual(low, float(first["ci_low"]), delta=1e-3 * low)
        self.assertAlmostEqual(high, float(first["ci_high"]), delta=1e-3 * high)
        for at in (1, 2):  # what lies over the first series
            self.find_all("#legend button")[at].click()
        mark = self.find("#metric-response_time .set[data-label=fcfs] .mark")
        webdriver.ActionChains(self.browser).move_to_element(mark).perform()
        tip = self.find("#metric-response_time .tip")
        self.assertTrue(self.wait_for("return !arguments[0].hidden", tip))
        self.assertEqual([child.text for child in tip.find_elements(By.CSS_SELECTOR, "*")], words)

    def test_tables_are_sorted_by_click_and_by_key(self):
        self.open_tables()
        head = self.find_all("#metric-response_time th[scope=col]")[4]
        button = head.find_element(By.TAG_NAME, "button")
        self.run_script("arguments[0].scrollIntoView({ block: 'center', inline: 'center' })", button)
        as_numbers = lambda: [float(row[4]) for row in self.rows("#metric-response_time")]
        stored = as_numbers()
        self.assertNotEqual(stored, sorted(stored))
        button.click()
        self.assertEqual(as_numbers(), sorted(stored))
        self.assertEqual(head.get_attribute("aria-sort"), "ascending")
        button.send_keys(Keys.ENTER)
        self.assertEqual(as_numbers(), sorted(stored, reverse=True))
        self.assertEqual(head.get_attribute("aria-sort"), "descending")

    def test_fits_a_phone(self):
        self.screen(360, 740)
        self.open_tables()
        for svg in self.find_all(".plot > svg"):
            self.run_script("arguments[0].scrollIntoView()", svg)
        self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), 360)
        hidden = "return [...document.querySelectorAll('#verdict .scroll, #point .scroll')].filter((s) => s.scrollHeight > s.clientHeight + 2).length"
        self.assertEqual(self.run_script(hidden), 0, "rows are hidden in a box of their own")

    def test_is_dark_where_the_reader_wants_it_and_light_on_paper(self):
        plot = self.shown_plot("response_time")
        look = "return [getComputedStyle(document.body).backgroundColor, getComputedStyle(arguments[0].querySelector('.mark')).stroke]"
        light = self.run_script(look, plot)
        self.media("screen", "dark")
        for dark, bright in zip(self.run_script(look, plot), light):
            self.assertNotEqual(dark, bright)
        self.assertGreater(self.coloured_pixels(plot), 40)
        self.media("print", "dark")
        self.assertEqual(self.run_script(look, plot), light)

    def test_prints_all_plots_and_no_controls(self):
        self.run_script("addEventListener('beforeprint', () => { window.on_paper = [...document.querySelectorAll('.plot > svg')].map("
                        "(svg) => svg.querySelectorAll('.mark, .line, .slice, .busy').length); })")
        self.browser.execute_cdp_cmd("Page.printToPDF", {})
        drawn = self.run_script("return window.on_paper")
        self.assertEqual(len(drawn), len(self.find_all(".plot > svg")))
        self.assertGreater(min(drawn), 0)
        self.media("print", "light")
        for selector in ("nav", ".controls", "#sections details:not([open])"):
            self.assertFalse(self.find(selector).is_displayed(), selector)

    def test_paper_is_wide_enough_and_has_a_legend_beside_each_plot(self):
        self.open_tables()
        self.run_script("dispatchEvent(new Event('beforeprint'))")
        self.screen(688, 1000)  # A4 within its margins
        self.media("print", "light")
        self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), 688)
        for section in ("response_time", "waiting_time"):
            self.assertTrue(self.find(f"#metric-{section} .paper-legend").is_displayed())
            self.assertEqual([one.text for one in self.find_all(f"#metric-{section} .paper-legend span")], ["fcfs", "first_fit"])

    def test_hides_no_series_that_the_reader_has_not_hidden_and_says_which_those_are(self):
        self.open_report(self.many)
        plot = self.shown_plot("response_time")
        visible = "return arguments[0].querySelectorAll('.set:not(.known)').length"
        self.assertEqual(self.run_script(visible, plot), 16)
        series = [b for b in self.find_all("#legend button") if b.text.startswith("seed = ")]
        self.assertEqual([b.text for b in series], [f"seed = {n}" for n in range(1, 17)])
        self.assertNotIn("hidden", self.find("#metric-response_time .remarks").text)
        series[2].click()
        self.assertIn("1 of 16 series is hidden: seed = 3.", self.find("#metric-response_time .remarks").text)
        self.media("print", "light")
        self.assertTrue(self.find("#metric-response_time .remarks").is_displayed())
        self.assertIn("1 of 16 series is hidden: seed = 3.", self.find("#metric-response_time .remarks").text)

    def test_sixteen_series_look_different_in_legend_and_plot(self):
        self.open_report(self.many)
        looks = self.run_script("return [...arguments[0].querySelectorAll(arguments[1])].map((line) => [getComputedStyle(line).stroke,"
                                "getComputedStyle(line).strokeDasharray, line.parentNode.querySelector('.mark').getAttribute('d')].join())",
                                self.find("#legend"), "button[aria-pressed] .line:not(.known)")
        self.assertEqual(len(set(looks)), 16)
        self.assertEqual(len(set(look.split(",M")[0] for look in looks)), 16, "lines alone are told apart")
        drawn = self.run_script("return [...arguments[0].querySelectorAll('.set:not(.known) .line')].map((line) => [getComputedStyle(line).stroke,"
                                "getComputedStyle(line).strokeDasharray].join())", self.shown_plot("response_time"))
        self.assertEqual(len(set(drawn)), 16)

    def test_axes_include_every_interval_or_mark_where_they_cut_it(self):
        self.open_report(self.many)
        ends = DRAWING + "return [...drawing.y.domain(), drawing.y.base ? 'logarithmic' : 'linear'," \
               "sets.flatMap((s) => s.points.flatMap((p) => [p.low, p.high])).filter((end) => end !== null)]"
        for metric in ("response_time", "utilization", "jobs_in_system", "throughput"):
            plot = self.shown_plot(metric)
            remarks = self.find(f"#metric-{metric} .remarks")
            for box in [None] + self.find_all(f"#metric-{metric} .controls input"):
                if box:
                    box.click()
                low, high, kind, stored = self.run_script(ends, plot)
                beyond = [end for end in stored if not low <= end <= high]
                self.assertEqual([end for end in beyond if end > 0 or kind == "linear"], [], metric)
                self.assertEqual(bool(beyond), "\u25bc reaches to zero or below" in remarks.text, metric)
        self.assertTrue(any("\u25bc" in remarks.text for remarks in self.find_all(".remarks")))

    def test_marks_the_points_that_are_not_to_be_taken_as_they_stand(self):
        self.open_report(self.many)
        plot = self.shown_plot("response_time")
        notes = self.run_script(DRAWING + "return sets.filter((s) => !s.known).map((s) => s.points.map((p) => p.note))", plot)
        stored = [r for r in read_table(self.many / "results.csv") if r["class"] == "all"]
        times = [r["note"] for r in stored if r["metric"] == "response_time"]
        self.assertEqual(notes, [times[at:at + 3] for at in range(0, 48, 3)])
        self.assertEqual({note[2] for note in notes}, {"biased; unstable"})
        self.assertIn("", times)
        self.assertIn("\u25ef biased, unstable, short: see the top of the page.", self.find("#metric-response_time .remarks").text)
        said = [line.text for line in self.find_all("#summary .note")]
        self.assertEqual(len(said), 3)
        for line, word, about in [(said[0], "biased", "more than a tenth"), (said[1], "unstable", "the arrival rate"),
                                  (said[2], "short", "the measured window")]:
            points = list(dict.fromkeys(r["point"] for r in stored if word in r["note"]))
            listed = re.match(rf"{len(points)} of 48 points have estimates marked {word} \((.*?)\): {about}", line)
            self.assertTrue(listed, line)
            spans = [[int(n) for n in span.split(" to ")] for span in listed[1].split(", ")]
            self.assertEqual([n for span in spans for n in range(span[0], span[-1] + 1)], list(map(int, points)))
        plot.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.assertIn("note: biased; unstable", self.find("#spoken").get_attribute("textContent"))

    def test_draws_one_of_many_marks_that_cover_each_other(self):
        kept = lambda count: self.run_script("""
            const points = Array.from({ length: arguments[0] }, (_, n) => ({ x: 40 * (n % 5), y: 40 * (n % 3) }));
            return apart(points, { x: (value) => value, y: (value) => value }, 4).map(({ x, y }) => `${x} ${y}`);""", count)
        self.assertEqual(sorted(kept(5000)), sorted(f"{40 * x} {40 * y}" for x in range(5) for y in range(3)))
        self.assertEqual(len(kept(600)), 600, "few are all drawn")

    def test_lists_neighbouring_points_as_spans(self):
        listed = lambda numbers: self.run_script("return number_list(arguments[0])", numbers)
        self.assertEqual(listed([]), "")
        self.assertEqual(listed([0, 1, 3, 7, 8, 9, 20]), "0, 1, 3, 7 to 9, 20")
        self.assertEqual(listed(list(range(10000))), "0 to 9999")
        self.assertTrue(listed(list(range(0, 1000, 2))).endswith("118, ..."))

    def test_prints_the_notes(self):
        self.open_report(self.many)
        self.run_script("dispatchEvent(new Event('beforeprint'))")
        self.media("print", "light")
        notes = self.find_all("main > .notes:last-child li")  # behind the answers
        self.assertGreater(len(notes), 15)
        self.assertTrue(notes[0].is_displayed())
        self.run_script("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(len(self.find_all("#summary .notes li")), len(notes))

    def test_hostile_text_stays_text(self):
        self.open_tables()
        self.assertIsNone(self.run_script("return window.taken ?? null"))
        self.assertEqual(self.find("header .about").text, HOSTILE)
        self.assertIn(HOSTILE.replace('"', '\\"'), self.find("#scenario pre").get_attribute("textContent"))
        self.assertEqual(self.rows("#differences"), [SHOWN_DIFFERENCE])

    def test_answers_first_which_policy_is_best(self):
        self.assertEqual(self.find_all("#sections > section")[0].get_attribute("id"), "verdict")
        means = {(r["arrivals.rate"], r["policy"]): float(r["estimate"]) for r in read_table(self.out / "results.csv")
                 if r["class"] == "all" and r["metric"] == "response_time"}
        winners = self.rows("#verdict .answers > div:first-child table.winners")
        self.assertEqual([row[0] for row in winners], ["0.01", "0.1", "0.5", "0.9"])
        groups = self.ranking()
        self.assertEqual([where for where, _ in groups], [f"arrivals.rate = {row[0]}" for row in winners])
        for (rate, best, value, _), (_, rows) in zip(winners, groups):
            self.assertEqual(sorted(policy for policy, *_ in rows), ["fcfs", "first_fit"])
            self.assertEqual((rows[0][0], rows[0][1], rows[0][3]), (best.replace("\u200b", ""), value, "place best"), "the best comes first")
            self.assertEqual(means[rate, rows[0][0]], min(means[rate, policy] for policy, *_ in rows))
            for policy, value, _, _ in rows:
                mean, half = map(float, value.split(" ± "))
                self.assertLessEqual(abs(mean - means[rate, policy]), half / 10)

    def ranking(self):
        """By comparison: of each policy its name, value, length of the bar, place."""
        return self.run_script("""const groups = [];
            const name = (cell) => {
              const copy = cell.cloneNode(true);
              for (const mark of copy.querySelectorAll('.caution')) mark.remove();
              return copy.textContent.replaceAll('\u200b', '').trim();
            };
            for (const row of document.querySelectorAll('#verdict table.ranking')[0].tBodies[0].rows) {
              if (row.classList.contains('others')) groups.push([row.textContent, []]);
              else groups[groups.length - 1][1].push([name(row.cells[0]), row.querySelector('.value').textContent,
                row.querySelector('.bar').getBoundingClientRect().width, row.className]);
            }
            return groups;""")

    def test_parts_of_the_response_time_add_up_to_it(self):
        stored = read_table(self.out / "results.csv")
        for name in ["all", "second"]:
            self.run_script("const box = document.querySelector('#times select'); box.selectedIndex = [...box.options].findIndex("
                            "(o) => o.text === arguments[0]); box.dispatchEvent(new Event('change'))", name)
            means = {r["point"]: float(r["estimate"]) for r in stored if r["class"] == name and r["metric"] == "response_time"}
            lines = self.run_script("return [...document.querySelectorAll('#times .line')].map((line) => "
                                    "[line.dataset.point, line.querySelector('.sum').textContent, line.querySelector('.stack').ariaLabel, "
                                    "[...line.querySelectorAll('.stack span')].reduce((sum, part) => sum + parseFloat(part.style.width), 0)])")
            self.assertEqual(len(lines), len(means))
            self.assertEqual([head.text for head in self.find_all("#times .group")], [f"arrivals.rate = {rate}" for rate in ("0.01", "0.1", "0.5", "0.9")])
            for point, total, words, width in lines:
                mean = means[point]
                self.assertLess(abs(float(total) - mean), 1e-3 * mean)
                self.assertIn("time_running ", words)
                self.assertLess(abs(width - 100 * mean / max(means.values())), 0.1)

    def test_parts_of_the_response_time_have_no_policys_colour(self):
        parts = self.run_script("return [...document.querySelectorAll('#times .swatch')].map((s) => getComputedStyle(s).background)")
        self.assertEqual(len(parts), 8)
        self.assertEqual(len(set(parts)), 8)
        colours = self.run_script("return [0, 1, 2, 3, 4, 5, 6, 7].map((n) => { const probe = document.createElement('i'); probe.style.color = `var(--series-${n})`;"
                                  "document.body.append(probe); return getComputedStyle(probe).color; })")
        for part in parts:
            for colour in colours:
                self.assertNotIn(colour, part)

    def test_a_front_has_the_points_that_no_other_betters_in_both(self):
        plot = self.shown("#pareto")
        found = {name: {} for name in ("response_time", "weighted_response_time")}
        marked = set()
        for row in read_table(self.out / "results.csv"):
            if row["class"] == "all" and row["metric"] in found:
                found[row["metric"]][row["arrivals.rate"], row["policy"]] = float(row["estimate"])
                if row["note"]:
                    marked.add((row["arrivals.rate"], row["policy"]))
        for at, name in enumerate(["weighted_response_time", "response_time"]):
            self.run_script("const box = document.querySelectorAll('#pareto select')[arguments[0]]; box.selectedIndex = "
                            "[...box.options].findIndex((o) => o.text === arguments[1]); box.dispatchEvent(new Event('change'))", at, name)
        pairs = {key: (found["weighted_response_time"][key], found["response_time"][key]) for key in found["response_time"]}
        fronts = []
        for rate in dict.fromkeys(rate for rate, _ in pairs):
            mine = sorted(set(pair for key, pair in pairs.items() if key[0] == rate and key not in marked))
            front = [p for p in mine if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in mine)]
            if len(front) > 1:
                fronts.append([list(p) for p in front])
        sets = self.run_script(DRAWING + "return sets.map((s) => [s.label, s.points.map((p) => [p.x, p.y])])", plot)
        self.assertEqual(sorted(p for label, data in sets if label != "front" for p in data), sorted(map(list, pairs.values())))
        self.assertEqual(sorted(data for label, data in sets if label == "front"), sorted(fronts))

    def test_a_bar_is_as_long_as_its_value(self):
        for _, row in self.ranking():
            values = [float(value.split(" ")[0]) for _, value, _, _ in row]
            widest = max(width for _, _, width, _ in row)
            for value, (_, _, width, _) in zip(values, row):
                self.assertLess(abs(width / widest - value / max(values)), 0.06)

    def test_jobs_in_system_over_time_are_those_recorded(self):
        plot = self.shown("#presence")
        stored = [r for r in read_table(self.out / "jobs_in_system.csv") if r["point"] == "0"]
        sets = self.run_script(DRAWING + "return sets.map((s) => [s.label, s.points.map((p) => [p.x, p.y])])", plot)
        self.assertEqual(dict(map(tuple, sets)), {name: [[float(r["time"]), float(r["jobs"])] for r in stored if r["class"] == name]
                                                  for name in {r["class"] for r in stored}})

    def test_speaks_to_a_screen_reader(self):
        self.open_tables()
        faults = self.run_script("""
            const faults = [], all = (selector) => [...document.querySelectorAll(selector)];
            const demand = (fine, what) => { if (!fine) faults.push(what); };
            demand(document.documentElement.lang, "language");
            demand(all("main").length === 1 && all("header").length === 1, "landmarks");
            demand(all("h1").length === 1, "one h1");
            demand(document.querySelector(document.querySelector("a.skip").getAttribute("href")), "skip link");
            for (const nav of all("nav")) demand(nav.getAttribute("aria-label"), "nav");
            for (const section of all("section")) demand(document.getElementById(section.getAttribute("aria-labelledby"))?.textContent, "section");
            for (const svg of all(".plot > svg")) demand(svg.getAttribute("aria-label") || !d3.select(svg).datum(), "plot without name");
            for (const svg of all(".plot > svg")) demand(svg.getAttribute("role") === "img" && svg.tabIndex === 0, "plot out of reach");
            for (const table of all("table")) demand(table.caption?.textContent, "caption");
            for (const head of all("thead th")) demand(head.scope === "col", "head");
            for (const head of all("table:not(.verdict) thead th")) demand(head.ariaSort && head.querySelector("button"), "sorting");
            for (const row of all("tbody tr")) demand(row.querySelector("th[scope^=row]"), "row without head");
            for (const control of all("button, summary, a")) demand(control.textContent.trim(), "control without name");
            for (const control of all("input, select")) demand(control.closest("label")?.textContent.trim(), "control without label");
            return faults;""")
        self.assertEqual(faults, [])


if __name__ == "__main__":
    unittest.main()
