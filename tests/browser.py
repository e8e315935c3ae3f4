"""A browser to look at letters and pages with: Chromium without a window, spoken to through a pipe. For `make pictures`."""

from __future__ import annotations

import base64
import itertools
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import F_DUPFD, fcntl
from pathlib import Path
from typing import Any

_SPOT = """(elements) => {
  const parts = [0.5, 0.3, 0.7, 0.15, 0.85, 0.4, 0.6, 0.05, 0.95];
  const innermost = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    while (hit?.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    return hit;
  };
  for (const element of elements) {
    if (!element) continue;
    element.scrollIntoView({ block: "center", inline: "center" });
    const box = element.getBoundingClientRect();
    for (const down of parts)
      for (const right of parts) {
        const [x, y] = [box.left + box.width * right, box.top + box.height * down];
        const hit = innermost(x, y);
        if (hit && (element.contains(hit) || (hit.dataset?.place && hit.dataset.place === element.dataset.place))) return [x, y];
      }
  }
  return null;
}"""

_ROLES = ("link", "button", "image", "img", "slider")
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


class Browser:
    """One page, shown as wide and as dark as is asked for."""

    def __init__(self, folder: Path, program: str) -> None:
        heard, tells = os.pipe()
        hears, told = os.pipe()
        flags = ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe")

        def wire() -> None:
            """What is said comes in by 3 and goes out by 4, whatever the pipes' own numbers are."""
            ends = [fcntl(end, F_DUPFD, 10) for end in (heard, told)]
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self._process = subprocess.Popen(
            [program, *flags, f"--user-data-dir={folder}", "about:blank"],
            pass_fds=(3, 4),
            preexec_fn=wire,
            stderr=subprocess.DEVNULL,
        )
        self.process = self._process.pid
        os.close(heard)
        os.close(told)
        self._tells, self._hears = os.fdopen(tells, "wb", buffering=0), os.fdopen(hears, "rb")
        self._numbers, self._rest, self._session = itertools.count(1), b"", ""
        self._folder = folder
        self.told: list[dict[str, Any]] = []
        pages = self._call("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in pages if target["type"] == "page")
        self._session = self._call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        self._call("Page.enable")

    def shot(self, html: str, width: int, dark: bool, tallest: int = 4_000, begins: str = "") -> bytes:
        """The page as PNG, as tall as it is up to a limit, from the top or from the first element that a selector finds."""
        self.show(html, width, dark)
        top = self.ask(f"document.querySelector({json.dumps(begins)}).getBoundingClientRect().top") if begins else 0
        return self.picture(width, tallest, top)

    def watch(self, *domains: str) -> None:
        """Be told from now on what is asked for, and what a page says or may not do; or some of that alone."""
        for domain in domains or ("Network", "Log", "Runtime", "Accessibility"):
            self._call(f"{domain}.enable")

    def names(self) -> list[tuple[str, str]]:
        """What a screen reader calls each link, button, picture and slider of the page: its role and its name."""
        nodes = self._call("Accessibility.getFullAXTree")["nodes"]
        shown = [node for node in nodes if not node["ignored"] and node["role"]["value"] in _ROLES]
        return [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in shown]

    def picture(self, width: int, tallest: int = 4_000, top: float = 0) -> bytes:
        """What is shown now as PNG, from so far down; no picture of the page is still blank then."""
        self.ask("Promise.all([...document.images].map((image) => image.decode().catch(() => 0))).then(() => 0)")
        tall = min(tallest, max(200, self.ask("document.documentElement.scrollHeight") - top))
        clip = {"x": 0, "y": top, "width": width, "height": tall, "scale": 1}
        shot = self._call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
        return base64.b64decode(shot["data"])

    def show(self, html: str, width: int, dark: bool) -> None:
        """Open a page."""
        file = self._folder / "page.html"
        file.write_text(html, "utf-8")
        self.visit(file.as_uri(), width, dark)

    def visit(self, address: str, width: int = 1280, dark: bool = False) -> None:
        """Open the page at an address; `told` is what the browser tells of it from then on."""
        self._call(
            "Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 700
        )
        wishes = {"prefers-color-scheme": "dark" if dark else "light", "prefers-reduced-motion": "reduce"}
        features = [{"name": name, "value": value} for name, value in wishes.items()]
        self._call("Emulation.setEmulatedMedia", features=features)
        self.told.clear()
        self._call("Page.navigate", url=address)
        self._wait("Page.loadEventFired")

    def ask(self, script: str) -> Any:
        """What a script on the page gives."""
        found = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"].get("exception", {}).get("description", script))
        return found["result"].get("value")

    def strike(self, key: str, code: int) -> None:
        """Press a key, named as pages call it and by its number."""
        text = {"text": "\r"} if key == "Enter" else {}
        for kind, more in (("keyDown" if text else "rawKeyDown", text), ("keyUp", {})):
            self._call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **more)

    def until(self, condition: str, patience: int = 60_000) -> None:
        """Wait until a condition on the page is true. Raises TimeoutError."""
        look = f"() => ({condition}) ? done(true) : performance.now() > last ? done(false) : setTimeout(look, 10)"
        if not self.ask(
            f"new Promise((done) => {{ const last = performance.now() + {patience}; const look = {look}; look(); }})"
        ):
            raise TimeoutError(condition)

    def spot(self, elements: str) -> tuple[float, float] | None:
        """Where a mouse hits one of some elements, which a script gives; it is brought into sight. None where it cannot."""
        found = self.ask(f"({_SPOT})({elements})")
        return (found[0], found[1]) if found else None

    def press(self, element: str) -> None:
        """Press the mouse on an element, or one of a list of them, which a script gives. Raises LookupError where it cannot."""
        found = self.spot(f"[{element}].flat()")
        if found is None:
            raise LookupError(f"nothing to click: {element}")
        for kind, buttons in (("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 1)):
            button = "left" if buttons else "none"
            self._call("Input.dispatchMouseEvent", type=kind, x=found[0], y=found[1], button=button, clickCount=buttons)

    def follow(self, link: str) -> None:
        """Press the mouse on a link that a script gives, and wait for the page it leads to."""
        self.told.clear()
        self.press(link)
        if all(told["method"] != "Page.loadEventFired" for told in self.told):
            self._wait("Page.loadEventFired")

    def choose_file(self, selector: str, file: Path) -> None:
        """Choose a file in a field of the page, as a person does."""
        field = self._call("Runtime.evaluate", expression=f"document.querySelector({json.dumps(selector)})")
        self._call("DOM.setFileInputFiles", files=[str(file)], objectId=field["result"]["objectId"])

    def close(self) -> None:
        """End the browser."""
        self._tells.close()
        self._process.terminate()
        self._process.wait()
        self._hears.close()

    def _call(self, method: str, **given: Any) -> Any:
        number = next(self._numbers)
        said = {
            "id": number,
            "method": method,
            "params": given,
            **({"sessionId": self._session} if self._session else {}),
        }
        self._tells.write(json.dumps(said).encode() + b"\0")
        while True:
            found = self._next()
            if found.get("id") == number:
                if "error" in found:
                    raise RuntimeError(f"{method}: {found['error']}")
                return found["result"]

    def _wait(self, event: str) -> None:
        while self._next().get("method") != event:
            pass

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            more = self._hears.read1(1 << 20)
            if not more:
                raise RuntimeError("the browser has gone")
            self._rest += more
        whole, self._rest = self._rest.split(b"\0", 1)
        found: dict[str, Any] = json.loads(whole)
        if "method" in found:
            self.told.append(found)
        return found


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser while it is needed. Raises FileNotFoundError where none is installed."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        raise FileNotFoundError(f"none of {', '.join(PROGRAMS)} is installed")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        opened = Browser(Path(folder), program)
        try:
            yield opened
        finally:
            opened.close()
