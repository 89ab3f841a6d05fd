// The lobby: what can go on, all games as tiles, and a match set up: who plays in which seats, the house rules. What is
// chosen stays while one looks around. It opens above a match, and stands in place of an empty table.

import { say, send } from "./actions.js";
import { ask } from "./link.js";
import { die } from "./dice.js";
import { apart, button, element, find, holding, knowNames, onKeys, sentence, set as setAttributes, svg, whole } from "./dom.js";

const MOST_DICE = 6; // in the picture of a game
const FACES = [5, 3, 6, 2, 4, 1];
const MOST_KNOWN = 12; // names that are offered by a tap
const MOST_RECENT = 4; // games played here last, before the popular ones
const QUICK_MIN = 10; // minutes of a match that is quick
const KINDS = ["sheets", "risk", "tactics", "bluff", "luck"];
const TRIAL = "pig"; // the game that is tried without setting anything up: its rules are one sentence
let now = null, offered = null, words = {};
let openPreset = "", deletes = "", leaves = ""; // the preset that is open; which is to be deleted; who is to leave
const open = { rules: false, merging: false, match: false, others: false, keeping: false }; // which parts are unfolded
const form = { game: null, called: "", players: [], values: {}, match: 0, text: "", kind: "popular", preset: "" };

export function showForm(snapshot) {
  now = snapshot;
  if (words.language !== now.words.language && find("setup").open) load().then((done) => { if (done) draw(); });
}

async function load() {
  const answer = await ask("/setup");
  if (!answer) return false;
  [offered, words, form.match] = [answer, { ...now.words, ...answer.words }, now.match];
  return true;
}

// Open the form. It asks the table what it can offer each time. inFlow: in place of the empty table, not above a match.
export async function openForm(inFlow) {
  if (!await load()) return;
  form.text = "";
  [open.match, open.others] = [false, false];
  if (!form.players.length) form.players = [...(offered.last[0]?.players ?? [])];
  if (form.game && !offered.games.some((game) => game.id === form.game.id)) form.game = null;
  const asked = offered.games.find(({ id }) => location.hash === `#${id}`); // by the first steps
  if (asked) choose(asked);
  if (asked) history.replaceState(null, "", location.pathname);
  document.body.classList.toggle("lobby", inFlow);
  draw();
  if (!find("setup").open) inFlow ? find("setup").show() : find("setup").showModal();
  find("setup").scrollTop = 0;
}

const first = (game) => Object.keys(game.presets)[0];
const usual = (game, preset) => ({ ...game.presets[preset ?? first(game)] });

// Choose a game, with the options of a match that was played before, or as usual. called: the name that it is played under.
function choose(game, settings = [], preset = "", called = "") {
  const { called: before, ...given } = Object.fromEntries(settings), rules = given.rules ?? game?.names?.[called];
  Object.assign(form, { game, preset, text: "", called: before ?? called }); // what was searched for is found
  open.keeping = Boolean(preset);
  form.values = game ? { ...usual(game, rules || undefined), ...(rules ? { rules } : {}), ...given } : {};
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
  const held = document.activeElement, place = held?.closest("#setup-form > *, #setup-more > *");
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
  knowNames([...offered.names, ...form.players]);
  find("setup-form").classList.toggle("chosen", Boolean(game));
  find("setup-title").textContent = game ? titleOf(game) : words.lobby;
  find("other-game").hidden = !game;
  find("other-game").setAttribute("aria-label", words.other_game);
  find("setup-menu").textContent = words.table_menu;
  const quick = game ? [] : again(), mayTry = !game && !now.match;
  find("setup-again").replaceChildren(...(quick.length || !mayTry ? quick : [trial("first")])); // for who is new here
  find("setup-try").replaceChildren(...(quick.length && mayTry ? [trial("")] : []));
  find("setup-keep").replaceChildren(...(game ? [keepRow()] : []));
  find("setup-games").replaceChildren(...(game ? chosen() : search()));
  find("setup-players").hidden = find("setup-rules").hidden = find("setup-start").hidden = !game;
  find("setup-start").textContent = game ? words.start.replace("{game}", titleOf(game)) : "";
  find("setup-wrong").textContent = "";
  if (!game) return;
  find("setup-players").replaceChildren(...seatRows(), ...mergeRows());
  find("setup-rules").replaceChildren(...optionRows());
}

const titleOf = (game) => form.called || game.name;

