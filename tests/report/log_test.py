"""What the page draws of a log: a Gantt of the whole of it, queue and use over time, slowdown by need and run time."""

import csv
import math
import random
import re
import sqlite3
import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import DRAWING, PageInBrowser

SCENARIO = """
name = "days"
[platform]
servers = [{ name = "node", count = 16, cores = 8 }]
[arrivals]
process = "log"
file = "log.swf"
[run]
replications = 1
[sweep]
policy = ["fcfs", "easy_backfill"]
"""

HOUR, DAY = 3600, 86400
LIMITS = (60, 600, HOUR, 6 * HOUR, DAY)
JOBS = 3000
START = 1704096000  # Monday, 2024-01-01 08:00 UTC


def log_of_weeks():
    """A made-up log of some weeks, from a Monday on."""
    draw = random.Random(11)
    lines, at = [f"; UnixStartTime: {START}", "; MaxProcs: 128"], 0
    for number in range(1, JOBS + 1):
        run = min(3 * DAY, max(1, round(draw.lognormvariate(6.5, 2))))
        cores = 2 ** draw.choice((0, 0, 1, 2, 3, 4, 5, 6, 7))
        lines.append(f"{number} {at} -1 {run} {cores} -1 -1 {cores} {2 * run} -1 1 {number % 7} 1 -1 -1 -1 -1 -1")
        at += round(draw.expovariate(1 / 1200))
    return "\n".join(lines) + "\n"


