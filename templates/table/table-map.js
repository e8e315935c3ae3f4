/* The map: an SVG of the file, cleaned of all that could act, with its places lit and to be clicked. */
"use strict";

(() => {
  const DRAWN = new Set([
    "svg", "g", "defs", "title", "desc", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan",
    "pattern", "clipPath", "mask", "linearGradient", "radialGradient", "stop", "use", "symbol", "marker", "style",
  ]);
  // By attributes, as a drawing has classes of its own. Whatever is drawn there, the whole place can be clicked.
  const LIT = `
    [data-place] { cursor: default; pointer-events: all; }
    [data-lit] { cursor: pointer; }
    [data-lit]:is(path, rect, use, polygon), [data-lit] > rect:first-child { stroke: #d6336c; stroke-width: 2.5px; }
    [data-chosen]:is(path, rect, use, polygon), [data-chosen] > rect:first-child {
      stroke: #d6336c; stroke-width: 4px; stroke-dasharray: 6 3; }
    [data-place]:focus-visible { outline: 3px solid #d6336c; outline-offset: 1px; }
    svg { display: block; width: 100%; height: auto; }`;

  /** Pixels for each unit of a drawing, and hundredths of its room that a map takes at most of itself. */
  const READABLE = 0.8;
  const WIDEST = 300;
  const PAINT = /^(fill|stroke|font|opacity|text-anchor|paint-order)[\w-]*$/;
  const outward = (name, value) =>
    /^on/i.test(name) || name === "style" || (/href$/i.test(name) && !value.startsWith("#")) || /url\(\s*['"]?(?!#)/i.test(value);

  /** The drawing with nothing in it that could act or reach out, and its style sheets. */
  function cleaned(text) {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    const svg = parsed.documentElement;
    if (svg.localName !== "svg" || parsed.querySelector("parsererror")) return null;
    const styles = [];
    for (const element of [svg, ...svg.querySelectorAll("*")]) {
      if (!DRAWN.has(element.localName)) element.remove();
      else if (element.localName === "style") {
        styles.push(element.textContent.replace(/@import[^;]*;?|url\(\s*['"]?(?!#)[^)]*\)/gi, ""));
        element.remove();
      } else {
        const paint = element.getAttribute("style");
        for (const { name, value } of [...element.attributes]) if (outward(name, value)) element.removeAttribute(name);
        if (paint) element.setAttribute("data-paint", paint);
      }
    }
    return { svg: painted(document.importNode(svg, true)), styles };
  }

  /** A drawing whose elements have the colours and lines that they were given one by one, which the policy would not let in. */
  function painted(svg) {
    for (const element of svg.querySelectorAll("[data-paint]")) {
      for (const rule of element.dataset.paint.split(";")) {
        const [name, value = ""] = rule.split(":").map((part) => part.trim());
        if (PAINT.test(name) && !/url|var|expression/i.test(value)) element.style.setProperty(name, value);
      }
      element.removeAttribute("data-paint");
    }
    return svg;
  }

  /** Shows a drawing in an element; `clicked` is told the place, `seen` what is known of the one under the pointer.
   *  Gives what lights places up, or null where there is no drawing. */
  function showMap(host, text, clicked, seen) {
    const found = cleaned(text);
    const root = host.shadowRoot || host.attachShadow({ mode: "open" });
    root.replaceChildren();
    if (!found) return null;
    // Style sheets of its own, so that they reach nothing outside it, and a policy without inline styles can stand.
    root.adoptedStyleSheets = [...found.styles, LIT].map((style) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(style);
      return sheet;
    });
    const { svg } = found;
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    svg.setAttribute("role", "group");
    root.append(svg);
    const places = new Map();
    const said = new Map();
    for (const element of svg.querySelectorAll("[data-place]")) {
      const place = element.dataset.place;
      if (!places.has(place)) places.set(place, []);
      places.get(place).push(element);
      const label = element.getAttribute("aria-label");
      if (label && !said.has(place)) said.set(place, label);
    }
    const about = (place) => said.get(place) || place;
    const at = (event) => event.target.closest && event.target.closest("[data-place]");
    const act = (element) => {
      seen(about(element.dataset.place));
      clicked(element.dataset.place);
    };
    svg.addEventListener("pointerover", (event) => seen(at(event) ? about(at(event).dataset.place) : ""));
    svg.addEventListener("click", (event) => at(event) && act(at(event)));
    svg.addEventListener("keydown", (event) => {
      if (!at(event) || (event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      act(at(event));
    });
    const state = new Map();
    function shine(place, on, chosen) {
      const now = on ? (chosen ? "both" : "lit") : chosen ? "chosen" : "";
      if ((state.get(place) || "") === now) return;
      state.set(place, now);
      (places.get(place) || []).forEach((element, number) => {
        element.toggleAttribute("data-lit", on);
        element.toggleAttribute("data-chosen", chosen);
        const first = on && number === 0;
        for (const [name, value] of [["tabindex", "0"], ["role", "button"], ["aria-label", about(place)]])
          if (first) element.setAttribute(name, value);
          else element.removeAttribute(name);
      });
    }
    for (const element of svg.querySelectorAll("[data-place]"))
      for (const name of ["tabindex", "role", "aria-label"]) element.removeAttribute(name);
    const box = host.parentElement;
    return {
      places,
      /** How wide it must be, in hundredths of its room, for its smallest names to be read. */
      wide: () => Math.min(WIDEST, Math.max(100, (READABLE * 100 * svg.viewBox.baseVal.width) / (box.clientWidth || 1))),
      /** Moves a map that is wider than its room to where its lit places are. */
      centre() {
        const lit = [...svg.querySelectorAll("[data-lit]")].map((element) => element.getBoundingClientRect());
        if (!lit.length) return;
        const room = box.getBoundingClientRect();
        const middle = (from, to) => lit.reduce((sum, one) => sum + one[from] + one[to], 0) / (2 * lit.length);
        box.scrollLeft += middle("left", "right") - (room.left + room.right) / 2;
        box.scrollTop += middle("top", "bottom") - (room.top + room.bottom) / 2;
      },
      /** Lights these places up and marks those that are chosen; others are as they were drawn. */
      light(lit, chosen) {
        for (const place of new Set([...state.keys(), ...lit, ...chosen])) shine(place, lit.has(place), chosen.has(place));
      },
    };
  }

  globalThis.tableMap = { cleaned, showMap };
})();