// Return a part that unfolds, and stays so when all is drawn again. part: its name among `open`.
function folded(title, part, ...inside) {
  const made = holding("details", `house ${part}`, holding("summary", "", ...title), ...inside);
  made.open = open[part];
  made.addEventListener("toggle", () => { open[part] = made.open; });
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

// What needs one tap: the newest match that can go on, the last one again, own presets, and a trial for who is new here.
function again() {
  const going = offered.open.filter((match) => match.number !== now.match), [newest, ...others] = going;
  const goOn = (match, look, scores = []) => beginning(`again ${look}`, words.go_on.replace("{game}", match.name),
    [standing(match.players, scores), match.note], () => decide({ do: "resume", number: match.number }));
  const first = offered.open.find((match) => match.number !== now.match);
  const made = newest ? [goOn(newest, "first", newest === first ? offered.standing : [])] : [];
  if (others.length) made.push(folded([words.more_open.replace("{n}", others.length)], "others", ...others.map((match) => goOn(match, ""))));
  made.push(...offered.own.map(presetRow));
  const [match] = offered.last, game = match && match.number !== newest?.number && offered.games.find((one) => one.id === match.game);
  if (game) made.push(beginning("again last", words.again.replace("{game}", match.name), [standing(match.players), match.note], () => { form.players = [...match.players]; choose(game, match.settings); }));
  if (offered.unreadable) made.push(element("p", "note", offered.unreadable));
  if (now.match) made.push(thisMatch());
  return made;
}

const standing = (players, scores = []) => players.map((name, at) => at in scores ? `${apart(name)}\u00a0${scores[at]}` : apart(name)).join(", ");

// A match for two made-up players, which is offered nowhere later, and neither are they.
function trial(look) {
  const game = offered.games.find((one) => one.id === TRIAL);
  return beginning(`again trial ${look}`, words.try_it, [game && words.try_note.replace("{game}", game.name)], () => decide({ do: "begin", game: TRIAL, players: words.samples.split(", "), settings: [] }));
}

function beginning(className, title, parts, take) {
  const made = button(className, "", take);
  made.append(element("b", "", whole(title)), element("span", "", whole(parts.filter(Boolean).join("; "))));
  return made;
}

// The match that is played: who leaves and joins it; put aside, or ended for good, which is asked twice.
function thisMatch() {
  const end = button("again end", words.end, () => {
    if (end.classList.contains("sure")) return decide({ do: "end" });
    end.classList.add("sure");
    end.textContent = words.sure;
  });
  const { name } = [...offered.open, ...offered.last].find((match) => match.number === now.match) ?? { name: now.game }; // one that is tried out
  return folded([words.this_match.replace("{game}", name)], "match", ...tableSeats(), button("again stop", words.stop, () => decide({ do: "stop" })), end);
}

// All games, by a name that is searched for, or those of a kind.
const plainTitle = (title) => title.toLocaleLowerCase().normalize("NFD").replace(/[\p{M}\s\-_,.']/gu, "");
const namesOf = (game) => [game.name, ...game.others];

function popular() {
  const named = words.popular_games.split("; ").map((title) => {
    const game = offered.games.find((one) => namesOf(one).some((name) => plainTitle(name) === plainTitle(title)));
    return game && [game, title];
  });
  const recent = offered.games.filter((game) => game.recent).slice(0, MOST_RECENT).map((game) => named.find((one) => one?.[0] === game) ?? [game, game.name]);
  return [...new Map([...recent, ...named.filter(Boolean)].map((one) => [one[0].id, one])).values()];
}

// Return games, each with the name by which it is found: names that begin with the text first, a game's main name first.
function found(text) {
  const wanted = plainTitle(text), places = offered.games.flatMap((game) => {
    const there = namesOf(game).filter((name) => plainTitle(name).includes(wanted));
    const far = (name) => 2 * !plainTitle(name).startsWith(wanted) + (name !== game.name), [best] = there.sort((one, other) => far(one) - far(other));
    return best ? [[game, best, far(best)]] : [];
  });
  return places.sort((one, other) => one[2] - other[2]);
}

const ofKind = (kind) => {
  const right = { all: () => true, quick: ({ minutes }) => minutes && minutes <= QUICK_MIN }[kind] ?? ((game) => game.kind === kind);
  return kind === "popular" ? popular() : offered.games.filter(right).map((game) => [game, game.name]).sort(([, one], [, other]) => one.localeCompare(other));
};

function search() {
  const typed = element("input", "search"), list = element("ul", "games"), chips = element("div", "chips");
  Object.assign(typed, { type: "search", value: form.text, placeholder: words.search, enterKeyHint: "go", autocomplete: "off" });
  typed.setAttribute("aria-label", words.search);
  const kinds = ["popular", "quick", ...KINDS, "all"].map((kind) => {
    const made = button("chip", words[kind === "all" ? "all_games" : kind].replace("{n}", offered.games.length), () => { [form.kind, form.text] = [kind, typed.value = ""]; fill(); });
    made.dataset.kind = kind;
    return made;
  });
  chips.append(...kinds);
  const fill = () => {
    const shown = form.text.trim() ? found(form.text) : ofKind(form.kind);
    for (const made of kinds) made.setAttribute("aria-pressed", String(!form.text && made.dataset.kind === form.kind));
    list.replaceChildren(...shown.map(([game, name]) => tile(game, name)), ...(shown.length ? [] : [element("li", "none", words.none_found)]));
  };
  typed.addEventListener("input", () => { form.text = typed.value; fill(); });
  onKeys(typed, ["Enter"], () => list.querySelector("button")?.click());
  fill();
  const lens = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: "M10.5 4a6.5 6.5 0 1 0 .01 0zM15.5 15.5l5 5" }));
  return [holding("div", "find", lens, typed), chips, list];
}

