// A match set up here: which game, who plays in which seats, the house rules. What is chosen stays while one looks around.

import { say, send } from "./actions.js";
import { ask } from "./link.js";
import { die } from "./dice.js";
import { apart, button, element, find, holding, onKeys, set as setAttributes } from "./dom.js";

const MOST_DICE = 6; // in the picture of a game
const FACES = [5, 3, 6, 2, 4, 1];
const MOST_KNOWN = 12; // names that are offered by a tap
let now = null, offered = null, words = {};
let openPreset = "", deletes = "", leaves = ""; // the preset that is open; which is to be deleted; who is to leave
const open = { rules: false, merging: false }; // which parts are unfolded
const form = { game: null, players: [], values: {}, match: 0, text: "", preset: "" };

export function showForm(snapshot) {
  [now, words] = [snapshot, snapshot.words];
}

async function load() {
  const answer = await ask("/setup");
  if (!answer) return false;
  [offered, form.match] = [answer, now.match];
  return true;
}

// Open the form. It asks the table what it can offer each time.
export async function openForm() {
  if (!await load()) return;
  form.text = "";
  if (!form.players.length) form.players = [...(offered.last[0]?.players ?? [])];
  if (form.game && !offered.games.some((game) => game.id === form.game.id)) form.game = null;
  draw();
  if (!find("setup").open) find("setup").showModal();
  find("setup").scrollTop = 0;
}

const first = (game) => Object.keys(game.presets)[0];
const usual = (game, preset) => ({ ...game.presets[preset ?? first(game)] });

// Choose a game, with the options of a match that was played before, or as usual.
function choose(game, settings = [], preset = "") {
  Object.assign(form, { game, preset, text: "" }); // what was searched for is found
  form.values = game ? { ...usual(game, Object.fromEntries(settings).rules), ...Object.fromEntries(settings) } : {};
  draw();
  if (game) find("setup").scrollTop = 0;
}

// What differs from what the rule text that was chosen says: only that is sent.
function settings() {
  const { game, values } = form, preset = values.rules ?? first(game);
  const own = Object.entries(values).filter(([name, value]) => name !== "rules" && value !== game.presets[preset][name]);
  return preset === first(game) ? own : [["rules", preset], ...own];
}

// Draw the form again. The focus stays where it was: a keyboard goes on from there.
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
  const { game } = form;
  find("setup-title").textContent = words.setup;
  find("setup-again").replaceChildren(...(game ? [] : again()));
  find("setup-keep").replaceChildren(...(game ? [keepRow()] : []));
  find("setup-games").replaceChildren(...(game ? chosen() : search()));
  find("setup-players").hidden = find("setup-rules").hidden = find("setup-start").hidden = !game;
  find("setup-start").textContent = game ? words.start.replace("{game}", game.name) : "";
  find("setup-wrong").textContent = "";
  if (!game) return;
  find("setup-players").replaceChildren(...seatRows(), ...mergeRows());
  find("setup-rules").replaceChildren(...optionRows());
}

// Return a part that unfolds.
function folded(title, isOpen, ...inside) {
  const made = holding("details", "house", holding("summary", "", ...title), ...inside);
  made.open = isOpen;
  return made;
}

// Return a field for a name, and the button beside it, which Enter presses as well.
function adding(id, label, word, take, more = {}) {
  const typed = element("input");
  Object.assign(typed, { id, autocomplete: "off", placeholder: label, enterKeyHint: "done", ...more });
  typed.setAttribute("aria-label", label);
  const made = button("small", word, () => take(typed, made));
  onKeys(typed, ["Enter"], () => take(typed, made));
  return holding("div", "adding", typed, made);
}

// Matches that can go on, and the last one again: one tap each.
function again() {
  const line = (word, { name, players, note }, take) => beginning(word.replace("{game}", name), [players.map(apart).join(", "), note], take);
  const made = [
    ...offered.own.map(presetRow),
    ...offered.open.filter((match) => match.number !== now.match).map((match) => line(words.go_on, match, () => decide({ do: "resume", number: match.number }))),
  ];
  for (const match of offered.last) {
    const game = offered.games.find((one) => one.id === match.game);
    if (game) made.push(line(words.again, match, () => { form.players = [...match.players]; choose(game, match.settings); }));
  }
  if (offered.unreadable) made.push(element("p", "note", offered.unreadable));
  if (now.match) made.push(button("again stop", words.stop, () => decide({ do: "stop" })), ending());
  return [...made, ...tableSeats()];
}

