"""The page of `muster gallery` as a reader has it, in Chromium. MUSTER and MUSTER_CHROMEDRIVER name the programs."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import chromium

HOSTILE = '</p><script>window.taken = 1</script> "quoted" & %41#'

SCENARIO = """
name = "%s"
about = '''%s'''
[platform]
servers = [{ name = "node", cores = 2 }]
[[classes]]
name = "narrow"
need = 1
share = 0.7
size = { distribution = "exponential", mean = 1.0 }
[[classes]]
name = "wide"
need = 2
share = 0.3
size = { distribution = "exponential", mean = 1.0 }
[policy]
name = "fcfs"
[run]
jobs = 2000
replications = 10
[sweep]
policy = [{ name = "fcfs" }, { name = "first_fit" }]
"arrivals.rate" = [0.2, 0.6]
"""


class GalleryTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.top = pathlib.Path(folder.name)
        for name, about in (("first", HOSTILE), ("second", "What the second is for")):
            (cls.top / "study.toml").write_text(SCENARIO % (name, about), encoding="utf-8")
            cls.muster("run", "study.toml", "--quiet", "--out", f"results/{name} #1")
        cls.muster("gallery")
        cls.browser = chromium()
        cls.addClassCleanup(cls.browser.quit)

    @classmethod
    def muster(cls, *words):
        return subprocess.run([os.environ["MUSTER"], *words], cwd=cls.top, check=True, capture_output=True)

    def setUp(self):
        self.device(1280, 900)
        self.emulate("", "light")
        self.browser.get_log("browser")
        self.browser.get((self.top / "results/gallery.html").as_uri())

    def tearDown(self):
        self.assertEqual([entry["message"] for entry in self.browser.get_log("browser")], [], "the console is empty")

    def device(self, width, height):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def emulate(self, media, scheme):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def run_script(self, script):
        return self.browser.execute_script(script)

    def texts(self, selector):
        return [e.text for e in self.browser.find_elements(By.CSS_SELECTOR, selector)]

    def test_every_study_has_name_purpose_verdict_and_picture(self):
        self.assertEqual(self.texts("article h2"), ["first", "second"])
        self.assertEqual(self.texts("article .about"), [HOSTILE, "What the second is for"])
        self.assertIsNone(self.run_script("return window.taken ?? null"))
        self.assertEqual(self.texts("article .count"), [f"4 points in results/{name} #1" for name in ("first", "second")])
        for verdict in self.texts("article li:first-child"):
            self.assertRegex(verdict, r"response_time at arrivals.rate = 0.6: \S+ is best")
        widths = self.run_script("return [...document.images].map((image) => [image.complete, image.naturalWidth,"
                                 "image.alt])")
        self.assertEqual(widths, [[True, 760, f"{name}: response_time"] for name in ("first", "second")])

    def test_links_lead_to_the_reports(self):
        for name in ("first", "second"):
            links = [e for e in self.browser.find_elements(By.CSS_SELECTOR, "article a")
                     if e.get_attribute("href") == (self.top / f"results/{name} #1/report.html").as_uri()]
            self.assertEqual(len(links), 2, "heading and picture")
        self.browser.find_element(By.CSS_SELECTOR, "article h2 a").click()
        self.assertEqual(self.texts("h1"), ["first"])

    def test_works_by_keyboard(self):
        body = self.browser.find_element(By.TAG_NAME, "body")
        body.send_keys(Keys.TAB)
        visited = []
        for _ in range(7):
            active = self.browser.switch_to.active_element
            visited.append(active.get_attribute("href").split("/")[-1])
            self.assertNotEqual(active.value_of_css_property("outline-style"), "none")
            active.send_keys(Keys.TAB)
        self.assertEqual(visited, ["gallery.html#studies", "gallery.html#study-0", "gallery.html#study-1",
                                   "report.html", "report.html", "report.html", "report.html"])
        self.run_script("document.querySelector('nav a[href=\"#study-1\"]').focus()")
        self.browser.switch_to.active_element.send_keys(Keys.ENTER)
        self.assertEqual(self.run_script("return document.querySelector(':target h2').textContent"), "second")

    def test_fits_a_phone(self):
        self.device(360, 740)
        self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), 360)
        self.assertTrue(self.run_script("return [...document.images].every((i) => i.getBoundingClientRect().right <= 360)"))

    def test_is_dark_where_the_reader_wants_that_and_light_on_paper(self):
        background = "return getComputedStyle(document.body).backgroundColor"
        light = self.run_script(background)
        self.emulate("", "dark")
        self.assertNotEqual(self.run_script(background), light)
        self.emulate("print", "dark")
        self.assertEqual(self.run_script(background), light)
        self.assertFalse(self.browser.find_element(By.TAG_NAME, "nav").is_displayed())
        self.assertTrue(self.run_script("return [...document.images].every((i) => i.getBoundingClientRect().width > 300)"))

    def test_loads_nothing_but_itself(self):
        self.assertEqual(self.run_script("return performance.getEntriesByType('resource').map((r) => r.name)"
                                         ".filter((name) => !name.startsWith('data:'))"), [])


if __name__ == "__main__":
    unittest.main()