function tile(game, name) {
  const called = name === game.name ? "" : name, made = button("game", "", () => choose(game, [], "", called));
  made.id = `game-${game.id}`;
  made.append(picture(game), element("b", "label", name), ...(called && form.text ? [element("small", "", game.name)] : []),
    element("small", "", facts(game)), element("span", "about", about(game)));
  return holding("li", "", made);
}

// How many play, and for how long.
function facts({ least, most, minutes }) {
  const players = words.of_players.replace("{text}", least === most ? `${most}` : `${least}\u2013${most}`);
  return [players, minutes ? words.minutes.replace("{n}", minutes) : ""].filter(Boolean).map((fact) => fact.replaceAll(" ", "\u00a0")).join(", ");
}

// Return the first sentence of what a game is about, without its heading.
const about = (game) => sentence(/^[^:\uff1a]*[:\uff1a]\s*(.*?[.!?\u3002])(?:\s|$)/.exec(paragraphs(game.help)[0] ?? "")?.[1] ?? "");

// What a board looks like, 48 by 32: what is ivory, what is drawn on that, what is gold.
const BOARDS = {
  boxes: ["M13 1h22v30H13z", "M13 8h22M13 15.5h22M13 23h22M27 1v30", "M28.5 9.5h5v4.5h-5z"],
  track: ["M1 10h8v12H1zM10.5 10h8v12h-8zM20 10h8v12h-8zM29.5 10h8v12h-8zM39 10h8v12h-8z", "", "M24 11.5a4.5 4.5 0 1 0 .01 0z"],
  crossings: ["M3 31 24 1l21 30z", "M16 25l5 5m0-5-5 5M27 25l5 5m0-5-5 5M21.5 15l5 5m0-5-5 5", "M24 1l5 7.200h-10z"],
  counters: ["", "M8 13.5a9 3.5 0 0 0 18 0M8 18.5a9 3.5 0 0 0 18 0M29 21.5a7 3 0 0 0 14 0", "M8 10a9 3.5 0 0 1 18 0v13a9 3.5 0 0 1-18 0zM29 19a7 3 0 0 1 14 0v6a7 3 0 0 1-14 0z"],
  lives: ["M36 25C26 18 27 11 31.5 11q3.5 0 4.5 3.5 1-3.5 4.5-3.5C45 11 46 18 36 25z", "", "M15 28C1 18 2 7 8.5 7q5 0 6.5 5 1.5-5 6.5-5C28 7 29 18 15 28z"],
  beetle: ["M24 10a9 10.5 0 1 0 .01 0z", "M24 10v21M16 14 9 10M14.5 20H6M16 26l-7 4M32 14l7-4M33.5 20H42M32 26l7 4M21 4Q19 1 15 1M27 4q2-3 6-3", "M24 2.5a4.5 4.5 0 1 0 .01 0z"],
  tiles: ["M2 4h9v24H2zM13 4h9v24h-9zM35 4h9v24h-9z", "M5 10h3M16 10h3M38 10h3", "M24 22h9v6h-9z"],
  frames: ["M24 1c4 0 5 4 3.5 8-1.200 3 3 6 3 13 0 5-1.5 9-3.5 9h-6c-2 0-3.5-4-3.5-9 0-7 4.200-10 3-13C19 5 20 1 24 1z", "M20 10h8M20 13h8", "M9 19a5 5 0 1 0 .01 0z"],
  holes: ["M6 28a18 3 0 0 1 36 0z", "M22 28V2", "M23 2l15 5-15 5z"],
};

