"""Details of a point: cores at work, distribution of response times, utilisation and jobs over time."""

import re
import sqlite3
import unittest

from selenium.webdriver.common.action_chains import ActionChains
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

# Two classes of jobs that hold devices: those of a server, or of the cluster.
WITH_DEVICES = """
name = "{name}"
[platform.resources]
{resource}
[platform]
servers = [{{ name = "node", count = 2, cores = 4{of_server} }}]
[[classes]]
name = "whole"
{whole}
share = 0.5
size = {{ distribution = "exponential", mean = 1.0 }}
[[classes]]
name = "part"
{part}
share = 0.5
size = {{ distribution = "exponential", mean = 1.0 }}
[arrivals]
load = 0.5
[policy]
name = "first_fit"
[run]
jobs = 1000
replications = 2
"""

DEVICES = WITH_DEVICES.format(
    name="devices", resource='gpu = { kind = "devices", shares = 4 }', of_server=", resources = { gpu = 2 }",
    whole="per_task = { gpu = 2 }", part="per_task = { gpu = 0.25 }")

DEVICES_OF_THE_CLUSTER = WITH_DEVICES.format(
    name="devices_of_the_cluster", resource='fpga = { kind = "devices", of = "cluster", amount = 3, shares = 4 }',
    of_server="", whole="need = 2\nper_job = { fpga = 2 }", part="need = 1\nper_job = { fpga = 0.25 }")

