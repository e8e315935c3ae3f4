/* The map: an SVG of the file, cleaned of all that could act, under a finger: lit, moved, enlarged, with what is ordered upon it. */
"use strict";

(() => {
  const NS = "http://www.w3.org/2000/svg";
  const DRAWN = new Set([
    "svg", "g", "defs", "title", "desc", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan",
    "pattern", "clipPath", "mask", "linearGradient", "radialGradient", "stop", "use", "symbol", "marker", "metadata",
  ]);
  // By attributes, as a drawing has classes of its own. The whole place can be tapped, not its drawing alone.
  const LOOK = `
    :host { display: block; height: 100%; }
    svg { display: block; width: 100%; height: 100%; touch-action: none; user-select: none; -webkit-user-select: none; }
    svg svg { width: auto; height: auto; }
    [data-place] { cursor: pointer; pointer-events: all; transition: opacity 0.15s; }
    [data-place]:focus { outline: none; }
    [data-starts]:is(path, polygon, rect), [data-starts] > rect:first-child { stroke: #0f6b64; stroke-width: 2.2px; }
    use[data-starts] { stroke: #0f6b64; stroke-width: 1.4px; }
    svg[data-aiming] [data-place]:not([data-lit], [data-chosen]) { opacity: 0.38; }
    [data-lit]:is(path, rect, use, polygon), [data-lit] > rect:first-child { stroke: #c2255c; stroke-width: 3px; }
    svg[data-aiming] :is([data-lit]:is(path, rect, use, polygon), [data-lit] > rect:first-child) { animation: glow 1.4s ease-in-out 4; }
    [data-chosen]:is(path, rect, use, polygon), [data-chosen] > rect:first-child { stroke: #111; stroke-width: 4px; stroke-dasharray: none; }
    [data-place]:focus-visible:is(path, rect, use, polygon), [data-place]:focus-visible > rect:first-child { stroke: #1f6feb; stroke-width: 5px; }
    @keyframes glow { 50% { stroke-width: 6px; stroke: #f06595; } }
    @media (prefers-reduced-motion: reduce) { svg * { animation: none !important; transition: none !important; } }
    .sent { fill: none; stroke: #111; stroke-width: 4.5px; stroke-linecap: round; pointer-events: none; }
    .sent.over { stroke: #ffd43b; stroke-width: 2.4px; }
    .spot, .head { fill: #ffd43b; stroke: #111; stroke-width: 1.4px; pointer-events: none; }
    .told { fill: none; stroke: #c2255c; stroke-width: 3px; pointer-events: none; }`;
  const [NEAREST, MANY] = [8, 24];
  const outward = (name, value) => /^on/i.test(name) || (/href$/i.test(name) && !value.startsWith("#")) || /url\(\s*['"]?(?!#)/i.test(value);

  /** A drawing of a board that names its squares by a grid, with a shape over each square that can be clicked. */
  function squared(svg) {
    for (const grid of svg.querySelectorAll("g[data-grid][data-shape]")) {
      const [columns, rows, round, first, top, x, y, across, down] = grid.dataset.grid.split(" ").map(Number);
      for (let at = 0; at < Math.min(columns, 200); at += 1)
        for (let row = 0; row < Math.min(rows, 200); row += 1) {
          const column = round ? ((first + at - 1) % round) + 1 : first + at;
          const square = document.createElementNS(NS, "use");
          const lower = (first + at) % 2 === 0 ? 0.5 : 0;
          const about = { "data-place": `c${column}r${top + row}`, href: `#${grid.dataset.shape}`, fill: "none", x: x + across * at, y: y + down * (row + lower) };
          for (const [name, value] of Object.entries(about)) square.setAttribute(name, value);
          grid.append(square);
        }
      grid.removeAttribute("data-grid");
    }
    return svg;
  }

  /** The drawing with nothing in it that could act or reach out, and its style sheets. They are renamed before they are read: a
   *  policy without inline styles would else say so of each. */
  function cleaned(text) {
    const quiet = text.replace(/\sstyle=/g, " data-paint=").replace(/<style(?=[\s>])/g, '<metadata data-style=""').replace(/<\/style>/g, "</metadata>");
    const parsed = new DOMParser().parseFromString(quiet, "image/svg+xml");
    const svg = parsed.documentElement;
    if (svg.localName !== "svg" || parsed.querySelector("parsererror")) return null;
    const styles = [];
    for (const element of [svg, ...svg.querySelectorAll("*")]) {
      if (element.localName === "metadata" && element.hasAttribute("data-style"))
        styles.push(element.textContent.replace(/@import[^;]*;?|url\(\s*['"]?(?!#)[^)]*\)/gi, ""));
      if (!DRAWN.has(element.localName) || element.localName === "metadata") element.remove();
      else for (const { name, value } of [...element.attributes]) if (outward(name, value)) element.removeAttribute(name);
    }
    return { svg: squared(document.importNode(svg, true)), styles };
  }

  /** Shows a drawing in an element; `tapped` is told the place; of several parts of it that of `seat` comes first. Gives what lights places up, or null where there is no drawing. */
  function showMap(host, text, tapped, seat = "") {
    const found = cleaned(text);
    const root = host.shadowRoot || host.attachShadow({ mode: "open" });
    root.replaceChildren();
    if (!found) return null;
    // Style sheets of its own, so that they reach nothing outside it, and a policy without inline styles can stand.
    root.adoptedStyleSheets = [...found.styles, LOOK].map((style) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(style);
      return sheet;
    });
    const { svg } = found;
    for (const name of ["width", "height"]) svg.removeAttribute(name);
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", "Places of the map");
    root.append(svg);
    const [places, said] = [new Map(), new Map()];
    for (const element of svg.querySelectorAll("[data-place]")) {
      const { place } = element.dataset;
      const others = places.get(place) || [];
      places.set(place, seat && element.dataset.seat === seat ? [element, ...others] : [...others, element]);
      const label = element.getAttribute("aria-label");
      if (label && !said.has(place)) said.set(place, label);
      for (const name of ["tabindex", "role", "aria-label"]) element.removeAttribute(name);
    }
    const layer = document.createElementNS(NS, "g");
    svg.append(layer);
    const label = (place) => said.get(place) || place;

    // -------------------------------------------------------------- what of it is seen

    const { x, y, width, height } = svg.viewBox.baseVal;
    const all = { x, y, w: width, h: height };
    let view = { ...all };
    const room = () => host.getBoundingClientRect();

    function set(next) {
      const { width: wide, height: tall } = room();
      const most = Math.max(all.w, (all.h * wide) / (tall || 1)) * 1.1;
      const w = Math.min(most, Math.max(all.w / NEAREST, next.w));
      view = { w, h: (w * tall) / (wide || 1), x: next.x, y: next.y };
      svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
    }

    /** Where a place lies in the drawing, whatever groups it is in. */
    function extent(place) {
      const inverse = svg.getScreenCTM()?.inverse();
      const part = places.get(place)?.[0]?.getBoundingClientRect();
      if (!part || !inverse) return null;
      const [a, b] = [[part.left, part.top], [part.right, part.bottom]].map(([left, top]) => new DOMPoint(left, top).matrixTransform(inverse));
      return { x: a.x, y: a.y, w: b.x - a.x, h: b.y - a.y };
    }

    function around(names) {
      const parts = names.map(extent).filter(Boolean);
      if (!parts.length) return all;
      const [left, top] = [Math.min(...parts.map((p) => p.x)), Math.min(...parts.map((p) => p.y))];
      return { x: left, y: top, w: Math.max(...parts.map((p) => p.x + p.w)) - left, h: Math.max(...parts.map((p) => p.y + p.h)) - top };
    }

    /** All of the map; on a small screen what its places fill, without the titles and legends around it: where they are many, as near as
     *  fills the room, about some of them. */
    function fit(small, names = []) {
      const { width: wide, height: tall } = room();
      const shape = tall / (wide || 1);
      const box = small ? around([...places.keys()]) : all;
      const cut = small && places.size > MANY;
      const w = cut ? Math.min(box.w, box.h / shape) * 1.01 : Math.max(box.w, small ? 0 : box.h / shape) * 1.02;
      const about = names.length ? around(names) : box;
      const edge = (at, long, seen, from, whole) => (seen >= whole ? from + (whole - seen) / 2 : Math.min(from + whole - seen, Math.max(from, at + (long - seen) / 2)));
      const h = w * shape;
      const top = small && h > box.h ? box.y - Math.min(h - box.h, (64 / wide) * w) : edge(about.y, about.h, h, box.y, box.h);
      set({ x: edge(about.x, about.w, w, box.x, box.w), y: top, w });
    }

    /** Shows no more of what lies beside the drawing than must be: it was moved from under something that is gone. */
    function settle() {
      const { width, height } = room();
      const tall = (view.w * height) / (width || 1);
      const within = (at, from, most) => Math.min(Math.max(at, Math.min(from, most)), Math.max(from, most));
      set({ ...view, x: within(view.x, all.x, all.x + all.w - view.w), y: within(view.y, all.y, all.y + all.h - tall) });
    }

    /** Zooms by a factor around a point of the window. */
    function zoom(by, px, py) {
      const r = room();
      const [fx, fy] = [((px ?? r.left + r.width / 2) - r.left) / r.width, ((py ?? r.top + r.height / 2) - r.top) / r.height];
      const before = { ...view };
      set({ ...view, w: view.w / by });
      set({ ...view, x: before.x + (before.w - view.w) * fx, y: before.y + (before.h - view.h) * fy });
    }

    /** The heart of a place: where the drawing says it is, or its middle. */
    function heart(place) {
      const told = places.get(place)?.find((one) => one.dataset.at)?.dataset.at.split(" ").map(Number);
      const box = told ? null : extent(place);
      return told || (box && [box.x + box.w / 2, box.y + box.h / 2]);
    }

    /** Brings places into the part of the room that is above so many pixels: the first of them, and the others where they fit. */
    function reveal(names, free) {
      const r = room();
      const open = Math.min(free, r.height);
      if (!places.has(names[0]) || open < 60) return;
      const scale = r.width / view.w;
      const [first, whole] = [around(names.slice(0, 1)), around(names)];
      const seen = ({ x, y, w, h }) => (x - view.x) * scale > 4 && (x + w - view.x) * scale < r.width - 4 && (y - view.y) * scale > 50 && (y + h - view.y) * scale < open - 8;
      if (seen(whole) || (free === Infinity && seen(first))) return;
      const fits = whole.w * scale < r.width && whole.h * scale < open - 60;
      const w = fits ? view.w : Math.min(Math.max(view.w, whole.w * 1.15, (whole.h * 1.15 * r.width) / (open - 60)), all.w);
      const small = fits || (whole.h / w) * r.width < open ? whole : first;
      const now = r.width / w;
      const x = w >= all.w ? all.x + (all.w - w) / 2 : Math.min(all.x + all.w - w, Math.max(all.x, small.x + small.w / 2 - w / 2));
      const highest = around([...places.keys()]).y - 56 / now;
      set({ w, x, y: Math.max(highest, small.y + small.h / 2 - (50 + (open - 50) / 2) / now) });
    }

    // -------------------------------------------------------------- fingers, wheel and keys

    const held = new Map();
    let moved = 0;
    svg.addEventListener("pointerdown", (event) => {
      held.set(event.pointerId, [event.clientX, event.clientY]);
      if (held.size === 1) moved = 0;
    });
    svg.addEventListener("pointermove", (event) => {
      const before = held.get(event.pointerId);
      if (!before) return;
      const now = [event.clientX, event.clientY];
      const scale = view.w / room().width;
      if (held.size === 1) {
        moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
        if (moved > 8) {
          if (!svg.hasPointerCapture(event.pointerId)) svg.setPointerCapture(event.pointerId);
          set({ ...view, x: view.x - (now[0] - before[0]) * scale, y: view.y - (now[1] - before[1]) * scale });
        }
      } else if (held.size === 2) {
        moved = 99;
        const [other] = [...held].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
        const far = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]) || 1;
        zoom(far(now) / far(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
      }
      held.set(event.pointerId, now);
    });
    for (const kind of ["pointerup", "pointercancel"]) svg.addEventListener(kind, (event) => held.delete(event.pointerId));
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1.18 : 1 / 1.18, event.clientX, event.clientY);
    }, { passive: false });
    const at = (event) => event.target.closest?.("[data-place]");
    svg.addEventListener("click", (event) => moved <= 8 && at(event) && tapped(at(event).dataset.place));
    const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    svg.addEventListener("keydown", (event) => {
      const here = at(event);
      if (!here) return;
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        tapped(here.dataset.place);
      } else if (WAYS[event.key]) {
        event.preventDefault();
        step(here.dataset.place, WAYS[event.key]);
      }
    });

    /** To the place next in a direction that can be tapped. */
    function step(from, [dx, dy]) {
      const here = heart(from);
      const far = ([px, py]) => {
        const along = (px - here[0]) * dx + (py - here[1]) * dy;
        const aside = Math.abs((px - here[0]) * dy) + Math.abs((py - here[1]) * dx);
        return along > 0.5 ? along + 2 * aside : Infinity;
      };
      const ranked = reachable().filter((one) => one !== from).map((one) => [far(heart(one) || here), one]).sort((a, b) => a[0] - b[0]);
      if (ranked[0]?.[0] < Infinity) enter(ranked[0][1]);
    }

    /** One place at a time can be reached by Tab; the arrows go on from there. */
    const reachable = () => [...places.keys()].filter((place) => places.get(place)[0].hasAttribute("data-key"));
    let door = "";
    function enter(place, focus = true) {
      places.get(door)?.[0].setAttribute("tabindex", "-1");
      door = place;
      const first = places.get(place)?.[0];
      first?.setAttribute("tabindex", "0");
      if (focus) first?.focus({ preventScroll: true });
      if (focus) reveal([place], Infinity);
    }

    function keys(names) {
      for (const [place, [first]] of places) {
        const on = names.has(place);
        first.toggleAttribute("data-key", on);
        for (const [name, value] of [["tabindex", place === door ? "0" : "-1"], ["role", "button"], ["aria-label", label(place)]])
          if (on) first.setAttribute(name, value);
          else first.removeAttribute(name);
      }
      if (!names.has(door)) enter([...names][0] || "", false);
    }

    // -------------------------------------------------------------- what is shown upon it

    let [lit, starting, picked] = [new Set(), new Set(), ""];
    function shine() {
      for (const [place, parts] of places)
        for (const part of parts) {
          part.toggleAttribute("data-lit", lit.has(place));
          part.toggleAttribute("data-starts", starting.has(place));
          part.toggleAttribute("data-chosen", place === picked);
        }
      svg.toggleAttribute("data-aiming", lit.size > 0);
      keys(new Set([...lit, ...starting, ...(picked ? [picked] : [])].filter((place) => places.has(place))));
    }

    function put(tag, about) {
      const one = document.createElementNS(NS, tag);
      for (const [name, value] of Object.entries(about)) one.setAttribute(name, value);
      layer.append(one);
    }

    /** Draws what is ordered, each by the places it goes through: an arrow, or a spot where something is done; or rings of a story. */
    function draw(orders, told = []) {
      layer.replaceChildren();
      const unit = Math.max(0.55, all.w / 1000);
      for (const place of told) {
        const point = heart(place);
        if (point) put("circle", { class: "told", cx: point[0], cy: point[1], r: 26 * unit });
      }
      for (const names of orders) {
        const [from, to] = [heart(names[0]), names.length > 1 ? heart(names.at(-1)) : null];
        if (from && !to) put("circle", { class: "spot", cx: from[0], cy: from[1] - 9 * unit, r: 5 * unit });
        if (!from || !to) continue;
        const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
        const long = Math.hypot(dx, dy) || 1;
        const [cx, cy] = [(from[0] + to[0]) / 2 - dy * 0.16, (from[1] + to[1]) / 2 + dx * 0.16];
        const [ex, ey] = [to[0] - (dx / long) * 4, to[1] - (dy / long) * 4];
        for (const kind of ["sent", "sent over"]) put("path", { class: kind, d: `M${from[0]} ${from[1]}Q${cx} ${cy} ${ex} ${ey}` });
        const angle = Math.atan2(ey - cy, ex - cx);
        const tip = (turn, r) => `${ex + Math.cos(angle + turn) * r} ${ey + Math.sin(angle + turn) * r}`;
        put("path", { class: "head", d: `M${tip(0, 7)}L${tip(2.45, 11)}L${tip(-2.45, 11)}Z` });
      }
    }

    return {
      svg, places, label, zoom, draw, fit, reveal, heart,
      view: () => view,
      restore: set,
      settle,
      /** Where the keyboard comes in. */
      focus: () => places.get(door)?.[0].focus({ preventScroll: true }),
      /** Lights the places that may be tapped next, and marks the one that is chosen; the rest steps back. */
      light: (names, chosen) => ([lit, picked] = [names, chosen], shine()),
      /** Marks the places at which something begins. */
      starts: (names) => ((starting = names), shine()),
    };
  }

  globalThis.tableMap = { cleaned, showMap };
})();
