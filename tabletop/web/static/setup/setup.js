// A match set up here: which game, who plays in which seats, the house rules. What is chosen stays while one looks around.

import { ask, send, say } from "../acting.js";
import { apart, element, find } from "../dom.js";
import { gameCards } from "./games.js";
import { optionRows } from "./options.js";
import { mergeRows } from "./merging.js";
import { keepRow, presetRows } from "./presets.js";
import { seatRows } from "./seats.js";
import { tableSeats } from "./table_seats.js";

let now = null, offered = null;
const form = { game: null, players: [], values: {}, match: 0, text: "", preset: "" };

// Show a snapshot: its words, and which match is played.
export function showForm(snapshot) {
  now = snapshot;
}

find("close-setup").addEventListener("click", () => find("setup").close());
find("setup-form").addEventListener("submit", (event) => {
  event.preventDefault();
  begin();
});

async function load() {
  const answer = await ask("/setup");
  if (!answer) return false;
  [offered, form.match] = [answer, now.match];
  return true;
}

// Open the form. It asks the table what it can offer each time.
export async function openForm() {
  if (!await load()) return;
  const last = offered.last[0];
  form.text = "";
  if (!form.players.length) form.players = [...(last?.players ?? [])];
  if (form.game && !offered.games.some((game) => game.id === form.game.id)) form.game = null;
  draw();
  if (!find("setup").open) find("setup").showModal();
  find("setup").scrollTop = 0;
}

const usual = (game, preset) => ({ ...game.presets[preset ?? Object.keys(game.presets)[0]] });

// Choose a game, with the options of a match that was played before, or as usual.
function choose(game, settings = [], preset = "") {
  form.game = game;
  form.text = ""; // what was searched for is found
  form.preset = preset;
  form.values = game ? { ...usual(game, Object.fromEntries(settings).rules), ...Object.fromEntries(settings) } : {};
  draw();
  if (game) find("setup").scrollTop = 0;
}

// What differs from what the rule text that was chosen says: only that is sent.
function settings() {
  const { game, values } = form, first = Object.keys(game.presets)[0], preset = values.rules ?? first;
  const own = Object.entries(values).filter(([name, value]) => name !== "rules" && value !== game.presets[preset][name]);
  return preset === first ? own : [["rules", preset], ...own];
}

// Draw the form anew. The focus stays where it was: whoever has no pointer goes on from there.
function draw() {
  const held = document.activeElement, place = held?.closest("#setup-form > *");
  const before = place ? able(place) : [];
  drawAll();
  if (!place || held.isConnected || place.hidden) return;
  const again = held.id ? find(held.id) : null, left = able(place);
  if (again?.checkVisibility()) return again.focus({ preventScroll: true });
  const at = left.length < before.length && place.id === "setup-again" ? 0 : before.indexOf(held); // never on to what ends a match
  (again?.closest("details")?.querySelector("summary") ?? left[Math.max(0, Math.min(at, left.length - 1))])?.focus({ preventScroll: true });
}

// What takes a press there, and opens no keyboard on a phone.
const able = (place) => [...place.querySelectorAll("button:enabled, summary")].filter((made) => made.checkVisibility());

function drawAll() {
  const { words } = now, game = form.game;
  find("setup-title").textContent = words.setup;
  find("setup-again").replaceChildren(...(game ? [] : again()));
  find("setup-keep").replaceChildren(...(game ? keepRow(offered, form.preset, words, keep) : []));
  find("setup-games").replaceChildren(...gameCards(offered.games, form, words, choose));
  find("setup-players").hidden = find("setup-rules").hidden = !game;
  find("setup-start").hidden = !game;
  find("setup-start").textContent = game ? words.start.replace("{game}", game.name) : "";
  find("setup-wrong").textContent = "";
  if (!game) return;
  find("setup-players").replaceChildren(...seatRows(offered, form, words, draw), ...mergeRows(offered, words, decideHere));
  find("setup-rules").replaceChildren(...optionRows(form, words, usual, draw));
}

// Matches that can go on, and the last one again: one tap each.
function again() {
  const { words } = now, own = presetRows(offered, words, { begin: beginPreset, change, decide: decideHere, draw }), matches = offered.open.filter((match) => match.number !== now.match).map((match) => [match, words.go_on, () => decide({ do: "resume", number: match.number })]);
  for (const match of offered.last) {
    const game = offered.games.find((one) => one.id === match.game);
    if (game) matches.push([match, words.again, () => { form.players = [...match.players]; choose(game, match.settings); }]);
  }
  const buttons = matches.map(([match, word, take]) => {
    const made = element("button", "again");
    made.type = "button";
    made.append(element("b", "", word.replace("{game}", match.name)), element("span", "", [match.players.map(apart).join(", "), match.note].filter(Boolean).join("; ")));
    made.addEventListener("click", take);
    return made;
  });
  if (offered.unreadable) buttons.push(element("p", "note", offered.unreadable));
  if (now.match) buttons.push(ending("stop", words.stop), ending("end", words.end));
  return [...own, ...buttons, ...tableSeats(offered, now.match, words, decide, draw)];
}

const beginPreset = (own) => decide({ do: "begin", game: own.game, players: own.players, settings: own.settings });

// Fill the form with a preset, to change it.
function change(own) {
  form.players = [...own.players];
  choose(offered.games.find((game) => game.id === own.game), own.settings, own.preset);
}

// Keep what is filled in under a name.
async function keep(name, replace) {
  addTyped();
  const kept = { do: "keep-preset", name, game: form.game.id, players: form.players, settings: settings(), replace };
  if (await decideHere(kept)) say(now.words.preset_kept);
}

// Decide something behind the form, and show what it has become; return whether it was done.
async function decideHere(command) {
  const why = {}, done = await send({ ...command, match: form.match }, why);
  if (done) await load();
  draw();
  if (why.text) find("setup-wrong").textContent = why.text;
  return done;
}

// Ending a match for good is asked twice: the second tap does it.
function ending(does, word) {
  const made = element("button", `again ${does}`, word);
  made.type = "button";
  made.addEventListener("click", () => {
    if (does === "stop" || made.classList.contains("sure")) return decide({ do: does });
    made.classList.add("sure");
    made.textContent = now.words.sure;
  });
  return made;
}

// A name that was typed and not added yet counts.
function addTyped() {
  const typed = find("new-name")?.value.trim();
  if (typed) form.players.push(typed);
}

function begin() {
  addTyped();
  decide({ do: "begin", game: form.game.id, players: form.players, settings: settings() });
}

// Decide, and close the form if it was done; else say what has to be changed.
async function decide(command) {
  const why = {};
  if (await send({ ...command, match: form.match }, why)) {
    form.game = null;
    form.players = [];
    find("setup").close();
  } else if (why.text) {
    draw();
    find("setup-wrong").textContent = why.text;
    if (!form.players.length) find("new-name")?.focus();
  }
}
