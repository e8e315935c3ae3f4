/* A table file: looked at before it is read, and read. Nothing here knows the page. */
"use strict";

(() => {
  const DEEPEST = 200;
  const LARGEST = 8_000_000;
  const VERSION = 1;

  /** How deep the brackets of a JSON text go: a reader in the Worker ends at once on one that goes too deep. */
  function depth(text) {
    let at = 0;
    let deepest = 0;
    let quoted = false;
    for (let place = 0; place < text.length; place += 1) {
      const sign = text[place];
      if (quoted) {
        if (sign === "\\") place += 1;
        else if (sign === '"') quoted = false;
      } else if (sign === '"') quoted = true;
      else if (sign === "[" || sign === "{") deepest = Math.max(deepest, (at += 1));
      else if (sign === "]" || sign === "}") at -= 1;
    }
    return deepest;
  }

  const isText = (value) => typeof value === "string";
  const isList = Array.isArray;
  const isAddress = (value) => isText(value) && /^[^\s<>"?&%]+@[^\s<>"?&%]+$/.test(value);

  /** The table, or an Error with a sentence for its reader. */
  function readTable(text) {
    if (text.length > LARGEST || depth(text) > DEEPEST) throw new Error("This is no table file: it is too large or too deep.");
    let table;
    try {
      table = JSON.parse(text);
    } catch {
      throw new Error("This is no table file: it cannot be read as JSON.");
    }
    const whole =
      table !== null && typeof table === "object" && Number.isInteger(table.version) &&
      [table.match, table.game, table.title, table.seat, table.phase, table.subject, table.until].every(isText) &&
      [table.form, table.takes, table.on_file, table.seats].every(isList) &&
      table.choices && isList(table.choices.orders) && isList(table.choices.questions) &&
      isAddress(table.reply_to);
    if (!whole) throw new Error("This is no table file: SEND table brings one.");
    if (table.version !== VERSION)
      throw new Error(`This file has form ${table.version}, and this page knows form ${VERSION}: open the page of your match anew.`);
    return table;
  }

  /** The lines on file for the sheet that is asked for, as they would be written. */
  function linesOnFile(table) {
    if (table.duty !== "on file") return [];
    const drawer = table.on_file[0];
    return drawer ? drawer.lines.map((line) => "  ".repeat(line.depth) + line.text) : [];
  }

  globalThis.tableFile = { depth, readTable, linesOnFile };
})();
