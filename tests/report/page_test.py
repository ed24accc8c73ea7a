"""report.html as a reader has it: in Chromium, driven over WebDriver. MUSTER and
MUSTER_CHROMEDRIVER name the programs."""

import contextlib
import csv
import os
import pathlib
import sqlite3
import subprocess
import tempfile
import unittest

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import chromium

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
DIFFERENCE = (0, 4, "all", "response_time", -0.12500000000000003, None, None, 3, 100, "biased")
SHOWN_DIFFERENCE = ["queue", "0.01", "fcfs", "first_fit", "all", "response_time", "s", "-0.12500000000000003", "", "",
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

# A chart is drawn if pixels of it have the colour of a series, up to the smoothing of thin lines.
PIXELS = """
const chart = Chart.getChart(arguments[0]);
if (!chart) return 0;
const wanted = chart.data.datasets.filter((set, n) => chart.isDatasetVisible(n))
  .map((set) => [1, 3, 5].map((at) => parseInt(set.borderColor.slice(at, at + 2), 16)));
const { data } = chart.ctx.getImageData(0, 0, chart.canvas.width, chart.canvas.height);
let found = 0;
for (let i = 0; i < data.length; i += 4)
  found += wanted.some((colour) => data[i + 3] > 200 && colour.every((c, at) => Math.abs(c - data[i + at]) < 24));
return found;
"""


def read_table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        top = pathlib.Path(cls.folder.name)
        (top / "queue.toml").write_text(SCENARIO, encoding="utf-8")
        cls.out = top / "out"
        muster = os.environ["MUSTER"]
        subprocess.run([muster, "run", top / "queue.toml", "--quiet", "--out", cls.out], check=True, capture_output=True)
        with contextlib.closing(sqlite3.connect(cls.out / "results.sqlite")) as store, store:
            store.execute("DELETE FROM differences")
            store.execute(f"INSERT INTO differences VALUES ({', '.join('?' * len(DIFFERENCE))})", DIFFERENCE)
        subprocess.run([muster, "report", cls.out], check=True, capture_output=True)
        (top / "many.toml").write_text(MANY, encoding="utf-8")
        cls.many = top / "many"
        subprocess.run([muster, "run", top / "many.toml", "--quiet", "--out", cls.many], check=True, capture_output=True)
        cls.browser = chromium()
        cls.addClassCleanup(cls.browser.quit)

    def setUp(self):
        self.screen(1280, 900)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
        self.logs("browser")
        self.logs("performance")
        self.browser.get((self.out / "report.html").as_uri())

    def tearDown(self):
        self.assertEqual(self.logs("browser"), [], "the console is empty")

    def logs(self, kind):
        return [entry["message"] for entry in self.browser.get_log(kind)]

    def screen(self, width, height):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def media(self, media, scheme):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def run_script(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def wait_for(self, script, *arguments):
        done = "const [call, last] = [arguments, arguments[arguments.length - 1]]; const end = Date.now() + 5000;" \
               "const test = function () { %s }; const look = () => { const found = test.apply(null, call);" \
               "if (found || Date.now() > end) last(found); else setTimeout(look, 20); }; look();" % script
        return self.browser.execute_async_script(done, *arguments)

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def find_all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def shown_plot(self, metric):
        canvas = self.find(f"#metric-{metric} canvas")
        self.run_script("arguments[0].scrollIntoView({ block: 'center' })", canvas)
        self.assertTrue(self.wait_for("return !!Chart.getChart(arguments[0])", canvas))
        return canvas

    def open_tables(self):
        self.run_script("for (const d of document.querySelectorAll('details')) d.open = true")
        self.assertTrue(self.wait_for(
            "return [...document.querySelectorAll('#sections details:not(#verdict *)')].every((d) => d.querySelector('table'))"))

    def rows(self, selector):
        return self.run_script("return [...document.querySelectorAll(arguments[0] + ' tbody tr')].map("
                               "(row) => [...row.children].map((cell) => cell.textContent))", selector)

    def test_asks_for_nothing_but_itself(self):
        for canvas in self.find_all("canvas"):
            self.run_script("arguments[0].scrollIntoView()", canvas)
        requests = [m for m in self.logs("performance") if '"Network.requestWillBeSent"' in m]
        self.assertTrue(requests)
        for request in requests:
            self.assertRegex(request, r'"url":"(file:[^"]*report\.html|data:[^"]*)"')
        self.assertEqual(self.run_script("return performance.getEntriesByType('resource').map((r) => r.name)"
                                         ".filter((name) => !name.startsWith('data:'))"), [])

    def test_draws_every_plot_when_it_comes_near(self):
        last = self.find_all("canvas")[-1]
        self.assertFalse(self.run_script("return !!Chart.getChart(arguments[0])", last))
        canvases = self.find_all("canvas")
        self.assertGreater(len(canvases), 8)
        for canvas in canvases:
            self.run_script("arguments[0].scrollIntoView({ block: 'center' })", canvas)
            self.assertTrue(self.wait_for("return !!Chart.getChart(arguments[0])", canvas))
            self.assertGreater(self.run_script(PIXELS, canvas), 40, canvas.get_attribute("aria-label"))

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
        canvas = self.shown_plot("response_time")
        sets = self.run_script("""return Chart.getChart(arguments[0]).data.datasets.map((set) => ({ label: set.label,
            dash: set.borderDash, data: set.data.map((p) => [p.x, p.y, p.low, p.high]) }))""", canvas)
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
            self.assertEqual(bool(mine[0]["dash"]), dashed)

    def test_limits_of_stability_are_marked(self):
        canvas = self.shown_plot("response_time")
        marks = self.run_script("return Chart.getChart(arguments[0]).options.marks.map((m) => [m.at, m.text])", canvas)
        self.assertEqual(len(marks), 1)
        self.assertAlmostEqual(marks[0][0], 1.0)
        self.assertEqual(marks[0][1], "work bound")
        self.assertEqual(self.find("#metric-response_time .marks").text, "Stability: work bound 1.")

    def test_axes_are_logarithmic_where_the_data_spans_decades_and_can_be_switched(self):
        canvas = self.shown_plot("throughput")
        types = "const { x, y } = Chart.getChart(arguments[0]).scales; return [x.type, y.type]"
        self.assertEqual(self.run_script(types, canvas), ["logarithmic", "logarithmic"])  # rates 0.01 to 0.9
        utilization = self.shown_plot("fairness_jain")
        self.assertEqual(self.run_script(types, utilization), ["logarithmic", "linear"])
        canvas = self.shown_plot("throughput")
        for box in self.find_all("#metric-throughput .controls input"):
            box.click()
        self.assertEqual(self.run_script(types, canvas), ["linear", "linear"])
        self.assertGreater(self.run_script(PIXELS, canvas), 40)

    def test_class_and_horizontal_axis_can_be_chosen(self):
        canvas = self.shown_plot("response_time")
        ys = "return Chart.getChart(arguments[0]).data.datasets[0].data.map((p) => p.y)"
        self.find("#metric-response_time select").send_keys("second")
        stored = [r for r in read_table(self.out / "results.csv") if r["metric"] == "response_time"]
        self.assertEqual(self.run_script(ys, canvas), [float(r["estimate"]) for r in stored
                                                       if r["class"] == "second" and r["policy"] == "fcfs"])
        self.find("nav select").send_keys("policy")
        self.assertEqual(self.run_script(ys, canvas), [float(r["estimate"]) for r in stored
                                                       if r["class"] == "second" and r["arrivals.rate"] == "0.01"])
        self.assertEqual(self.run_script("return Chart.getChart(arguments[0]).scales.x.ticks.map((t) => t.label)", canvas),
                         ["fcfs", "first_fit"])

    def test_series_are_switched_by_click_and_by_key(self):
        canvas = self.shown_plot("response_time")
        visible = "const c = Chart.getChart(arguments[0]); return c.data.datasets.filter((s, n) => c.isDatasetVisible(n)).map((s) => s.label)"
        self.assertEqual(self.run_script(visible, canvas), ["fcfs", "first_fit", "theory: fcfs"])
        buttons = lambda: self.find_all("#metric-response_time .legend button")
        self.assertEqual([b.text for b in buttons()], ["fcfs", "first_fit", "theory"])
        buttons()[1].click()
        self.assertEqual(self.run_script(visible, canvas), ["fcfs", "theory: fcfs"])
        self.assertEqual(buttons()[1].get_attribute("aria-pressed"), "false")
        self.browser.switch_to.active_element.send_keys(Keys.SPACE)  # the focus has stayed where it was
        self.assertEqual(self.run_script(visible, canvas), ["fcfs", "first_fit", "theory: fcfs"])
        buttons()[2].send_keys(Keys.ENTER)
        self.assertEqual(self.run_script(visible, canvas), ["fcfs", "first_fit"])

    def test_values_are_told_on_hover_and_by_arrow_keys(self):
        canvas = self.shown_plot("response_time")
        first = next(r for r in read_table(self.out / "results.csv") if r["class"] == "all" and r["metric"] == "response_time")
        words = ["arrivals.rate = 0.01", f"response_time = {first['estimate']}", f"95 %: {first['ci_low']} to {first['ci_high']}"]
        canvas.send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(self.find("#spoken").get_attribute("textContent"), ", ".join(["fcfs"] + words))
        for at in (1, 2):  # what lies over the first series
            self.find_all("#metric-response_time .legend button")[at].click()
        point = self.run_script("const c = Chart.getChart(arguments[0]), p = c.getDatasetMeta(0).data[0], r = c.canvas.getBoundingClientRect();"
                                "return [p.x - r.width / 2, p.y - r.height / 2]", canvas)
        webdriver.ActionChains(self.browser).move_to_element_with_offset(canvas, *map(round, point)).perform()
        self.assertTrue(self.wait_for("return Chart.getChart(arguments[0]).tooltip.opacity > 0", canvas))
        self.assertEqual(self.run_script("return Chart.getChart(arguments[0]).tooltip.body.flatMap((b) => b.lines).flat()", canvas), words)

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
        for canvas in self.find_all("canvas"):
            self.run_script("arguments[0].scrollIntoView()", canvas)
        self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), 360)

    def test_is_dark_where_the_reader_wants_it_and_light_on_paper(self):
        canvas = self.shown_plot("response_time")
        look = "return [getComputedStyle(document.body).backgroundColor, Chart.getChart(arguments[0]).data.datasets[0].borderColor]"
        light = self.run_script(look, canvas)
        self.media("screen", "dark")
        self.assertTrue(self.wait_for("return Chart.getChart(arguments[0]).data.datasets[0].borderColor !== arguments[1]", canvas, light[1]))
        self.assertNotEqual(self.run_script(look, canvas)[0], light[0])
        self.assertGreater(self.run_script(PIXELS, canvas), 40)
        self.media("print", "dark")
        self.assertEqual(self.run_script(look, canvas)[0], light[0])

    def test_prints_all_plots_and_no_controls(self):
        self.run_script("addEventListener('beforeprint', () => { window.on_paper = [...document.querySelectorAll('canvas')].map("
                        "(c) => Chart.getChart(c)?.data.datasets.length ?? 0); })")
        self.browser.execute_cdp_cmd("Page.printToPDF", {})
        drawn = self.run_script("return window.on_paper")
        self.assertEqual(len(drawn), len(self.find_all("canvas")))
        self.assertGreater(min(drawn), 0)
        self.media("print", "light")
        for selector in ("nav", ".controls", "#sections details:not([open])"):
            self.assertFalse(self.find(selector).is_displayed(), selector)

    def test_hides_no_series_that_the_reader_has_not_hidden_and_says_which_those_are(self):
        self.browser.get((self.many / "report.html").as_uri())
        canvas = self.shown_plot("response_time")
        visible = "const c = Chart.getChart(arguments[0]); return c.data.datasets.filter((s, n) => c.isDatasetVisible(n) && !s.label.startsWith('theory')).length"
        self.assertEqual(self.run_script(visible, canvas), 16)
        series = [b for b in self.find_all("#metric-response_time .legend button") if b.text.startswith("seed = ")]
        self.assertEqual([b.text for b in series], [f"seed = {n}" for n in range(1, 17)])
        self.assertNotIn("hidden", self.find("#metric-response_time .remarks").text)
        series[2].click()
        self.assertIn("1 of 16 series is hidden: seed = 3.", self.find("#metric-response_time .remarks").text)
        self.media("print", "light")
        self.assertTrue(self.find("#metric-response_time .remarks").is_displayed())
        self.assertIn("1 of 16 series is hidden: seed = 3.", self.find("#metric-response_time .remarks").text)

    def test_axes_include_every_interval_or_mark_where_they_cut_it(self):
        self.browser.get((self.many / "report.html").as_uri())
        ends = "const c = Chart.getChart(arguments[0]), { min, max, type } = c.scales.y; return [min, max, type," \
               "c.data.datasets.flatMap((s) => s.data.flatMap((p) => [p.low, p.high])).filter((end) => end !== null)]"
        for metric in ("response_time", "utilization", "jobs_in_system", "throughput"):
            canvas = self.shown_plot(metric)
            remarks = self.find(f"#metric-{metric} .remarks")
            for box in [None] + self.find_all(f"#metric-{metric} .controls input"):
                if box:
                    box.click()
                low, high, kind, stored = self.run_script(ends, canvas)
                beyond = [end for end in stored if not low <= end <= high]
                self.assertEqual([end for end in beyond if end > 0 or kind == "linear"], [], metric)
                self.assertEqual(bool(beyond), "\u25bc reaches to zero or below" in remarks.text, metric)
        self.assertTrue(any("\u25bc" in remarks.text for remarks in self.find_all(".remarks")))

    def test_marks_the_points_that_are_not_to_be_taken_as_they_stand(self):
        self.browser.get((self.many / "report.html").as_uri())
        canvas = self.shown_plot("response_time")
        notes = self.run_script("return Chart.getChart(arguments[0]).data.datasets.filter((s) => s.with_intervals)"
                                ".map((s) => s.data.map((p) => p.note))", canvas)
        stored = [r for r in read_table(self.many / "results.csv") if r["class"] == "all"]
        times = [r["note"] for r in stored if r["metric"] == "response_time"]
        self.assertEqual(notes, [times[at:at + 3] for at in range(0, 48, 3)])
        self.assertEqual({note[2] for note in notes}, {"biased; unstable"})
        self.assertIn("", times)
        self.assertIn("\u25ef biased, unstable: see the top of the page.", self.find("#metric-response_time .remarks").text)
        said = [line.text for line in self.find_all("#summary .note")]
        self.assertEqual(len(said), 2)
        for line, word, about in [(said[0], "biased", "more than a tenth"), (said[1], "unstable", "the arrival rate")]:
            points = list(dict.fromkeys(r["point"] for r in stored if word in r["note"]))
            self.assertTrue(line.startswith(f"{len(points)} of 48 points have estimates marked {word} ({', '.join(points)}): {about}"), line)
        canvas.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.assertIn("note: biased; unstable", self.find("#spoken").get_attribute("textContent"))

    def test_prints_the_notes(self):
        self.browser.get((self.many / "report.html").as_uri())
        self.run_script("dispatchEvent(new Event('beforeprint'))")
        self.media("print", "light")
        notes = self.find_all("#summary .notes li")
        self.assertGreater(len(notes), 15)
        self.assertTrue(notes[0].is_displayed())

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
        table = "#verdict table"
        heads = self.run_script("return [...document.querySelector(arguments[0]).tHead.rows[0].cells].map((c) => c.textContent.replaceAll('\\u200b', ''))", table)
        self.assertEqual(heads, ["arrivals.rate", "best", "fcfs", "first_fit"])
        rows = self.run_script("return [...document.querySelector(arguments[0]).tBodies[0].rows].map((row) => [...row.cells].map("
                               "(c) => [c.textContent, c.querySelector('.value')?.textContent, c.className]))", table)
        self.assertEqual([row[0][0] for row in rows], ["0.01", "0.1", "0.5", "0.9"])
        for rate, best, *places in rows:
            found = {policy: (value, place) for policy, (_, value, place) in zip(heads[2:], places)}
            self.assertEqual(found[best[0]][1], "place best")
            self.assertEqual(means[rate[0], best[0]], min(means[rate[0], policy] for policy in found))
            for policy, (value, _) in found.items():
                mean, half = map(float, value.split(" +- "))
                self.assertLessEqual(abs(mean - means[rate[0], policy]), half / 10)

    def test_parts_of_the_response_time_add_up_to_it(self):
        stored = read_table(self.out / "results.csv")
        for name in ["all", "second"]:
            self.run_script("const box = document.querySelector('#times select'); box.selectedIndex = [...box.options].findIndex("
                            "(o) => o.text === arguments[0]); box.dispatchEvent(new Event('change'))", name)
            means = [float(r["estimate"]) for r in stored if r["class"] == name and r["metric"] == "response_time"]
            lines = self.run_script("return [...document.querySelectorAll('#times .line')].map((line) => "
                                    "[line.querySelector('.sum').textContent, line.querySelector('.stack').ariaLabel, "
                                    "[...line.querySelectorAll('.stack span')].reduce((sum, part) => sum + parseFloat(part.style.width), 0)])")
            self.assertEqual(len(lines), len(means))
            for (total, words, width), mean in zip(lines, means):
                self.assertLess(abs(float(total) - mean), 1e-3 * mean)
                self.assertIn("time_running ", words)
                self.assertLess(abs(width - 100 * mean / max(means)), 0.1)

    def test_a_front_has_the_points_that_no_other_betters_in_both(self):
        canvas = self.find("#pareto canvas")
        self.run_script("arguments[0].scrollIntoView({ block: 'center' })", canvas)
        self.assertTrue(self.wait_for("return !!Chart.getChart(arguments[0])", canvas))
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
        sets = self.run_script("return Chart.getChart(arguments[0]).data.datasets.map((s) => [s.label, s.data.map((p) => [p.x, p.y])])", canvas)
        self.assertEqual(sorted(p for label, data in sets if label != "front" for p in data), sorted(map(list, pairs.values())))
        self.assertEqual(sorted(data for label, data in sets if label == "front"), sorted(fronts))

    def test_a_bar_is_as_long_as_its_value(self):
        lengths = self.run_script("""return [...document.querySelectorAll('#verdict table tbody tr')].map((row) =>
            [...row.querySelectorAll('.place')].map((cell) => [parseFloat(cell.querySelector('.value').textContent),
                cell.querySelector('.bar').getBoundingClientRect().width]))""")
        self.assertGreater(len(lengths), 4)
        for row in lengths:
            largest = max(value for value, _ in row)
            widest = max(width for _, width in row)
            for value, width in row:
                self.assertLess(abs(width / widest - value / largest), 0.06)

    def test_jobs_in_system_over_time_are_those_recorded(self):
        canvas = self.find("#presence canvas")
        self.run_script("arguments[0].scrollIntoView({ block: 'center' })", canvas)
        self.assertTrue(self.wait_for("return !!Chart.getChart(arguments[0])", canvas))
        stored = [r for r in read_table(self.out / "jobs_in_system.csv") if r["point"] == "0"]
        sets = self.run_script("return Chart.getChart(arguments[0]).data.datasets.map((s) => [s.label, s.data.map((p) => [p.x, p.y])])", canvas)
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
            for (const canvas of all("canvas")) demand(canvas.getAttribute("aria-label") || !Chart.getChart(canvas), "canvas");
            for (const canvas of all("canvas")) demand(canvas.textContent, "canvas without fallback");
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
