# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Headless Chromium: what a page asks the network for, what it complains of, and what axe-core finds in it."""

import importlib.util
import json
import shutil
from pathlib import Path

#: Name, width and height in pixels, colour scheme, medium.
VIEWS = [("desktop", 1280, 900, "light", ""), ("phone", 390, 844, "light", ""), ("dark", 1280, 900, "dark", ""), ("print", 794, 1123, "light", "print")]


def missing():
    """What has to be installed first; None where nothing has."""
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        return "chromium and chromium-driver are not installed: scripts/bootstrap"
    return None if importlib.util.find_spec("axe_core_python") else "axe-core is not installed: scripts/bootstrap"


class Browser:
    """Chromium, by its driver. Everything that leaves the page is recorded."""

    def __init__(self):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,900",
                         "--force-color-profile=srgb"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)

    def open(self, path, built="return document.readyState === 'complete'"):
        """Until a script says that the page is built."""
        from selenium.webdriver.support.ui import WebDriverWait
        self.driver.get_log("performance")
        self.driver.get("about:blank")
        self.driver.get(path.as_uri())
        self.loaded = self.js("return performance.getEntriesByType('navigation')[0].loadEventStart")
        WebDriverWait(self.driver, 60, 0.05).until(lambda driver: self.js(built), f"{path.name} does not come to an end")

    def wait_until_drawn(self):
        """What was asked for before the first frame is on the screen when the second one begins."""
        self.driver.execute_async_script("const done = arguments[0];"
                                         "requestAnimationFrame(() => requestAnimationFrame(() => done()));")

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def requests(self, path):
        """Addresses beside the page's own."""
        sent = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        urls = [m["params"]["request"]["url"] for m in sent if m["method"] == "Network.requestWillBeSent"]
        return [url for url in urls if url != path.as_uri() and not url.startswith(("data:", "about:"))]

    def complaints(self):
        return [f"console: {entry['message']}" for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def command(self, name, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)

    def resize(self, width, height, is_phone):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=is_phone)

    def views(self):
        """Name, width and height of one view after the other, in which the next page is opened."""
        for kind, width, height, scheme, media in VIEWS:
            self.resize(width, height, kind == "phone")
            self.command("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])
            yield kind, width, height
        self.command("Emulation.setEmulatedMedia", media="", features=[])
        self.command("Emulation.clearDeviceMetricsOverride")

    def pixels_beyond(self):
        """That one has to scroll sideways."""
        return max(0, self.js("return document.documentElement.scrollWidth - document.documentElement.clientWidth"))

    def barriers(self):
        """Serious findings of axe-core."""
        axe = (Path(importlib.util.find_spec("axe_core_python").origin).parent / "axe.min.js").read_text()
        # The page forbids foreign scripts; the driver may.
        self.js(axe + ";window.axe = axe;")
        self.driver.set_script_timeout(60)
        result = self.driver.execute_async_script("const done = arguments[arguments.length - 1]; axe.run().then(done, (e) => done({violations: [{impact: 'serious', id: String(e), nodes: []}]}));")
        return [f"{finding['id']} ({finding['impact']}): " + "; ".join(node["html"][:160] for node in finding["nodes"][:3])
                for finding in result["violations"] if finding["impact"] in ("serious", "critical")]
