/* The map: an SVG of the file, cleaned of all that could act, with its places lit and to be clicked. */
"use strict";

(() => {
  const DRAWN = new Set([
    "svg", "g", "defs", "title", "desc", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan",
    "pattern", "clipPath", "mask", "linearGradient", "radialGradient", "stop", "use", "symbol", "marker", "style",
  ]);
  const LIT = `
    [data-place] { cursor: default; }
    [data-place].lit { cursor: pointer; }
    [data-place].lit:is(path, rect, circle, ellipse, polygon), [data-place].lit :is(path, rect, circle, ellipse, polygon) {
      stroke: #d6336c; stroke-width: 2.5px; }
    [data-place].chosen:is(path, rect, circle, ellipse, polygon), [data-place].chosen :is(path, rect, circle, ellipse, polygon) {
      stroke: #d6336c; stroke-width: 4px; stroke-dasharray: 6 3; }
    [data-place]:focus-visible { outline: 3px solid #d6336c; outline-offset: 1px; }
    svg { display: block; width: 100%; height: auto; }`;

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
      } else for (const { name, value } of [...element.attributes]) if (outward(name, value)) element.removeAttribute(name);
    }
    return { svg: document.importNode(svg, true), styles };
  }

  /** Shows a drawing in an element; `clicked` is told the place. Gives what lights places up. */
  function showMap(host, text, clicked) {
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
    for (const element of svg.querySelectorAll("[data-place]")) {
      const place = element.dataset.place;
      if (!places.has(place)) places.set(place, []);
      places.get(place).push(element);
    }
    const at = (event) => event.target.closest && event.target.closest("[data-place]");
    svg.addEventListener("click", (event) => {
      const element = at(event);
      if (element) clicked(element.dataset.place);
    });
    svg.addEventListener("keydown", (event) => {
      const element = at(event);
      if (element && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
        clicked(element.dataset.place);
      }
    });
    return {
      places,
      light(lit, chosen) {
        for (const [place, elements] of places)
          elements.forEach((element, number) => {
            const on = lit.has(place);
            element.classList.toggle("lit", on);
            element.classList.toggle("chosen", chosen.has(place));
            const first = on && number === 0;
            for (const [name, value] of [["tabindex", "0"], ["role", "button"], ["aria-label", place]])
              if (first) element.setAttribute(name, value);
              else element.removeAttribute(name);
          });
      },
    };
  }

  globalThis.tableMap = { cleaned, showMap };
})();
