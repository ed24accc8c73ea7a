"""Reports in Chromium, driven over WebDriver. MUSTER and MUSTER_CHROMEDRIVER name the programs."""

import csv
import os
import pathlib
import subprocess
import tempfile
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common import utils
from selenium.webdriver.common.by import By

# What an svg element shows, and the sets of its panels.
DRAWING = "const drawing = d3.select(arguments[0]).datum(), sets = drawing?.shown.panels.flatMap((panel) => panel.sets);"

# A plot is drawn if a picture of it has pixels of the colours of its series, up to the smoothing of thin lines.
PIXELS = """
const [svg, png, done] = arguments;
const wanted = [...svg.querySelectorAll(".set")].map((set) => getComputedStyle(set).stroke.match(/\\d+/g).map(Number));
const image = new Image();
image.onload = () => {
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  let found = 0;
  for (let i = 0; i < data.length; i += 4) found += wanted.some((colour) => colour.every((c, at) => Math.abs(c - data[i + at]) < 24));
  done(found);
};
image.src = `data:image/png;base64,${png}`;
"""


def read_table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class LoopbackService(Service):
    """Chromium's driver, reached by address: a bare system has no /etc/hosts that would know `localhost`."""

    @property
    def service_url(self):
        return f"http://127.0.0.1:{self.port}"

    def is_connectable(self):
        return utils.is_connectable(self.port, "127.0.0.1")


def chromium():
    """Without a screen; logs the console and what is loaded."""
    options = Options()
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--remote-debugging-pipe"):  # nor does the driver look `localhost` up for the browser
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=LoopbackService(os.environ["MUSTER_CHROMEDRIVER"]), options=options)


class PageInBrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.top = pathlib.Path(folder.name)
        cls.browser = chromium()
        cls.addClassCleanup(cls.browser.quit)

    @classmethod
    def run_study(cls, name, scenario, *options):
        """The results directory."""
        (cls.top / f"{name}.toml").write_text(scenario, encoding="utf-8")
        out = cls.top / name
        subprocess.run([os.environ["MUSTER"], "run", cls.top / f"{name}.toml", "--quiet", "--out", out, *options], check=True,
                       capture_output=True)
        return out

    def open_report(self, out):
        self.browser.get((out / "report.html").as_uri())

    def setUp(self):
        self.screen(1280, 900)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
        self.logs("browser")
        self.logs("performance")

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
        return self.shown(f"#metric-{metric}")

    def shown(self, section):
        svg = self.find(f"{section} .plot > svg")
        self.run_script("arguments[0].scrollIntoView({ block: 'center' })", svg)
        self.assertTrue(self.wait_for("return !!d3.select(arguments[0]).datum()", svg))
        return svg

    def coloured_pixels(self, svg):
        return self.browser.execute_async_script(PIXELS, svg, svg.screenshot_as_base64)

    def open_tables(self):
        self.run_script("for (const d of document.querySelectorAll('details')) d.open = true")
        self.assertTrue(self.wait_for(
            "return [...document.querySelectorAll('#sections details:not(#verdict *)')].every((d) => d.querySelector('table'))"))

    def rows(self, selector):
        return self.run_script("return [...document.querySelectorAll(arguments[0] + ' tbody tr')].map("
                               "(row) => [...row.children].map((cell) => cell.textContent))", selector)