class LogTest(PageInBrowser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.top / "log.swf").write_text(log_of_weeks(), encoding="utf-8")
        cls.out = cls.run_study("days", SCENARIO, "--trace", "jobs")
        cls.jobs = []
        for point in (0, 1):
            with open(cls.out / f"jobs_{point}.csv", newline="", encoding="utf-8") as file:
                cls.jobs.append([{"cores": int(re.match(r"\d+", row["class"])[0]), "class": row["class"],
                                  **{key: float(row[key]) for key in ("arrival", "started", "completed", "response", "waiting")}}
                                 for row in csv.DictReader(file)])

    def setUp(self):
        super().setUp()
        self.open_report(self.out)

    def part(self, selector, mark):
        svg = self.find(f"{selector} .plot > svg")
        self.run_script("arguments[0].scrollIntoView({ block: 'center' })", svg)
        self.assertTrue(self.wait_for("return arguments[0].querySelector(arguments[1])", svg, mark))
        return svg

    def view(self):
        """The times that the Gantt shows, in seconds, and its servers, as it tells them."""
        label = self.find(".cores svg").get_attribute("aria-label")
        found = re.search(r": (node [^,]*), (\S+ \S+) to (\S+ \S+): (\d+) bars", label)
        self.assertIsNotNone(found, label)
        time = lambda text: self.run_script("return Date.parse(arguments[0].replace(' ', 'T') + 'Z') / 1000", text) - START
        return time(found[2]), time(found[3]), found[1], int(found[4])

    def settle(self):
        self.browser.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))")

    def test_the_slowdowns_by_need_and_run_time_are_those_of_the_jobs(self):
        self.assertEqual([caption.text for caption in self.find_all("figure.matrix figcaption")], ["fcfs", "easy_backfill"])
        tables = self.run_script("return [...document.querySelectorAll('table.slowdowns')].map((table) => [...table.rows].map((row) => "
                                 "[...row.cells].map((cell) => [cell.querySelector('.value')?.textContent ?? cell.textContent, cell.title])))")
        runs = ["< 1 min", "< 10 min", "< 1 h", "< 6 h", "< 24 h", "24 h and more"]
        for jobs, table in zip(self.jobs, tables):
            expected = {}
            for job in jobs:
                run = job["response"] - job["waiting"]
                need = 2 ** math.ceil(math.log2(job["cores"]))
                at = need, sum(run >= limit for limit in LIMITS)
                expected.setdefault(at, []).append(max(1.0, job["response"] / max(run, 10.0)))
            self.assertEqual([text for text, _ in table[0]][1:], runs)
            needs = [text for (text, _), *_ in table[1:]]
            self.assertEqual(needs, ["65-128", "33-64", "17-32", "9-16", "5-8", "3-4", "2", "1"])
            for need, (_, *cells) in zip((128, 64, 32, 16, 8, 4, 2, 1), table[1:]):
                for at, (text, title) in enumerate(cells):
                    slowdowns = expected.get((need, at))
                    if slowdowns is None:
                        self.assertEqual(text, "-")
                        continue
                    mean = sum(slowdowns) / len(slowdowns)
                    self.assertLessEqual(abs(float(text) - mean), 0.006 * mean, (need, at))
                    self.assertRegex(title, rf" of {len(slowdowns)} jobs?$")

    def test_queue_and_use_are_those_of_the_jobs(self):
        self.run_script("show_point(1)")
        for title, label, (begin, end), axis in (("Use over time", "in use", ("started", "completed"), "cores in use, of 128"),
                                                 ("Queue over time", "asked for by jobs that wait", ("arrival", "started"), "cores asked for")):
            svg = next(svg for svg in self.find_all("#point .plot > svg") if svg.find_element("xpath", "../..").text.startswith(title))
            self.run_script("arguments[0].scrollIntoView({ block: 'center' })", svg)
            self.assertTrue(self.wait_for("return arguments[0].querySelector('.area')", svg))
            (found, points), = self.run_script(DRAWING + "return sets.map(({ label, points }) => [label, points.map(({ x, y }) => [x, y])])", svg)
            self.assertEqual(found, label)
            self.assertGreater(len(points), 500)
            for (from_, _), (until, shown) in list(zip(points, points[1:]))[::7]:
                mean = sum(job["cores"] * max(0.0, min(until, job[end]) - max(from_, job[begin])) for job in self.jobs[1]) / (until - from_)
                self.assertAlmostEqual(shown, mean, delta=1e-3 * mean + 1e-6, msg=(label, from_))
            names = [text.text for text in svg.find_elements("css selector", "text.name")]
            self.assertEqual(names, [axis, "time (UTC), point 1"])
            self.assertRegex(svg.find_element("css selector", "text.across").text, r"^2024-01-\d\d$")
            self.assertIn(f"Plot of {axis} over time", svg.get_attribute("aria-label"))

    def test_the_gantt_has_every_job_of_the_log_at_its_time(self):
        self.part(".cores", "canvas")
        begin, end, servers, bars = self.view()
        last = max(job["completed"] for job in self.jobs[0])
        self.assertEqual((begin, servers), (0, "node 1 to 16"))
        self.assertLess(abs(end - last), 90)
        self.assertGreaterEqual(bars, JOBS)
        self.assertIn("The whole log", self.find(".cores .about").text)
        drawn = self.run_script("const by_job = {}; for (const { job, name, begin, end, count } of slices_of(data.pictures.cores[0]))"
                                "(by_job[job] ??= []).push([name, begin, end, count]); return by_job;")
        self.assertEqual(len(drawn), JOBS)
        with sqlite3.connect(self.out / "results.sqlite") as store:
            self.assertEqual(store.execute("SELECT count(*) FROM slices").fetchone(), (0,), "they are packed")
        wanted = {}
        with open(self.out / "jobs_0.csv", newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                wanted[row["id"]] = row["class"], float(row["started"]), float(row["completed"])
        for job, (name, started, completed) in wanted.items():
            self.assertEqual({bar[0] for bar in drawn[job]}, {name})
            self.assertEqual(sum(bar[3] for bar in drawn[job]), int(re.match(r"\d+", name)[0]))
            for _, begun, ended, _ in drawn[job]:
                self.assertLess(abs(begun - started) + abs(ended - completed), 20, job)  # a step is some seconds

    def test_wheel_drag_keys_and_buttons_change_what_the_gantt_shows(self):
        svg = self.part(".cores", "canvas")
        whole = self.view()
        # Where all is shown, the wheel away from it leaves the page to scroll.
        turn = lambda delta: self.run_script(
            "const { left, top, width, height } = arguments[0].getBoundingClientRect(); const event = new WheelEvent('wheel', { deltaY: arguments[1],"
            "clientX: left + width / 2, clientY: top + height / 3, bubbles: true, cancelable: true }); scrolled_at = -Infinity;"
            "arguments[0].dispatchEvent(event); return event.defaultPrevented", svg, delta)
        self.assertFalse(turn(100))
        self.assertTrue(turn(-1000))
        self.settle()
        closer = self.view()
        self.assertAlmostEqual((closer[1] - closer[0]) / (whole[1] - whole[0]), 1 / 16, delta=0.005)
        self.assertEqual(closer[2], whole[2], "the wheel zooms the time")
        self.assertLess(closer[3], whole[3])
        middle = sum(whole[:2]) / 2
        self.assertTrue(closer[0] < middle < closer[1])
        ActionChains(self.browser).move_to_element_with_offset(svg, 0, -40).click_and_hold().move_by_offset(150, 0).release().perform()
        self.settle()
        moved = self.view()
        self.assertLess(moved[0], closer[0] - 0.05 * (closer[1] - closer[0]), "dragging to the right leads to what was before")
        self.assertAlmostEqual(moved[1] - moved[0], closer[1] - closer[0], delta=130)
        svg.send_keys(Keys.SHIFT, Keys.ARROW_RIGHT)
        self.assertGreater(self.view()[0], moved[0])
        svg.send_keys("+")
        self.assertRegex(self.view()[2], r"^node 5 to 12$")
        self.run_script("arguments[0].click()", next(b for b in self.find_all(".cores .controls button") if b.text == "All"))
        self.assertEqual(self.view(), whole)
        # A frame, where there is nothing to move.
        ActionChains(self.browser).move_to_element_with_offset(svg, 0, -40).click_and_hold().move_by_offset(100, 60).release().perform()
        self.settle()
        framed = self.view()
        self.assertLess(framed[1] - framed[0], 0.2 * (whole[1] - whole[0]))
        self.assertNotEqual(framed[2], whole[2])
        svg.send_keys(*"+" * 8)
        self.assertTrue(self.wait_for("return !document.querySelector('.cores canvas')"), "few bars are elements")

    def test_bars_on_the_canvas_have_colours_and_tell_what_they_are(self):
        svg = self.part(".cores", "canvas")
        painted = self.run_script("""
            const canvas = document.querySelector('.cores canvas'), { data: pixels } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            let opaque = 0;
            for (let at = 3; at < pixels.length; at += 4) opaque += pixels[at] > 200;
            return opaque / (canvas.width * canvas.height);""")
        self.assertGreater(painted, 0.1)
        svg.send_keys(Keys.ARROW_RIGHT)
        spoken = self.find("#spoken").get_attribute("textContent")
        self.assertRegex(spoken, r"^job 0, \d+_cores?, 2024-01-01 08:00 to 2024-01-\d\d \d\d:\d\d, \d+ cores?$")
        self.assertGreaterEqual(len(self.find_all(".cores rect.marked")), 1)

    def test_servers_over_time_are_the_use_of_the_jobs(self):
        self.part(".heat", ".busy")
        busy, ends = self.run_script("const { busy } = data.pictures.cores[0]; return [busy.rows.map((row, at) => [...row].map((_, bin) => "
                                     "share_at(busy, at, bin))), ends_of(busy)]")
        self.assertEqual(len(busy), 16)
        self.assertGreater(len(ends), 500)
        for at in range(0, len(ends) - 1, 9):
            mean = sum(job["cores"] * max(0.0, min(ends[at + 1], job["completed"]) - max(ends[at], job["started"])) for job in self.jobs[0])
            mean /= 128 * (ends[at + 1] - ends[at])
            self.assertAlmostEqual(sum(row[at] for row in busy) / 16, mean, delta=0.01)
        self.assertIn("over the whole log", self.find(".heat .about").text)

    def test_the_views_of_a_log_are_on_paper_and_the_page_is_small(self):
        self.run_script("dispatchEvent(new Event('beforeprint'))")
        drawn = self.run_script("return [...document.querySelectorAll('#point .plot > svg')].map((svg) => svg.querySelectorAll('.line, .slices, .busy').length)")
        self.run_script("dispatchEvent(new Event('afterprint'))")
        self.assertTrue(all(drawn), drawn)
        self.assertLess((self.out / "report.html").stat().st_size, 1_500_000)
        self.screen(390, 800)
        self.part(".cores", "canvas")
        self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), 390)


if __name__ == "__main__":
    unittest.main()