function beginning(title, parts, take) {
  const made = button("again", "", take);
  made.append(element("b", "", title), element("span", "", parts.filter(Boolean).join("; ")));
  return made;
}

// Ending a match for good is asked twice: the second tap does it.
function ending() {
  const made = button("again end", words.end, () => {
    if (made.classList.contains("sure")) return decide({ do: "end" });
    made.classList.add("sure");
    made.textContent = words.sure;
  });
  return made;
}

function search() {
  const typed = element("input", "search"), list = element("ul", "games");
  Object.assign(typed, { type: "search", value: form.text, placeholder: words.search });
  typed.setAttribute("aria-label", words.search);
  const fill = () => {
    form.text = typed.value;
    const wanted = typed.value.trim().toLocaleLowerCase();
    const meant = (name) => name.toLocaleLowerCase().includes(wanted);
    list.replaceChildren(...offered.games.flatMap((game) => {
      if (meant(game.name)) return [card(game, "")];
      const other = game.others.find(meant); // a search for Farkle finds Ten Thousand
      return other ? [card(game, other)] : [];
    }));
  };
  typed.addEventListener("input", fill);
  onKeys(typed, ["Enter"], () => list.querySelector("button")?.click());
  fill();
  return [element("h3", "", words.which), typed, list];
}

function card(game, other) {
  const made = button("game", "", () => choose(game)), players = game.least === game.most ? `${game.most}` : `${game.least}–${game.most}`;
  made.id = `game-${game.id}`;
  made.append(picture(game), element("small", "", players), element("span", "label", game.name));
  if (other) made.append(element("small", "label", other));
  return holding("li", "", made);
}

function picture(game) {
  return setAttributes(holding("span", "small-dice", ...FACES.slice(0, Math.min(game.dice, MOST_DICE)).map(die)), { "aria-hidden": "true" });
}

function chosen() {
  const { game } = form, change = button("small", words.other_game, () => choose(null));
  change.id = "other-game";
  const rules = holding("details", "", element("summary", "", words.rules), ...paragraphs(game.help).map((text) => element("p", "", text)));
  return [holding("div", "chosen", element("h3", "", game.name), change, picture(game)), rules];
}

// The lines of a rules text are of one length: one that does not end a sentence, in any script, goes on in the next.
function paragraphs(text) {
  return text.split("\n").filter(Boolean).reduce((made, line) => {
    const last = made.at(-1) ?? "";
    return last && !/[.:!?\u3002\uff01\uff1f\u061f]$/.test(last) ? [...made.slice(0, -1), `${last} ${line}`] : [...made, line];
  }, []);
}

// The players, in the order of the seats, clockwise: the first begins.
const plain = (name) => name.trim().replace(/\s+/g, " ").normalize("NFC").toLocaleLowerCase();

function seatRows() {
  const { players, game } = form, sits = new Set(players.map(plain)), full = players.length >= game.most;
  const known = full ? [] : offered.names.filter((name) => !sits.has(plain(name))).slice(0, MOST_KNOWN);
  return [
    element("h3", "", words.who),
    holding("ol", "seats", ...players.map(seat)),
    element("p", "count", players.length < game.least ? words.least.replace("{n}", game.least) : ""),
    holding("ul", "names", ...known.map((name) => holding("li", "", button("small", `+ ${name}`, () => { players.push(name); draw(); })))),
    ...(full ? [] : [newName()]),
  ];
}

function seat(name, at) {
  const { players } = form;
  const step = (className, text, label, take) => button(className, text, () => { take(); draw(); }, `${name}: ${label}`);
  const begins = step("begins", words.begins, words.begins, () => players.push(...players.splice(0, at))); // the seats stay in their order
  begins.setAttribute("aria-pressed", String(at === 0));
  const up = step("step", "↑", words.up, () => { [players[at - 1], players[at]] = [players[at], players[at - 1]]; });
  up.disabled = at === 0;
  return holding("li", "seat", element("span", "name", name), begins, up, step("step", "✕", words.remove, () => players.splice(at, 1)));
}

