/* A player who knows nothing but docs/table-format.md. On each line of input is a table file; on each line of output his letter. */

import { createInterface } from "node:readline";

let state = 1;
/** A number from 0 to n - 1, the same in every run. */
function below(n) {
  state = (state * 48271) % 2147483647;
  return state % n;
}

const one = (list) => list[below(list.length)];

function answer({ answers }) {
  const { options = [], least = 1, most = 1, counts = "", usual = [] } = answers;
  if (counts) return `CHOOSE ${least + below(most - least + 1)}`;
  if (least === 1 && most === 1 && options.length) return `CHOOSE ${one(options).word}`;
  return `CHOOSE ${usual.join(", ") || "none"}`;
}

/** One order, and the turn is over: a second one might no longer be possible after the first. */
function orders({ orders }) {
  const lines = orders.filter((order) => !order.at_once).flatMap((order) => order.lines);
  return lines.length ? [one(lines), "ROLL OUT"] : ["ROLL OUT"];
}

function letter(table) {
  if (table.version !== 1) throw new Error("an unknown version");
  const lines =
    table.duty === "answer" ? table.choices.questions.map(answer)
    : table.duty === "orders" ? orders(table.choices)
    : table.duty === "on file" ? ["ROLL OUT"]
    : [];
  return { to: table.reply_to, subject: table.subject, text: lines.join("\n") };
}

for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(letter(JSON.parse(line))));
