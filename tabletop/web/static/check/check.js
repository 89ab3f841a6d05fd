// The checks of the table, asked for again every few seconds while somebody looks.

import { speak } from "/dom.js";

const EVERY_MS = 5000;
const KINDS = new Map([[true, ["right", "✓"]], [false, ["wrong", "✗"]], [null, ["open", "–"]]]);

function element(name, text, kind = "") {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = kind;
  return made;
}

function line({ name, right, figure, remedy }) {
  const [kind, mark] = KINDS.get(right);
  const made = element("li", "", kind);
  made.append(element("span", mark), element("b", name));
  if (figure) made.append(element("p", figure));
  if (remedy) made.append(element("p", `→ ${remedy}`, "remedy"));
  return made;
}

function part({ part: name, checks }) {
  const made = document.createElement("section");
  const list = document.createElement("ul");
  list.append(...checks.map(line));
  made.append(element("h2", name, "title"), list);
  return made;
}

async function look() {
  const answer = document.hidden ? null : await fetch("/checks").catch(() => null);
  if (answer && answer.status === 403) location.replace("/");
  if (answer && answer.ok) {
    const told = await answer.json();
    speak(told.language, told.title);
    document.title = told.title;
    document.getElementById("title").textContent = told.title;
    document.getElementById("back").textContent = told.back;
    document.getElementById("parts").replaceChildren(...told.parts.map(part));
  }
  setTimeout(look, EVERY_MS);
}

look();
