// What may be done now. Each action says what it does; dice, boxes and tiles are tapped; throws are entered face by face.

import { die, listenTaps, mark, PRESSES, showTaps, takeTaps } from "./dice.js";
import { button, element, find, holding, isPressAlone, keepFocus, listOf, onChange, onKeys, sentence, set, show } from "./dom.js";
import { FLOOD, LATE, post, REFUSED } from "./link.js";
import { askDigits } from "./pairing.js";

const FACES = [1, 2, 3, 4, 5, 6];
const FEW = 4; // options that are buttons side by side; more stand in a list
const MOST_GROUPS = 3; // groups that are shown at once; of more, one is chosen first
const NEAR_GROUPS = 7; // among so many around it: a row on a phone
const AGAIN_MS = 1000, TOAST_MS = 2600;
const ROLLS_MS = 4000; // simulated dice lie still by then
const FAULTS = { 0: "away", [LATE]: "late", [REFUSED]: "refused", [FLOOD]: "flood" }; // the words for each status
let now = null, you = {}, openSetup = () => {}, toast = 0;
let moment = "", chosen = null, entered = [], sending = false, group = null, waits = false, triedMs = 0, retry = 0;
let given = false; // what was asked was answered from here
let numbers = null; // of tiles, that were tapped; none yet: those that BANK would take
let rolls = false; // the dice that are kept from here are followed by a throw of the others
let rolling = 0; // simulated dice tumble: until the next snapshot with other dice

const redraw = () => document.dispatchEvent(new Event("redraw"));
const sorted = (faces) => [...faces].sort().join(" ");
const due = () => now?.asking?.due.reduce((sum, one) => sum + one.dice, 0) ?? 0;
const mayAnswer = () => Boolean(you.paired && now?.asking && !now.menu && !now.spelling);
const isAsked = (kind) => mayAnswer() && now.asking.kind === kind;
const mayThrow = () => Boolean(you.paired && you.simulated && now.game && !listOf(now) && !now.over && !now.paused);

// Sending

export function say(text) {
  if (!text) return;
  clearTimeout(toast);
  show("toast", text);
  find("toast").showPopover?.(); // above a dialog as well
  toast = setTimeout(() => {
    find("toast").hidePopover?.();
    show("toast", "");
  }, TOAST_MS);
}

// Send what this device may do; return whether it was done, null while the table is away, and say why not.
// why: takes the table's reason.
export async function send(command, why = null) {
  if (!now || !you.paired) return false;
  const answer = await post("/api/v1/command", command), status = answer?.status ?? 0;
  const told = status === REFUSED && why ? (await answer.json().catch(() => null))?.why : "";
  if (told) why.text = told;
  else if (answer || document.querySelector("dialog[open]")) say(now.words[FAULTS[status]]); // which covers the line on top
  return answer && answer.ok;
}

export const act = (command, at = 0) => send({ do: command, asks: now?.asks, at }); // a button, or a line of a list

// Return what each other face of a die would change, null if it was changed already.
export async function would(die) {
  const answer = await post("/would", die);
  if (!answer?.ok) say(now.words[FAULTS[answer?.status ?? 0]]);
  return answer?.ok ? answer.json() : null;
}

async function answer(command) {
  if (sending || !mayAnswer()) return;
  const asked = moment;
  [sending, triedMs] = [true, Date.now()];
  redraw();
  const done = await send({ ...command, moment: now.asking.moment });
  if (asked !== moment) return;
  [sending, given, waits] = [false, Boolean(done), done === null && entered.length > 0];
  if (done === false) [chosen, entered, rolls] = [null, [], false]; // while the table is away all stays as it was tapped
  redraw();
}

// The table is heard: send a throw that was entered while it was away, if it still asks for that; once a second at most.
export function sendWaiting() {
  clearTimeout(retry);
  if (!waits || !mayAnswer() || entered.length !== due()) return;
  if (Date.now() - triedMs < AGAIN_MS) retry = setTimeout(sendWaiting, AGAIN_MS);
  else answer({ do: "enter", faces: entered });
}