// Return why nobody can play under this name, empty if the name will do; the table has the last word.
function fault(name) {
  const longest = offered.longest.name;
  const letters = globalThis.Intl?.Segmenter ? [...new Intl.Segmenter().segment(name)].length : [...name].length;
  if (letters > longest) return words.too_long.replace("{text}", name).replace("{n}", longest);
  return /[\s,=]/.test(name) ? words.no_spaces.replace("{text}", name) : "";
}

// A new name, typed; written as before if a player of this name is known.
function newName() {
  const row = adding("new-name", words.new_name, words.add, (typed) => {
    const name = typed.value.trim(), wrong = name && fault(name);
    if (!name) return;
    find("setup-wrong").textContent = wrong;
    if (wrong) return typed.select();
    form.players.push(offered.names.find((known) => plain(known) === plain(name)) ?? name);
    draw();
    find("new-name")?.focus();
  }, { autocapitalize: "words" });
  row.lastElementChild.id = "add-name";
  return row;
}

// Two spellings of one person: merged here, and parted again.
function mergeRows() {
  const merged = Object.entries(offered.same), several = offered.names.length > 1;
  if (!several && !merged.length) return [];
  const [name, means] = [words.this_name, words.means].map((label) => {
    const made = select(["", ...offered.names].map((one) => [one, one || label]), "", () => {
      merge.disabled = !name.value || !means.value || name.value === means.value;
    });
    made.setAttribute("aria-label", label);
    return made;
  });
  const merge = button("small", words.merge, () => decideHere({ do: "merge", name: name.value, means: means.value }));
  merge.disabled = true;
  const part = ([from, to]) => holding("div", "seat", element("span", "name", `${from} → ${to}`),
    button("small", words.part, () => decideHere({ do: "merge", name: from, means: from }), `${from}: ${words.part}`));
  const made = folded([words.merge_names], open.merging, element("p", "", words.merge_note),
    ...(several ? [holding("div", "merge", name, element("span", "", "→"), means, merge)] : []), ...merged.map(part));
  made.addEventListener("toggle", () => { open.merging = made.open; });
  return [made];
}

// Who leaves the match that is played, and who joins it; leaving is asked twice.
function tableSeats() {
  if (!now.match || !offered.seats) return [];
  const { present, left, joining } = offered.seats;
  const row = (name, className, text, take) => holding("li", "seat", element("span", "name", name), button(className, text, take, `${name}: ${text}`));
  const list = holding("ul", "seats", ...present.map((name) => {
    const sure = leaves === name;
    return row(name, sure ? "small sure" : "small", sure ? words.leaves_sure.replace("{name}", name) : words.leaves, () => {
      if (sure) return decide({ do: "leave", name });
      leaves = name;
      draw();
    });
  }), ...left.map((name) => row(name, "small", words.comes_back, () => decide({ do: "join", name }))));
  const join = (typed) => { if (typed.value.trim()) decide({ do: "join", name: typed.value }); };
  return [folded([words.at_table], present.includes(leaves), list, ...(joining ? [adding("join-name", words.new_name, words.joins, join)] : []))];
}

// The house rules: which text is followed, and every option with its line of help.
function optionRows() {
  const { game, values } = form, preset = values.rules ?? first(game);
  if (!game.options.length) return [];
  const changed = game.options.filter(({ name }) => name !== "rules" && values[name] !== game.presets[preset][name]);
  const named = [...(preset === first(game) ? [] : [preset]), ...changed.map((option) => option.label)];
  const set = (name, value) => {
    if (name === "rules") form.values = { ...usual(game, value), ...Object.fromEntries(changed.map((one) => [one.name, values[one.name]])) };
    else form.values = { ...values, [name]: value };
    draw();
    find(`option-of-${name}`)?.focus();
  };
  const made = folded([words.house, " ", element("small", "", named.join(", ") || words.usual)], open.rules,
    ...game.options.map((option) => optionRow(option, values[option.name], changed.includes(option), (value) => set(option.name, value))));
  made.addEventListener("toggle", () => { open.rules = made.open; });
  return [made];
}

function optionRow(option, value, changed, set) {
  const name = element("label", "", option.label), control = CONTROLS[option.kind](option, value, set), help = element("p", "", option.help);
  control.id = name.htmlFor = `option-of-${option.name}`;
  help.id = `help-of-${option.name}`;
  control.setAttribute("aria-describedby", help.id);
  return holding("div", changed ? "rule changed" : "rule", name, control, help);
}

