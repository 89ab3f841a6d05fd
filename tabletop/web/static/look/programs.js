// What only devices that were let in see of their settings: the way to the table's settings, past matches, players and
// records, and the tokens for other programs. The owner of the table creates them here, sees each once, and revokes them.

import { button, element, find, holding, set } from "../dom.js";
import { say } from "../actions.js";
import { ask, post } from "../link.js";

let words = {};

// Show the tokens there are. given: the words of the table. token: one that was just created, or "".
export async function showPrograms(given, token = "") {
  words = given;
  const known = await ask("/tokens");
  if (!known) return;
  const name = set(element("input"), { id: "program-name", maxlength: 20, autocomplete: "off" });
  const create = set(element("button", "small", words.programs_create), { type: "submit" });
  const form = holding("form", "", set(element("label", "", words.programs_name), { for: "program-name" }), name, create);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    change({ name: name.value });
  });
  const players = Object.assign(element("a", "", words.players), { href: "/players/players.html", id: "players-link" });
  const past = set(element("a", "", words.past), { href: "/past/past.html", id: "past-link" });
  const settings = set(element("a", "", words.settings), { href: "/settings/settings.html", id: "settings-link" });
  const first = await ask("/start"), start = set(element("a", "", first?.words.title), { href: "/start/start.html", id: "start-link" });
  const links = [...(first ? [start] : []), settings, past, players].map((link) => holding("p", "", link));
  find("programs").replaceChildren(...links, element("h3", "", words.programs), list(known), ...(token ? fresh(token) : []), form);
}

function list(known) {
  return holding("ul", "", ...known.map(({ name, created }) => holding("li", "",
    holding("span", "", plain("b", name), " ", plain("small", created)),
    button("small", words.programs_revoke, () => change({ name, revoke: true }), `${words.programs_revoke}: ${name}`))));
}

const plain = (tag, text) => Object.assign(element(tag), { textContent: text }); // no number of a sentence

function fresh(token) {
  const shown = set(element("input"), { id: "program-token", readonly: "", value: token, "aria-label": words.programs_once });
  const copy = button("small main", words.programs_copy, () => {
    shown.select();
    if (document.execCommand("copy")) copy.textContent = words.programs_copied; // the newer way needs https
  });
  return [set(element("p", "", words.programs_once), { role: "status" }), holding("div", "", shown, copy)];
}

async function change(wish) {
  const answer = await post("/tokens/change", wish), told = await answer?.json().catch(() => null);
  if (!answer?.ok) return say(told?.why ?? words.flood);
  await showPrograms(words, told.token ?? "");
  find(told.token ? "program-token" : "program-name").focus();
}