async function roll() {
  rolling = Date.now() + ROLLS_MS;
  setTimeout(redraw, ROLLS_MS);
  redraw();
  if (!await act("throw")) {
    rolling = 0;
    redraw();
  }
}

// Showing

// Show what can be done. What was tapped for another question is dropped, and not in silence. setup: opens the form.
export function showActions(snapshot, who, setup) {
  const newest = snapshot.happened.at(-1), before = now?.happened.at(-1);
  [now, you, openSetup] = [snapshot, who, setup];
  if (newest !== before) rolling = 0;
  follow();
  const place = find("answers"), listed = mayAnswer() && (due() ? entry() : isListed() ? choice(now.asking.options) : []);
  onChange("answers", [now.asking, you.paired, Boolean(now.menu ?? now.spelling), entered, waits, group, now.words.language], () =>
    keepFocus(place, () => place.replaceChildren(...(listed || []))));
  place.hidden = !place.children.length;
  lists().forEach(showChosen);
  showDiceTaps();
  showNumbers();
  showBar();
  if (rolls && (now.awaited || isAsked("stop"))) {
    rolls = false;
    if (mayThrow() && !due()) roll();
    else if (isAsked("stop")) answerBox(1 - (now.asking.at ?? 1)); // "and roll" was said already
  }
}

// Forget what was tapped once something else is asked.
function follow() {
  const asked = JSON.stringify(now.asking?.moment ?? null), open = entered.length && !sending && !given;
  if (asked === moment || (open && mayAskAgain())) return;
  if (open && !(waits && isThere())) say(now.words.late);
  [moment, chosen, numbers, entered, sending, group, given, waits] = [asked, null, null, [], false, null, false, false];
}

// A table that was started again asks nothing at first, and then what it asked before.
const mayAskAgain = () => !now.asking && !now.over && [0, JSON.parse(moment)?.[0]].includes(now.match);

// Return whether the throw that was entered was taken, though its answer was lost on the way.
const isThere = () => sorted(now.history.events.find((event) => event.kind === "throw")?.dice.map((die) => die.face) ?? []) === sorted(entered);

function showDiceTaps() {
  const dice = find("dice");
  if (!isAsked("keep")) chosen = null;
  now.dice.forEach((shown, at) => {
    if (dice.children[at]) mark(dice.children[at], { ...shown, kept: chosen ? chosen.has(at) : shown.kept }, now.words);
  });
  dice.classList.toggle("again", Boolean(mayAnswer() && due()));
  document.body.classList.toggle("rolling", rolling > Date.now() || Boolean(rolls && you.simulated && (sending || given)));
  showTaps(dice, now, you);
}

// Actions

// Return the actions, the main one last: {id, text, take, off}.
function actions() {
  const { words } = now;
  if (!you.paired) return [{ id: "join", text: words.join, take: askDigits }];
  if (isStart()) return [{ id: "open-setup", text: words.setup, take: openSetup }, ...(now.match ? [{ id: "back", text: words.back, take: back }] : [])];
  if (now.menu || now.spelling) return [{ id: "back", text: words.back, take: back }, ...(now.menu?.guided ? [...pressed("hold"), ...pressed("bank")] : [])];
  if (!now.game) return [{ id: "open-setup", text: words.setup, take: openSetup }];
  if (now.over) return [{ id: "another", text: words.other_game, take: openSetup }, ...pressed("bank", words.rematch)];
  if (rolling > Date.now()) return [{ id: "throw", text: words.rolls, off: true }];
  if (mayAnswer() && due()) return entered.length ? [{ id: "clear", text: words.take_back, take: takeBack }] : [];
  if (isAsked("keep")) return keeping();
  if (isAsked("stop")) return stopping();
  if (mayAnswer()) return choosing();
  if (now.unread) return [...pressed("bank"), ...(now.awaited ? throwing() : [])]; // dice of another match may lie there
  if (!now.awaited || now.paused) return [...pressed("hold"), ...pressed("bank")];
  return throwing();
}