// Return a choice of [value, text]. set: called with the value that is chosen.
function select(choices, value, set) {
  const made = holding("select", "", ...choices.map(([given, text]) => Object.assign(element("option", "", text), { value: given, selected: given === value })));
  made.addEventListener("change", () => set(made.value));
  return made;
}

function input(properties, set) {
  const made = Object.assign(element("input"), properties);
  made.addEventListener("change", () => set(made));
  return made;
}

const CONTROLS = {
  flag: (_, checked, set) => input({ type: "checkbox", checked }, (made) => set(made.checked)),
  choice: ({ choices }, value, set) => select(choices, value, set),
  number: ({ least, most }, value, set) => input({ type: "number", min: least, max: most, value, inputMode: "numeric" },
    (made) => set(Number.isInteger(made.valueAsNumber) ? made.valueAsNumber : value)),
};

// A preset: what a match is begun with, under a name. One tap begins it.
function presetRow(own) {
  const isOpen = openPreset === own.preset, sure = deletes === own.preset;
  const begins = beginning(own.preset, [own.name, own.players.map(apart).join(", "), own.note], () => decide({ do: "begin", game: own.game, players: own.players, settings: own.settings }));
  const more = button("step", "⋯", () => { [openPreset, deletes] = [isOpen ? "" : own.preset, ""]; draw(); }, `${own.preset}: ${words.change}`);
  more.setAttribute("aria-expanded", String(isOpen));
  const made = holding("div", "own", holding("div", "own-line", begins, more));
  if (isOpen) made.append(
    adding("preset-name", words.preset_name, words.rename, (typed) => decideHere({ do: "rename-preset", name: own.preset, new: typed.value }),
      { value: own.preset, maxLength: offered.longest.preset }),
    holding("div", "two", button("small", words.change_preset, () => change(own)), button(sure ? "small sure" : "small", sure ? words.delete_sure : words.delete, () => {
      if (sure) return decideHere({ do: "forget-preset", name: own.preset });
      deletes = own.preset;
      draw();
    })),
  );
  return made;
}

function change(own) {
  form.players = [...own.players];
  choose(offered.games.find((game) => game.id === own.game), own.settings, own.preset);
}

// What keeps the filled form under a name. The preset that it was opened with is replaced without a question.
function keepRow() {
  const ask = (made, sure) => { made.classList.toggle("sure", sure); made.textContent = sure ? words.replace_sure : words.keep_preset; };
  const row = adding("keep-name", words.preset_name, words.keep_preset, (typed, made) => {
    const name = plain(typed.value), there = offered.own.some((own) => plain(own.preset) === name);
    if (there && name !== plain(form.preset) && !made.classList.contains("sure")) return ask(made, true);
    keep(typed.value, there);
  }, { value: form.preset, maxLength: offered.longest.preset });
  row.firstElementChild.addEventListener("input", () => ask(row.lastElementChild, false));
  return folded([words.as_preset], Boolean(form.preset), row);
}

const filled = () => ({ game: form.game.id, players: form.players, settings: settings() });

// Keep what is filled in under a name.
async function keep(name, replace) {
  addTyped();
  if (await decideHere({ do: "keep-preset", name, replace, ...filled() })) say(words.preset_kept);
}

// Decide something behind the form, and show what it has become; return whether it was done.
async function decideHere(command) {
  const why = {}, done = await send({ ...command, match: form.match }, why);
  if (done) await load();
  draw();
  if (why.text) find("setup-wrong").textContent = why.text;
  return done;
}

// A name that was typed and not added yet counts.
function addTyped() {
  const typed = find("new-name")?.value.trim();
  if (typed) form.players.push(typed);
}

find("close-setup").addEventListener("click", () => find("setup").close());
find("setup-form").addEventListener("submit", (event) => {
  event.preventDefault();
  addTyped();
  decide({ do: "begin", ...filled() });
});

// Decide, and close the form if it was done; else say what has to be changed.
async function decide(command) {
  const why = {};
  if (await send({ ...command, match: form.match }, why)) {
    Object.assign(form, { game: null, players: [] });
    find("setup").close();
  } else if (why.text) {
    draw();
    find("setup-wrong").textContent = why.text;
    if (!form.players.length) find("new-name")?.focus();
  }
}
