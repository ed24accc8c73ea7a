"""Chromium without a screen, driven over WebDriver; MUSTER_CHROMEDRIVER names the driver."""

import os

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common import utils


class LoopbackService(Service):
    """Chromium's driver, reached by address: a bare system has no /etc/hosts that would know `localhost`."""

    @property
    def service_url(self):
        return f"http://127.0.0.1:{self.port}"

    def is_connectable(self):
        return utils.is_connectable(self.port, "127.0.0.1")


def chromium():
    """Logs the console and what is loaded."""
    options = Options()
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--remote-debugging-pipe"):  # nor does the driver look `localhost` up for the browser
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=LoopbackService(os.environ["MUSTER_CHROMEDRIVER"]), options=options)