const throwing = () => mayThrow() ? [{ id: "throw", text: sentence(now.ask), take: roll }] : [];

const isStart = () => Boolean(now.menu?.main);
const pressed = (name, text = sentence(now[name])) => now[name] ? [{ id: name, text, take: () => act(name) }] : [];

// "Back" goes back; where a long BANK would take what is shown, the line that leads back is taken instead.
function back() {
  const leave = now.menu?.leave ?? null;
  if (leave === null) act("undo");
  else act("take", leave);
}

function keeping() {
  const { words, asking } = now, part = kept(), at = asking.legal.findIndex((legal) => sorted(legal) === sorted(part));
  const left = now.dice.length - marked().size || asking.again, faces = part.join(" "), ends = asking.bank;
  const keep = part.length ? words.keep.replace("{faces}", faces) : words.keep_nothing;
  const text = left ? words.keep_roll.replace("{text}", keep).replace("{n}", left) : keep;
  const main = { id: "keep", text, off: at < 0, take: () => { rolls = left > 0; answer({ do: "keep", faces: part }); } };
  if (!ends) return [main];
  const offered = now.dice.filter((shown, place) => shown.kept && !asking.fixed.includes(place)).map((shown) => shown.face);
  const gives = sorted(part) === sorted(offered) ? ` ${ends.gives}` : "";
  const bank = { id: "bank", text: `${keep}, ${ends.label}${gives}`, off: at < 0, take: () => answer({ do: "keep", faces: part, bank: true }) };
  return [bank, main];
}

function stopping() {
  const { options, at } = now.asking, stop = at ?? 1; // rolling on comes first
  const bank = { id: "bank", text: textOf(options[stop]), take: () => answerBox(stop) };
  return [bank, { id: "roll", text: now.words.roll_again, take: you.simulated ? roll : () => answerBox(1 - stop) }];
}

// The option that BANK would take is the main action. A few others stand beside it, boxes and tiles are tapped.
function choosing() {
  if (isNumbered()) return numbering();
  const { options, at } = now.asking, takes = (option, index) => ({ id: `option-${index}`, text: textOf(option), take: () => answerBox(index) });
  if (isListed()) return [];
  if (at === null) return options.map(takes);
  const main = takes(options[at], at), others = options.map(takes).filter((_, index) => index !== at);
  return options.some(onSheet) ? [main] : [...others, main];
}

// Tiles and numbers are tapped one by one: what is tapped is an option, or may become one.
const CALLED = { tiles: "shut", crossings: "cross" }; // the words for it, by the layout
const numbersOf = (label) => label.split(" ").map(Number);
const isNumbered = () => isAsked("choose") && now.layout in CALLED && now.asking.options.some(({ label }) => !numbersOf(label).some(Number.isNaN));
const tapped = () => numbers ?? numbersOf(now.asking.options[now.asking.at ?? 0].label).filter(Boolean);

// Return whether an option has all of these numbers, each as often.
const mayBe = (some) => now.asking.options.some(({ label }) => {
  const left = numbersOf(label);
  return some.every((number) => left.includes(number) && left.splice(left.indexOf(number), 1));
});

function numbering() {
  const { options } = now.asking, at = options.findIndex(({ label }) => sorted(numbersOf(label)) === sorted(tapped()));
  const text = now.words[CALLED[now.layout]].replace("{text}", [...tapped()].sort((one, other) => one - other).join(" + ") || "–");
  const others = options.flatMap(({ label }, index) => numbersOf(label).some(Number.isNaN) ? [{ id: `option-${index}`, text: sentence(label), take: () => answerBox(index) }] : []);
  return [...others, { id: "numbers", text, off: at < 0, take: () => answerBox(at) }];
}

function tapNumber(number) {
  const own = numbers ?? [];
  if (mayBe([...own, number])) numbers = [...own, number];
  else numbers = own.includes(number) ? own.filter((other) => other !== number) : [number];
  redraw();
}