function picture(game) {
  const faces = [...game.faces].map(Number), dice = (faces.length ? faces : FACES).slice(0, Math.min(Math.max(game.dice, faces.length), MOST_DICE));
  const drawn = (BOARDS[game.layout] ?? []).map((d, at) => svg("path", { d, class: ["ivory", "ink", "gold"][at] }));
  const board = drawn.length ? [svg("svg", { viewBox: "0 0 48 32", class: "plan" }, ...drawn)] : [];
  const made = setAttributes(holding("span", "art", holding("span", "row", ...dice.map(die)), ...board), { "aria-hidden": "true" });
  made.style.setProperty("--across", dice.length > 4 ? 3 : dice.length); // five stand as three above two
  return made;
}

function chosen() {
  const { game } = form, rules = holding("details", "how", element("summary", "", words.rules), ...paragraphs(game.help).map((text) => element("p", "", whole(text))));
  return [holding("div", "what", picture(game), element("p", "facts", facts(game)), element("p", "about", about(game))), rules];
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
  const begins = step("step begins", "", words.begins, () => players.push(...players.splice(0, at))); // the seats stay in their order
  begins.append(svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: "M6 22V3M6 4h12l-3 4 3 4H6" })));
  begins.setAttribute("aria-pressed", String(at === 0));
  const up = step("step", "\u2191", words.up, () => { [players[at - 1], players[at]] = [players[at], players[at - 1]]; });
  up.disabled = at === 0;
  const who = holding("span", "who", element("span", "name", name), ...(at ? [] : [element("small", "", words.begins)]));
  return coloured(holding("li", "seat", avatar(name), who, begins, up, step("step", "\u2715", words.remove, () => players.splice(at, 1))), at);
}

const avatar = (name) => setAttributes(element("span", "avatar", [...name][0]?.toLocaleUpperCase() ?? ""), { "aria-hidden": "true" });

function coloured(made, at) {
  made.style.setProperty("--own", `var(--player-${at})`);
  return made;
}

// Return why nobody can play under this name, empty if the name will do; the table has the last word.
function fault(name) {
  const longest = offered.longest.name;
  const letters = globalThis.Intl?.Segmenter ? [...new Intl.Segmenter().segment(name)].length : [...name].length;
  if (letters > longest) return words.too_long.replace("{text}", name).replace("{n}", longest);
  if (/[\s,=]/.test(name)) return words.no_spaces.replace("{text}", name);
  return form.players.some((player) => plain(player) === plain(name)) ? words.twice.replace("{text}", name) : "";
}

// A new name, typed; written as before if a player of this name is known.
function newName() {
  const row = adding("new-name", words.new_name, words.add, () => {
    if (!addTyped()) return;
    draw();
    find("new-name")?.focus();
  }, { autocapitalize: "words" });
  const wrong = setAttributes(element("p"), { id: "name-wrong", role: "alert" });
  row.lastElementChild.id = "add-name";
  row.firstElementChild.addEventListener("input", ({ target }) => { wrong.textContent = fault(target.value.trim()); });
  return holding("div", "", row, wrong);
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
  return [folded([words.merge_names], "merging", element("p", "", words.merge_note),
    ...(several ? [holding("div", "merge", name, element("span", "", "→"), means, merge)] : []), ...merged.map(part))];
}

// Who leaves the match that is played, and who joins it; leaving is asked twice.
function tableSeats() {
  if (!now.match || !offered.seats) return [];
  const { present, left, joining } = offered.seats;
  const row = (name, className, text, take) => holding("li", "seat", element("span", "name", name), button(className, text, take, `${name}: ${text}`));
  const list = holding("ul", "seats", ...present.map((name) => {
    const sure = leaves === name;
    return row(name, sure ? "small sure" : "small", sure ? words.leaves_sure : words.leaves, () => {
      if (sure) return decide({ do: "leave", name });
      leaves = name;
      draw();
    });
  }), ...left.map((name) => row(name, "small", words.comes_back, () => decide({ do: "join", name }))));
  const join = (typed) => { if (typed.value.trim()) decide({ do: "join", name: typed.value }); };
  return [element("h3", "", words.at_table), list, ...(joining ? [adding("join-name", words.new_name, words.joins, join)] : [])];
}

// The house rules as sentences: which text is followed, and what each option means.
function optionRows() {
  const { game, values } = form, preset = values.rules ?? first(game);
  if (!game.options.length) return [];
  const changed = game.options.filter(({ name }) => name !== "rules" && values[name] !== game.presets[preset][name]);
  const named = game.options.filter((option) => changed.includes(option) || (option.name === "rules" && preset !== first(game)));
  const set = (name, value) => {
    if (name === "rules") form.values = { ...usual(game, value), ...Object.fromEntries(changed.map((one) => [one.name, values[one.name]])) };
    else form.values = { ...values, [name]: value };
    draw();
    find(`option-of-${name}`)?.focus();
  };
  return [folded([words.house, " ", element("small", "", named.map((option) => told(option, values[option.name])).join("; ") || words.usual)], "rules",
    ...game.options.map((option) => optionRow(option, values[option.name], changed.includes(option), (value) => set(option.name, value))))];
}

