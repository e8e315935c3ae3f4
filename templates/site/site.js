// The moving parts of the site's pages: the maps of a match turn by turn, and how long it is until a time.
// Without it every picture and every report is a link. It asks nobody for anything but the pictures beside the page.
"use strict";

const SECONDS_A_TURN = 1.5;

function length(milliseconds) {
  const minutes = Math.floor(milliseconds / 60000);
  const days = Math.floor(minutes / 1440);
  const hours = Math.floor((minutes % 1440) / 60);
  if (days) return `${days} day${days > 1 ? "s" : ""} ${hours} h`;
  return hours ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

function tellTimes() {
  for (const time of document.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    time.title = at.toLocaleString();
    if (!("left" in time.dataset)) continue;
    const left = at - Date.now();
    const said = document.createElement("span");
    said.textContent = left > 0 ? ` (in ${length(left)})` : " (that is past)";
    time.after(said);
  }
}

function button(label, name, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  made.setAttribute("aria-label", name);
  made.addEventListener("click", act);
  return made;
}

function turnsOf(list) {
  return [...list.querySelectorAll("li[data-map]")].reverse().map((item) => {
    const link = item.querySelector("a");
    return { map: item.dataset.map, page: link.href, title: link.textContent, said: item.querySelector("p").textContent };
  });
}

function stepThrough() {
  const list = document.getElementById("turns");
  const steps = document.getElementById("steps");
  const turns = list && steps ? turnsOf(list) : [];
  if (turns.length < 2) return;
  const at = (id) => document.getElementById(id);
  const [map, open, title, said, instead] = ["map", "open", "turn", "said", "instead"].map((id) => at(`board-${id}`));
  const last = turns.length - 1;
  const sentence = instead.textContent;
  let shown = last;
  let playing = 0;

  const earlier = button("\u2190", "Earlier turn", () => { stop(); show(shown - 1); });
  const later = button("\u2192", "Later turn", () => { stop(); show(shown + 1); });
  const play = button("\u25b6 Play", "Play the turns", () => (playing ? stop() : start()));
  const range = document.createElement("input");
  range.type = "range";
  range.min = 0;
  range.max = last;
  range.setAttribute("aria-label", "Turn");
  range.addEventListener("input", () => { stop(); show(Number(range.value)); });
  const report = document.createElement("a");
  report.textContent = "Report";

  function show(number) {
    shown = Math.max(0, Math.min(last, number));
    const turn = turns[shown];
    map.src = turn.map;
    map.alt = `The map after ${turn.title}`;
    open.href = turn.map;
    title.textContent = turn.title;
    said.textContent = turn.said;
    instead.textContent = shown === last ? sentence : "";
    report.href = turn.page;
    range.value = shown;
    range.setAttribute("aria-valuetext", turn.title);
    earlier.disabled = shown === 0;
    later.disabled = shown === last;
    if (shown < last) new Image().src = turns[shown + 1].map;
  }

  function stop() {
    clearInterval(playing);
    playing = 0;
    play.textContent = "\u25b6 Play";
    play.setAttribute("aria-label", "Play the turns");
  }

  function start() {
    if (shown === last) show(0);
    play.textContent = "\u23f8 Stop";
    play.setAttribute("aria-label", "Stop playing");
    playing = setInterval(() => (shown === last ? stop() : show(shown + 1)), 1000 * SECONDS_A_TURN);
  }

  steps.replaceChildren(earlier, play, later, range, report);
  at("board").querySelector("figcaption").setAttribute("aria-live", "polite");
  show(last);
}

tellTimes();
stepThrough();