// Mark the numbers that are to be taken, and let those that can be be tapped.
function showNumbers() {
  for (const place of document.querySelectorAll("#drawing .turn [data-number]")) {
    const number = Number(place.dataset.number), may = isNumbered() && mayBe([number]), times = may ? tapped().filter((one) => one === number).length : 0;
    set(place, { role: may ? "button" : null, tabindex: may ? 0 : null, "aria-pressed": may ? times > 0 : null, "data-times": times > 1 ? times : null });
  }
}

const onSheet = (option) => option.row !== null;
const isListed = () => mayAnswer() && !due() && !isNumbered() && now.asking.options.length > FEW && !now.asking.options.some(onSheet);

function textOf({ label, gives, row }) {
  if (gives === null) return sentence(label);
  return row === null ? `${sentence(label)} ${gives}` : now.words.score_in.replace("{n}", gives).replace("{box}", sentence(label));
}

function showBar() {
  const all = actions();
  onChange("bar", all.map(({ id, text, off }) => [id, text, Boolean(off || sending)]), () => keepFocus(find("bar"), () =>
    find("bar").replaceChildren(...all.map(({ id, text, off }, at) => {
      const made = button(at === all.length - 1 ? "large main" : "large", text, () => actions()[at]?.take?.());
      made.id = id;
      made.disabled = Boolean(off || sending);
      if (id === "throw" || (id === "roll" && you.simulated)) made.dataset.throw = "";
      return made;
    }))));
  find("undo").hidden = !you.paired || Boolean(listOf(now));
  find("undo").setAttribute("aria-label", now.words.undo);
  find("menu").hidden = !you.paired || Boolean(listOf(now));
  find("menu").textContent = now.words.table_menu;
  find("bar").setAttribute("aria-label", now.words.buttons);
  const does = ["bank", "hold"].filter((name) => now[name]).map((name) => `${name.toUpperCase()} ${now[name]}`);
  show("reminder", you.paired && !you.simulated && does.length ? due() ? now.words.by_hand : now.words.on_device.replace("{text}", does.join(", ")) : "");
}

// Dice

const marked = () => chosen ?? new Set(now.dice.flatMap((shown, at) => shown.kept ? [at] : []));
const kept = () => [...marked()].filter((at) => !now.asking.fixed.includes(at)).map((at) => now.dice[at].face).sort();

function tapKeep(at) {
  if (now.asking.fixed.includes(at)) return;
  chosen = new Set(marked());
  if (!chosen.delete(at)) chosen.add(at);
  redraw();
}

// Lists of options

// Many claims stand in groups: first how many, then of which face.
function choice(options) {
  const groups = new Map();
  options.forEach((option, at) => groups.set(option.group, [...(groups.get(option.group) ?? []), [option, at]]));
  if (groups.size > MOST_GROUPS) return picker(groups, options);
  return [...groups].flatMap(([name, own]) => {
    own.sort(([one], [other]) => (other.gives ?? 0) - (one.gives ?? 0)); // as HOLD walks: what gives most first
    const list = holding("ul", "boxes", ...own.map(([option, at]) => optionLine(option, at)));
    return name ? [element("h3", "", name), list] : [list];
  });
}

function picker(groups, options) {
  const current = groups.has(group) ? group : options[now.asking.at ?? 0].group;
  const all = [...groups.keys()], from = Math.max(0, Math.min(all.indexOf(current) - (NEAR_GROUPS >> 1), all.length - NEAR_GROUPS));
  const names = all.slice(from, from + NEAR_GROUPS).map((name) => {
    const made = button("", name, () => { group = name; redraw(); });
    made.id = `group-${name}`;
    made.setAttribute("aria-pressed", String(name === current));
    return made;
  });
  const claims = groups.get(current).map(([option, at]) => {
    const line = optionLine(option, at), face = FACES.find((one) => option.label === `${option.group} ${one}`);
    if (!face) return line;
    line.firstElementChild.replaceChildren(element("span", "", option.group), die(face));
    line.firstElementChild.setAttribute("aria-label", option.label);
    return line;
  });
  return [holding("div", "groups", ...names), holding("ul", "claims", ...claims)];
}

