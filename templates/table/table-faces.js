/* The players at the table: a face for each bot, drawn of a few parts, and a list of all seats with who plays them. */
"use strict";

(() => {
  const { make, sign } = globalThis.tableParts;
  const SVG = "http://www.w3.org/2000/svg";
  const HAIR = ["#2b2622", "#5b3a21", "#c9973f", "#a3452a", "#8f8f8c", "#e4e1d8"];
  const SKIN = ["#f2cfb0", "#e3b189", "#c08a5e", "#8d5a36", "#5f3b25"];
  const COAT = ["#7a2e3a", "#2f5d62", "#44556b", "#6b5a2b", "#54406b", "#3d6b3a"];
  const PAPER = { novice: "#d6e6c8", steady: "#cddfee", strong: "#ecd9c0", patient: "#dccfe6" };
  /** By name: the cut of the hair, what is worn or grown, and the colours of hair, skin and coat. */
  const FACES = {
    Pip: "sf305", Dot: "b-030", Fern: "lf115", Tuck: "h-103", Poppy: "ce300", Wren: "p-121", Moss: "cg045", Bramble: "sd113", Daisy: "lg204", Pebble: "n-422",
    Thistle: "cf204", Rook: "pg032", Ada: "bg004", Basil: "pm111", Clara: "le100", Dorian: "cd032", Edith: "be402", Felix: "s-201", Greta: "pg200", Hugo: "nd113",
    Iris: "l-024", Jasper: "hm045", Kira: "pe020", Leo: "sg031", Magnus: "nd402", Nadia: "le010", Oscar: "hg403", Petra: "bg305", Quentin: "pm404", Rosa: "ce020",
    Sven: "sd202", Tamara: "lg034", Ulric: "nm503", Vera: "be501", Wanda: "cg410", Yorick: "hd102", Agatha: "bg511", Boris: "sd034", Cosima: "le223", Desmond: "nm410", Esther: "pe305", Fabian: "c-201", Gwendolen: "lg112",
    Horatio: "pd511", Isolde: "l-310", Julius: "hg234", Leonora: "ce432", Matthias: "nd523",
  };
  const CAP = "M17 27c-1-13 6-19 15-19s16 6 15 19c-3-8-8-11-15-11s-12 3-15 11z";
  const BEHIND = { l: "M14 26c0-14 8-20 18-20s18 6 18 20v20H14z", c: "M12 26a8 8 0 0 1 4-13a9 9 0 0 1 14-7a9 9 0 0 1 15 5a8 8 0 0 1 6 14a7 7 0 0 1-3 10H16a7 7 0 0 1-4-9z", b: "M25 8a7 7 0 1 1 14 0z" };
  const BEFORE = {
    s: "M17 27c-2-14 6-20 15-20s17 6 15 20c-2-7-5-10-8-11-6 2-14 2-18 0-2 2-3 6-4 11z",
    l: CAP, b: CAP, c: "M18 25c2-8 7-11 14-11s12 3 14 11c-5-5-9-6-14-6s-9 1-14 6z",
    p: "M17 26c-1-13 6-19 16-19 9 0 15 6 14 19-3-7-6-11-14-12-4 6-10 8-16 12z",
    n: "M17 30c-2-6-1-11 2-14-1 5-1 9 0 13zM47 30c2-6 1-11-2-14 1 5 1 9 0 13z",
    h: "M10 20h44v4H10zM19 20c0-11 3-15 13-15s13 4 13 15z",
  };

  /** A bot's face: the same wherever it is named. */
  function portrait({ name, strength }) {
    const [cut, worn, hair, skin, coat] = FACES[name.split(" ")[0]] || "n-402";
    const face = document.createElementNS(SVG, "svg");
    const put = (tag, about) => {
      const part = document.createElementNS(SVG, tag);
      for (const [what, value] of Object.entries(about)) part.setAttribute(what, value);
      face.append(part);
    };
    const [inked, ink] = [{ fill: "none", stroke: "#2b2622", "stroke-width": 1.6, "stroke-linecap": "round" }, "#2b2622"];
    for (const [what, value] of Object.entries({ viewBox: "0 0 64 64", class: "face", "aria-hidden": "true" })) face.setAttribute(what, value);
    put("rect", { width: 64, height: 64, rx: 14, fill: PAPER[strength] || PAPER.steady });
    if (BEHIND[cut]) put("path", { d: BEHIND[cut], fill: HAIR[hair] });
    put("path", { d: "M6 64c0-13 11-19 26-19s26 6 26 19z", fill: COAT[coat] });
    put("path", { d: "M26 36h12v10a6 6 0 0 1-12 0z", fill: SKIN[skin] });
    put("ellipse", { cx: 32, cy: 28, rx: 14.5, ry: 16.5, fill: SKIN[skin] });
    if (worn === "d") put("path", { d: "M17.5 30c1 13 7 17 14.5 17s13.5-4 14.5-17c-2 4-5 5-8 5h-13c-3 0-6-1-8-5z", fill: HAIR[hair] });
    if (worn === "f") for (const [cx, cy] of [[23, 32], [25, 34], [39, 34], [41, 32]]) put("circle", { cx, cy, r: 0.9, fill: HAIR[3] });
    put("path", { d: BEFORE[cut], fill: cut === "h" ? COAT[coat] : HAIR[hair] });
    for (const cx of [26, 38]) put("circle", { cx, cy: 28, r: 1.9, fill: ink });
    put("path", { d: worn === "d" ? "M28 39q4 2 8 0" : "M27 37q5 4 10 0", ...inked, ...(worn === "d" ? { stroke: "#f4e6dc" } : {}) });
    if (worn === "m") put("path", { d: "M24 36q4-5 8-2q4-3 8 2q-4 0-8-1q-4 1-8 1z", fill: HAIR[hair] });
    if (worn === "g") put("path", { d: "M21 28a5 5 0 1 0 10 0a5 5 0 1 0-10 0M33 28a5 5 0 1 0 10 0a5 5 0 1 0-10 0M31 27h2", ...inked });
    if (worn === "e") for (const cx of [17.5, 46.5]) put("circle", { cx, cy: 35, r: 2, fill: "#e0b13c" });
    return face;
  }

  /** How bots of each strength at a table play, said once. */
  const habits = (bots) =>
    [...new Map(bots.filter((bot) => bot?.plays).map((bot) => [bot.strength, bot])).values()].map((bot) => {
      const line = make("p", "", { class: "plays" });
      line.append(make("b", `A ${bot.strength} bot: `), bot.plays.charAt(0).toLowerCase() + bot.plays.slice(1));
      return line;
    });

  /** All seats with who plays them, and where they stand: the first one first. */
  function seated({ seats, seat: mine, standings: { standings, unit, ranked } }, you = "you") {
    const all = make("ol", "", { class: "places" });
    for (const { seat, score, how } of standings) {
      const { bot, colour } = seats.find((one) => one.seat === seat) || {};
      const row = make("li");
      const who = make("b", seat);
      const by = bot ? `${bot.name}, ${bot.strength} bot` : seat === mine ? you : "";
      if (by) who.append(" ", make("span", by, { class: "by" }));
      const head = make("span", "", { class: "head-of" });
      head.append(sign(colour), bot ? portrait(bot) : "");
      row.append(head, who, make("span", ranked === false ? "" : `${score} ${unit}`), make("small", how));
      all.append(row);
    }
    return [all, ...habits(seats.map((one) => one.bot))];
  }

  globalThis.tableFaces = { portrait, habits, seated };
})();
