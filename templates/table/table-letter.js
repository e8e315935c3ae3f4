/* The letter: a link that opens the reader's mail program with it. Every order in it ends by ";": where a program loses or
 * breaks lines, the referee still knows where each one ends. */
"use strict";

(() => {
  const MOST = 1600;
  const REMARK = /("(?:[^"\\]|\\.)*(?:"|$)|“[^”]*(?:”|$)|„[^“”]*(?:[“”]|$)|«[^»]*(?:»|$))|#.*/g;
  const TEXT = /^\s*(press|broadcast|diary|offer)\b/i;
  const END = /^\s*end[\s.!:;]*$/i;
  const quoted = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

  /** The lines of a sheet as the body of a letter: without remarks, each order ended. Words to others stay as they are. */
  function bodyOf(sheet, ends) {
    const [rows, lines] = [sheet.split(/\r?\n/), []];
    let open = false;
    rows.forEach((row, at) => {
      const text = open || (TEXT.test(row) && rows.slice(at).some((later) => END.test(later)));
      open = text && !END.test(row);
      const line = text ? row.trimEnd() : row.replace(REMARK, "$1").trimEnd();
      lines.push(text || /(^|[;\\])$/.test(line) ? line : `${line} ;`);
    });
    const kept = lines.filter((line, at) => line || (at && lines[at - 1]));
    while (kept.length && !kept.at(-1)) kept.pop();
    if (ends && !kept.some((line) => /^\s*roll\s*out[\s.;]*$/i.test(line))) kept.push("ROLL OUT ;");
    return kept;
  }

  /** The link, and whether the letter's text goes with it: more than many programs take does not. */
  function linkOf(address, subject, lines) {
    const head = `mailto:${quoted(address).replace("%40", "@")}?subject=${quoted(subject)}`;
    const holds = lines.join("\n").length <= MOST;
    return { link: holds ? `${head}&body=${quoted(lines.join("\r\n"))}` : head, holds };
  }

  globalThis.tableLetter = { MOST, bodyOf, linkOf };
})();