# What is drawn of the cores: their class, and their place on the screen.
SLICES = """
return [...document.querySelectorAll('.cores rect.slice')].map((rect) => {
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
        self.assertTrue(self.wait_for("return [...document.querySelectorAll('#point .plot > svg')].length === 5"))
        for svg in self.find_all("#point .plot > svg"):
            self.run_script("arguments[0].scrollIntoView({ block: 'center' })", svg)
            self.assertTrue(self.wait_for("return arguments[0].querySelector('.panel, .slice, .busy')", svg))

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
        self.assertTrue(self.wait_for("return document.querySelector('.cores svg').getAttribute('aria-label')"
                                      ".includes(`point ${closely.point},`)"))

    def test_the_distribution_has_a_curve_for_each_policy_in_its_colour(self):
        self.show(4)
        svg = self.find_all("#point .plot > svg")[2]
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
        for svg, metric, names in ((3, "utilization", {"running": "all"}), (3, "overhead_share", {"overhead": "all"}),
                                   (4, "jobs_in_system", {"small": "small", "large": "large"})):
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
        self.assertEqual(servers, 40, "the whole cluster")
        last = max(slice["end"] for slice in drawn)
        jobs = {}
        for slice in drawn:
            self.assertLess(slice["row"] + slice["count"], 161)
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
        self.assertGreater(len(self.find_all(".cores rect.hatched")), 50, "each is set up")
        self.assertEqual([name.text for name in self.find_all(".cores text.up")][0], "node 1")

    def shares(self, table, point):
        """By bin: begin, end, and the share of busy cores of each row of servers."""
        return [(begin, end, [int(share) / 1000 for share in servers.split()]) for begin, end, servers in
                self.stored(f"SELECT begin, end, servers FROM {table} WHERE point = ? ORDER BY row", point)]

    def test_servers_over_time_have_the_shares_that_are_stored(self):
        self.show(2)
        for part, table in ((".heat", "bins"), (".cores", "window_bins")):
            busy, ends = self.run_script("const busy = arguments[0] ? data.pictures.servers[2] : data.pictures.cores[2].busy;"
                                         "return [busy.rows.map((row, at) => [...row].map((_, bin) => share_at(busy, at, bin))), ends_of(busy)]", part == ".heat")
            stored = self.shares(table, 2)
            self.assertEqual(len(busy), 40)
            rounding = (ends[-1] - ends[0]) / len(ends) / 100
            for row, cells in enumerate(busy):
                for at, share in enumerate(cells):
                    parts = [(end - begin, servers[row]) for begin, end, servers in stored
                             if ends[at] - rounding < begin and end < ends[at + 1] + rounding]
                    time = sum(lasts for lasts, _ in parts)
                    self.assertAlmostEqual(share, sum(lasts * value for lasts, value in parts) / time, delta=1 / 63, msg=(part, row, at))
        self.assertGreater(len(self.find_all(".heat path.busy")), 5)

    def test_one_comes_closer_to_servers_with_buttons_keys_and_mouse(self):
        self.show(2)
        seen = lambda part: self.run_script("return [...document.querySelectorAll(arguments[0] + ' text.up')].map((text) => text.textContent)", part)
        whole = seen(".heat")
        self.assertEqual(whole[0], "node 1")
        press = lambda name: self.run_script("arguments[0].click()", next(b for b in self.find_all(".heat .controls button") if b.text == name))
        press("Closer")
        self.assertEqual(seen(".heat")[0], "node 11")
        press("Up")
        self.assertEqual(seen(".heat")[0], "node 1")
        svg = self.find(".heat svg")
        svg.send_keys("+")
        self.assertEqual(seen(".heat")[0], "node 6")
        self.assertIn("node 6 to 15, ", svg.get_attribute("aria-label"))
        svg.send_keys(Keys.SHIFT, Keys.ARROW_DOWN)
        self.assertIn("node 11 to 20, ", svg.get_attribute("aria-label"))
        svg.send_keys("0")
        self.assertEqual(seen(".heat"), whole)
        svg.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
        self.assertRegex(self.find("#spoken").get_attribute("textContent"), r"^node 2, \S+ to \S+ s, \S+ % of the cores busy$")
        self.run_script("arguments[0].scrollIntoView({ block: 'center' })", svg)
        ActionChains(self.browser).move_to_element_with_offset(svg, 0, -40).click_and_hold().move_by_offset(100, 60).release().perform()
        self.assertLess(len(seen(".heat")), len(whole))


    def test_of_more_cores_than_have_room_servers_are_rows_and_slices_are_there_when_one_comes_closer(self):
        out = self.run_study("wide", SCENARIO.replace("count = 40, cores = 4", "count = 450, cores = 4"))
        self.open_report(out)
        self.show(1)
        self.assertEqual(self.find_all(".cores rect.slice"), [])
        self.assertEqual(self.find(".cores text.up").text, "node 1 to 6", "of so many points each has fewer rows")
        self.assertIn("All 1800 cores, a row for 6 of the 450 servers", self.find(".cores .about").text)
        self.run_script("arguments[0].click()", next(b for b in self.find_all(".cores .controls button") if b.text == "Slices"))
        self.assertGreater(len(self.find_all(".cores rect.slice")), 100)
        self.assertEqual(self.find(".cores text.up").text, "node 1")

    def test_devices_have_rows_behind_the_cores_of_their_server_with_the_jobs_that_hold_them(self):
        out = self.run_study("devices", DEVICES)
        self.open_report(out)
        self.run_script("show_point(0)")
        self.run_script("arguments[0].scrollIntoView({ block: 'center' })", self.find(".cores svg"))
        self.assertTrue(self.wait_for("return document.querySelector('.cores rect.slice')"))
        self.assertIn("Below its cores a server has a row for each of its devices", self.find(".cores .about").text)
        drawn = self.run_script(SLICES)
        with sqlite3.connect(out / "results.sqlite") as store:
            stored = {job: (server, devices) for job, server, devices in store.execute("SELECT job, server, devices FROM slices")}
        on_devices = {}
        for slice in drawn:
            server, row = divmod(slice["row"], 6)  # four cores, two devices
            self.assertEqual(server, stored[slice["job"]][0])
            if row >= 4:
                parts = on_devices.setdefault(slice["job"], [])
                parts += [f"{int(row - 4) + n}" + (f":{round(1000 * slice['count'])}" if slice["count"] < 1 else "")
                          for n in range(max(1, int(slice["count"])))]
        self.assertGreater(len(on_devices), 30)
        for job, parts in on_devices.items():
            self.assertEqual(" ".join(parts), stored[job][1], job)
        self.assertEqual({slice["job"] for slice in drawn if stored[slice["job"]][1]}, set(on_devices))
        # Each class has one hue, on cores and on devices.
        hues = self.run_script("return [...new Set([...document.querySelectorAll('.cores rect.slice')].map((rect) => "
                               "`${d3.select(rect).datum().name} ${getComputedStyle(rect).fill}`))]")
        self.assertEqual(sorted(hue.split()[0] for hue in hues), ["part", "whole"], hues)

    def test_devices_of_the_cluster_have_the_last_rows_wherever_one_looks(self):
        out = self.run_study("devices_of_the_cluster", DEVICES_OF_THE_CLUSTER)
        self.open_report(out)
        self.run_script("show_point(0)")
        svg = self.find(".cores svg")
        self.run_script("arguments[0].scrollIntoView({ block: 'center' })", svg)
        self.assertTrue(self.wait_for("return document.querySelector('.cores rect.slice')"))
        self.assertIn("Below all servers the cluster has a row for each of its devices, fpga 0 to fpga 2", self.find(".cores .about").text)
        with sqlite3.connect(out / "results.sqlite") as store:
            stored = dict(store.execute("SELECT job, devices FROM slices WHERE server = 2"))
        self.assertGreater(len(stored), 30)

        def drawn():
            return [slice for slice in self.run_script(SLICES) if slice["row"] >= 8]  # two servers of four cores

        on_devices = {}
        for slice in drawn():
            parts = on_devices.setdefault(slice["job"], [])
            parts += [f"{int(slice['row'] - 8) + n}" + (f":{round(1000 * slice['count'])}" if slice["count"] < 1 else "")
                      for n in range(max(1, int(slice["count"])))]
        self.assertEqual({job: " ".join(parts) for job, parts in on_devices.items()}, {job: stored[job] for job in on_devices})
        self.assertGreater(len(on_devices), 30)
        names = [text.text for text in self.find_all(".cores text.up")]
        self.assertEqual(names, ["node 1", "node 2", "cluster"])
        edges = self.run_script("return [...document.querySelectorAll('.cores rect.slice')].map((rect) => [d3.select(rect).datum().row >= 8, "
                                "rect.y.baseVal.value, rect.y.baseVal.value + rect.height.baseVal.value])")
        self.assertGreaterEqual(min(top for below, top, _ in edges if below), max(bottom for below, _, bottom in edges if not below))
        jobs = {slice["job"] for slice in drawn()}
        svg.send_keys("+")  # one of the two servers, and half of the time
        self.assertEqual([text.text for text in self.find_all(".cores text.up")][1:], ["cluster"])
        closer = {slice["job"] for slice in drawn()}
        self.assertGreater(len(closer), 10)
        self.assertLess(closer, jobs)

    def test_the_longest_waits_are_those_that_are_stored(self):
        self.show(3)
        stored = self.stored("SELECT job, class, arrival, wait, row FROM waits WHERE point = 3 ORDER BY row")
        self.assertEqual(len(stored), 10)
        rows = self.rows("#point table.waits")
        for (job, name, _, wait, row), shown in zip(stored, rows):
            self.assertEqual(shown[:2], [str(job), name])
            self.assertAlmostEqual(float(shown[3]), wait, delta=1e-3 * wait)
            for of_class, share in self.stored("SELECT class, share FROM running_in_waits WHERE point = 3 AND wait = ?", row):
                told = re.search(rf"{of_class} (\S+) %", shown[4])
                self.assertAlmostEqual(float(told[1]) if told else 0.0, 100 * share, delta=0.6)

    def test_keys_and_pointer_tell_what_a_bar_is(self):
        self.show(0)
        svg = self.find(".cores svg")
        svg.send_keys(Keys.ARROW_RIGHT)
        spoken = self.find("#spoken").get_attribute("textContent")
        first = self.run_script(SLICES)[0]
        self.assertTrue(spoken.startswith(f"job {first['job']}, {first['name']}, "), spoken)
        self.assertEqual(self.find(".cores .tip").is_displayed(), True)

    def test_the_pictures_are_on_paper_too(self):
        self.run_script("dispatchEvent(new Event('beforeprint'))")
        drawn = self.run_script("return [...document.querySelectorAll('#point .plot > svg')].map((svg) => svg.querySelectorAll('.line, .slice, .busy').length)")
        self.run_script("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(len(drawn), 5)
        self.assertTrue(all(drawn), drawn)


if __name__ == "__main__":
    unittest.main()