function optionLine({ label, gives }, at) {
  const made = button(at === now.asking.at ? "option here" : "option", "", () => answerBox(at), gives === null ? "" : `${label}: ${gives}`);
  made.id = `option-${at}`;
  made.append(element("span", "", sentence(label)));
  if (gives !== null) made.append(" ", element("b", gives ? "" : "zero", String(gives)));
  return holding("li", "", made);
}

export const answerBox = (at) => answer({ do: "choose", at });

// Keep all dice, and write them into a box by its place among those that are open.
export const answerBoxNow = (at) => answer({ do: "write", at, faces: now.dice.map((shown) => shown.face) });

// A long list scrolls in a place of its own: let what is chosen be seen there, and an edge fade where there is more.
function showChosen(list) {
  const here = list.querySelector(".here, [aria-pressed=true]");
  const below = here ? here.offsetTop + here.offsetHeight - list.clientHeight : 0;
  if (here && (below > list.scrollTop || here.offsetTop < list.scrollTop)) list.scrollTop = below;
  fade(list);
}

const lists = () => find("answers").querySelectorAll("ul, .groups");
const fade = (list) => list.classList.toggle("more", list.scrollTop + list.clientHeight < list.scrollHeight - 1);

// Faces

// Return the dice that were entered, and places for those that are due.
export const faceByFace = (faces, due) => [...faces.map((face) => die(face)), ...Array.from({ length: Math.max(0, due - faces.length) }, () => element("span", "due"))];

// The dice entered so far, player by player where several throw at once, and the six faces.
function entry() {
  let first = 0;
  const rows = now.asking.due.map(({ who, dice }) => {
    const isNext = entered.length >= first && entered.length < first + dice, own = entered.slice(first, first += dice);
    const whose = now.asking.due.length > 1 ? [element("span", "whose", who)] : [];
    return holding("div", isNext ? "entered next" : "entered", ...whose, ...faceByFace(own, dice));
  });
  const keys = holding("ul", "keys", ...FACES.map((face) => {
    const made = button("key", "", () => enter(face), String(face));
    made.id = `face-${face}`;
    made.append(die(face));
    return holding("li", "", made);
  }));
  const tip = waits && entered.length === due() ? now.words.waits : now.words.tap_faces; // always one: no face moves under a finger
  return [...rows, element("p", "tip", tip), keys];
}

function enter(face) {
  if (sending || entered.length >= due()) return;
  entered = [...entered, face];
  redraw();
  if (entered.length === due()) answer({ do: "enter", faces: entered });
}

function takeBack() {
  if (sending) return;
  [chosen, entered] = [null, entered.slice(0, -1)];
  redraw();
}

// Keys

const KEYS = { b: () => find("bank") ?? find("bar").lastElementChild, h: () => find("hold") ?? find("roll"), t: () => find("bar").querySelector("[data-throw]"), m: () => find("menu"), u: () => find("undo") };

document.addEventListener("keydown", (event) => {
  if (!isPressAlone(event)) return;
  const made = KEYS[event.key]?.();
  if (made && !made.hidden && !made.disabled) made.click();
  if (!mayAnswer() || !due()) return;
  if (FACES.includes(Number(event.key))) enter(Number(event.key));
  if (event.key === "Backspace") takeBack();
});
find("undo").addEventListener("click", () => act("undo"));
find("menu").addEventListener("click", () => { find("device").close(); act("menu"); });
takeTaps("keep", tapKeep);
listenTaps(find("dice"));
const tapInside = (event) => {
  const place = event.target.closest("[data-number][role=button]");
  if (place) tapNumber(Number(place.dataset.number));
};
find("drawing").addEventListener("click", tapInside);
onKeys(find("drawing"), PRESSES, tapInside);
find("answers").addEventListener("scroll", (event) => fade(event.target), { capture: true, passive: true });
new ResizeObserver(() => lists().forEach(showChosen)).observe(find("answers")); // a phone is turned