// Return the sentence for a value of an option; without one its name and the value.
function told({ kind, choices, says, label }, value) {
  if (kind === "choice") return choices.find(([given]) => given === value)?.[1] ?? `${label}: ${value}`;
  return says[value] ?? says.n?.replace("{n}", value) ?? `${label}: ${value}`;
}

function optionRow(option, value, changed, set) {
  const { kind, says, help } = option, [before, after = ""] = (says.n ?? `${option.label}: {n}`).split("{n}");
  const control = CONTROLS[kind](option, value, set), id = `option-of-${option.name}`;
  if (!control.querySelector("#" + id)) control.id = id;
  const note = kind !== "choice" && value in says && says[value] !== option.label ? says[value] : Object.keys(says).length ? "" : help;
  const row = { flag: () => holding("label", "line", element("span", "", option.label), control), number: () => holding("label", "line", before, control, after),
    choice: () => setAttributes(holding("div", "", element("h4", "", option.label), control), { role: "group", "aria-label": option.label }) }[kind]();
  return holding("div", changed ? "rule changed" : "rule", row, ...(note ? [element("p", "", note)] : []));
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
  choice: ({ name, choices }, value, set) => holding("div", name === "rules" ? "chips" : "picks", ...choices.map(([given, text]) => {
    const made = setAttributes(button("chip", text, () => set(given)), { "aria-pressed": given === value });
    if (given === value) made.id = `option-of-${name}`;
    return made;
  })),
  number: ({ least, most }, value, set) => input({ type: "number", min: least, max: most, value, inputMode: "numeric" },
    (made) => set(Number.isInteger(made.valueAsNumber) ? made.valueAsNumber : value)),
};

// A preset: what a match is begun with, under a name. One tap begins it.
function presetRow(own) {
  const isOpen = openPreset === own.preset, sure = deletes === own.preset;
  const begins = beginning("again", own.preset, [own.name, standing(own.players), own.note], () => decide({ do: "begin", game: own.game, players: own.players, settings: own.settings }));
  const more = button("step", "⋯", () => { [openPreset, deletes] = [isOpen ? "" : own.preset, ""]; draw(); }, `${own.preset}: ${words.change}`);
  more.setAttribute("aria-expanded", String(isOpen));
  const made = holding("div", "own", holding("div", "own-line", begins, more));
  if (isOpen) made.append(
    adding("preset-name", words.preset_name, words.rename, (typed) => decideHere({ do: "rename-preset", name: own.preset, new: typed.value }),
      { value: own.preset, maxLength: offered.longest.preset }),
    holding("div", "two", button("small", words.change_preset, () => change(own)), button(sure ? "small delete sure" : "small delete", sure ? words.delete_sure : words.delete, () => {
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
  return folded([words.as_preset], "keeping", row);
}

const filled = () => ({ game: form.game.id, called: form.called, players: form.players, settings: settings() });

// Keep what is filled in under a name.
async function keep(name, replace) {
  if (addTyped() && await decideHere({ do: "keep-preset", name, replace, ...filled() })) say(words.preset_kept);
}

// Decide something behind the form, and show what it has become; return whether it was done.
async function decideHere(command) {
  const why = {}, done = await send({ ...command, match: form.match }, why);
  if (done) await load();
  draw();
  if (why.text) find("setup-wrong").textContent = why.text;
  return done;
}

// A name that was typed counts. Return whether none is left there: what is wrong with it stands beside it.
function addTyped() {
  const typed = find("new-name"), name = typed?.value.trim();
  if (!name) return true;
  const wrong = find("name-wrong").textContent = fault(name);
  if (wrong) typed.select();
  else form.players.push(offered.names.find((known) => plain(known) === plain(name)) ?? name);
  return !wrong;
}

find("close-setup").addEventListener("click", () => find("setup").close());
find("other-game").addEventListener("click", () => {
  const { id } = form.game;
  choose(null);
  find(`game-${id}`)?.focus();
});
find("setup-menu").addEventListener("click", () => find("setup").close()); // below an empty table's lobby is its own menu
find("setup").addEventListener("close", () => {
  document.body.classList.remove("lobby");
  document.dispatchEvent(new Event("redraw"));
});
find("setup-form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (addTyped()) decide({ do: "begin", ...filled() });
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
