"""A point closely: cores at work, distribution of response times, utilisation and jobs over time."""

import sqlite3
import unittest

from selenium.webdriver.common.keys import Keys

from browser import DRAWING, PageInBrowser

SCENARIO = """
name = "close"
[platform]
servers = [{ name = "node", count = 40, cores = 4 }]
costs = { set_up = 0.2 }
[[classes]]
name = "small"
need = 1
share = 0.9
size = { distribution = "exponential", mean = 1.0 }
[[classes]]
name = "large"
need = 6
share = 0.1
size = { distribution = "exponential", mean = 2.0 }
[arrivals]
load = 0.5
[run]
jobs = 4000
replications = 3
[sweep]
"arrivals.load" = [0.3, 0.6]
policy = ["fcfs", "first_fit", "msf"]
"""

# What is drawn of the cores: their class, and their place on the screen.
SLICES = """
return [...document.querySelectorAll('.gantt rect.slice')].map((rect) => {
  const { name, begin, end, row, count, job } = d3.select(rect).datum();
  return { name, begin, end, row, count, job, left: rect.x.baseVal.value, right: rect.x.baseVal.value + rect.width.baseVal.value };
});
"""


class PointTest(PageInBrowser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.out = cls.run_study("close", SCENARIO)
        cls.store = sqlite3.connect(cls.out / "results.sqlite")
        cls.addClassCleanup(cls.store.close)

    def setUp(self):
        super().setUp()
        self.open_report(self.out)

    def show(self, point):
        self.run_script("show_point(arguments[0])", point)
        self.assertTrue(self.wait_for("return [...document.querySelectorAll('#point .plot > svg')].length === 4"))
        for svg in self.find_all("#point .plot > svg"):
            self.run_script("arguments[0].scrollIntoView({ block: 'center' })", svg)
            self.assertTrue(self.wait_for("return arguments[0].querySelector('.panel, .slice')", svg))

    def stored(self, query, *values):
        return self.store.execute(query, values).fetchall()

    def test_a_click_or_enter_on_a_point_of_a_plot_leads_to_its_pictures(self):
        plot = self.shown_plot("response_time")
        plot.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER)
        chosen = self.run_script("return closely.point")
        self.assertNotEqual(chosen, 0)
        self.assertEqual(self.find("#point select").get_attribute("value"), str(chosen))
        self.assertTrue(self.wait_for("return document.querySelector('#point').getBoundingClientRect().top < innerHeight / 2"))
        self.assertEqual(self.run_script("return document.activeElement.closest('section').id"), "point")
        self.assertTrue(self.wait_for("return document.querySelector('.gantt svg').getAttribute('aria-label')"
                                      ".includes(`point ${closely.point},`)"))

    def test_the_distribution_has_a_curve_for_each_policy_in_its_colour(self):
        self.show(4)
        svg = self.find_all("#point .plot > svg")[1]
        sets = self.run_script(DRAWING + "return sets.map(({ label, points }) => [label, points.map(({ x, y }) => [y, x])])", svg)
        with_same_load = self.stored("SELECT value FROM points WHERE key = 'arrivals.load' AND point = 4")[0][0]
        alike = self.stored("SELECT p.point, p.value FROM points p JOIN points l ON l.point = p.point WHERE p.key = 'policy' "
                            "AND l.key = 'arrivals.load' AND l.value = ? ORDER BY 1", with_same_load)
        self.assertEqual([label for label, _ in sets], [policy for _, policy in alike])
        for (point, _), (_, curve) in zip(alike, sets):
            quantiles = dict(self.stored("SELECT share, time FROM response_quantiles WHERE point = ? AND class = 'all'", point))
            self.assertGreater(len(curve), 30)
            for share, time in curve:
                self.assertLess(abs(time - quantiles[share]), 1e-3 * quantiles[share])
            for metric, share in (("response_time_p50", 0.5), ("response_time_p95", 0.95), ("response_time_p99", 0.99)):
                known, = self.stored("SELECT estimate FROM estimates WHERE point = ? AND class = 'all' AND metric = ?", point, metric)[0]
                self.assertLess(abs(dict(curve)[share] - known), known / 16)
        self.assertGreater(self.coloured_pixels(svg), 300)

    def test_the_parts_over_time_have_the_means_of_the_run(self):
        self.show(3)
        for svg, metric, names in ((2, "utilization", {"running": "all"}), (2, "overhead_share", {"overhead": "all"}),
                                   (3, "jobs_in_system", {"small": "small", "large": "large"})):
            sets = self.run_script(DRAWING + "return sets.map(({ label, points }) => [label, points.map(({ x, y }) => [x, y])])",
                                   self.find_all("#point .plot > svg")[svg])
            for label, points in sets:
                if label not in names:
                    continue
                parts = [(b[0] - a[0], b[1]) for a, b in zip(points, points[1:])]
                mean = sum(lasts * value for lasts, value in parts) / sum(lasts for lasts, _ in parts)
                known, = self.stored("SELECT value FROM measurements WHERE point = 3 AND replication = 0 AND metric = ? AND class = ?",
                                     metric, names[label])[0]
                self.assertLess(abs(mean - known), 0.01 * known, (metric, label))
                names = {name: of for name, of in names.items() if name != label}
            self.assertEqual(names, {}, metric)

    def test_the_cores_have_the_slices_that_are_stored_and_none_over_another(self):
        self.show(5)
        drawn = self.run_script(SLICES)
        begin, end, servers = self.stored("SELECT begin, end, servers FROM windows WHERE point = 5")[0]
        self.assertEqual(servers, 32, "those with 128 cores together")
        last = max(slice["end"] for slice in drawn)
        jobs = {}
        for slice in drawn:
            self.assertLess(slice["row"] + slice["count"], 129)
            key = slice["job"], slice["name"], slice["row"] // 4
            jobs[key] = jobs.get(key, 0) + slice["count"]
        wanted = {}
        for server, name, job, count, begun in self.stored("SELECT server, class, job, count, begun FROM slices WHERE point = 5"):
            if begun < last - (last - begin) / 1000:
                wanted[job, name, server] = wanted.get((job, name, server), 0) + count
        self.assertGreater(len(wanted), 100)
        for key, count in wanted.items():
            self.assertEqual(jobs.get(key), count, key)
        for a in drawn:
            for b in drawn:
                if a is not b and a["row"] < b["row"] + b["count"] and b["row"] < a["row"] + a["count"]:
                    self.assertTrue(a["right"] <= b["left"] + 1 or b["right"] <= a["left"] + 1, (a, b))
        self.assertGreater(len(self.find_all(".gantt rect.hatched")), 50, "each is set up")
        self.assertIn("the 128 cores of the first 32 of 40 servers", self.find("#point .part .about").text)

    def test_keys_and_pointer_tell_what_a_bar_is(self):
        self.show(0)
        svg = self.find(".gantt svg")
        svg.send_keys(Keys.ARROW_RIGHT)
        spoken = self.find("#spoken").get_attribute("textContent")
        first = self.run_script(SLICES)[0]
        self.assertTrue(spoken.startswith(f"job {first['job']}, {first['name']}, "), spoken)
        self.assertEqual(self.find(".gantt .tip").is_displayed(), True)

    def test_the_pictures_are_on_paper_too(self):
        self.run_script("dispatchEvent(new Event('beforeprint'))")
        drawn = self.run_script("return [...document.querySelectorAll('#point .plot > svg')].map((svg) => svg.querySelectorAll('.line, .slice').length)")
        self.run_script("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(len(drawn), 4)
        self.assertTrue(all(drawn), drawn)


if __name__ == "__main__":
    unittest.main()
