// Who plays, in the order of the seats, clockwise: the first begins.

import { element, find } from "../dom.js";

const MOST_KNOWN = 12; // names that are offered by a tap

// Return the seats and what fills them. draw: draws the form anew.
export function seatRows(offered, form, words, draw) {
  const { players, game } = form, seats = element("ol", "seats");
  seats.append(...players.map((name, at) => seat(players, name, at, words, draw)));
  const sits = new Set(players.map(plain));
  const known = offered.names.filter((name) => !sits.has(plain(name))).slice(0, MOST_KNOWN);
  const names = element("ul", "names");
  const full = players.length >= game.most;
  names.append(...(full ? [] : known).map((name) => {
    const line = element("li");
    line.append(button("small", `+ ${name}`, () => { players.push(name); draw(); }));
    return line;
  }));
  const count = element("p", "count", players.length < game.least ? words.least.replace("{n}", game.least) : "");
  return [element("h3", "", words.who), seats, count, names, ...(full ? [] : [adding(offered, form, words, draw)])];
}

// Return why nobody can play under this name, empty if somebody can; the table has the last word.
function fault(name, longest, words) {
  const letters = globalThis.Intl?.Segmenter ? [...new Intl.Segmenter().segment(name)].length : [...name].length;
  if (letters > longest) return words.too_long.replace("{text}", name).replace("{n}", longest);
  return /[\s,=]/.test(name) ? words.no_spaces.replace("{text}", name) : "";
}

const plain = (name) => name.normalize("NFC").toLocaleLowerCase();

function button(className, text, take) {
  const made = element("button", className, text);
  made.type = "button";
  made.addEventListener("click", take);
  return made;
}

function seat(players, name, at, words, draw) {
  const line = element("li", "seat");
  const first = button("begins", words.begins, () => {
    players.push(...players.splice(0, at)); // the seats stay in their order, whoever begins
    draw();
  });
  first.setAttribute("aria-pressed", String(at === 0));
  first.setAttribute("aria-label", `${name}: ${words.begins}`);
  const up = button("step", "↑", () => {
    [players[at - 1], players[at]] = [players[at], players[at - 1]];
    draw();
  });
  up.disabled = at === 0;
  up.setAttribute("aria-label", `${name}: ${words.up}`);
  const away = button("step", "✕", () => { players.splice(at, 1); draw(); });
  away.setAttribute("aria-label", `${name}: ${words.remove}`);
  line.append(element("span", "name", name), first, up, away);
  return line;
}

// A new name, typed; written as before if somebody of this name has played.
function adding(offered, form, words, draw) {
  const row = element("div", "adding"), typed = element("input");
  typed.id = "new-name";
  typed.autocomplete = "off";
  typed.setAttribute("autocapitalize", "words");
  typed.setAttribute("enterkeyhint", "done");
  typed.placeholder = words.new_name;
  typed.setAttribute("aria-label", words.new_name);
  const add = () => {
    const name = typed.value.trim();
    if (!name) return;
    const wrong = fault(name, offered.longest.name, words);
    find("setup-wrong").textContent = wrong;
    if (wrong) return typed.select();
    form.players.push(offered.names.find((known) => plain(known) === plain(name)) ?? name);
    draw();
    document.getElementById("new-name")?.focus();
  };
  typed.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    add();
  });
  const made = button("small", words.add, add);
  made.id = "add-name";
  row.append(typed, made);
  return row;
}
