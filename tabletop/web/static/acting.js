// What may be done from here: HOLD, BANK, a throw of simulated dice, and letting this device in.

import { element, find, isPressAlone, label, listOf, set, show } from "./dom.js";

const KEYS = { b: "bank", h: "hold", t: "throw", m: "menu", u: "undo" };
const LONG_WORD = 8, LONG_WORDS = 14; // letters of a button beside the name of the game, and of both that stand there
const LONG_GAME = 20, LONG_PART = 11; // letters of that name that do not fit in two lines beside it, and of one word of it
const LATE = 409, FORBIDDEN = 403, REFUSED = 422, FLOOD = 429, TOAST_MS = 2600;
const FAULTS = { 0: "away", [LATE]: "late", [REFUSED]: "refused", [FLOOD]: "flood" }; // the words for each status
const ANSWER_MS = 8000; // a table that hangs, or a radio that is gone, refuses nothing; the table itself answers within 3 s
let now = null, you = {}, again = () => {}, toast = 0, refused = null;

export const patience = () => AbortSignal.timeout?.(ANSWER_MS); // ends the wait for an answer

// Say that the table is away; a stream may not have noticed yet.
export function sayAway() {
  document.dispatchEvent(new Event("away")); // the line on top
  if (document.querySelector("dialog[open]")) say(now.words.away); // which that covers
}

// Fetch what the table has there, an object of JSON. Null while it is away, which is said, and for who was sent away.
export async function ask(address) {
  try {
    const answer = await fetch(address, { signal: patience() });
    if (answer.status === FORBIDDEN) again();
    if (answer.ok || answer.status === FORBIDDEN) return answer.ok ? await answer.json() : null;
  } catch { /* it is away */ }
  sayAway();
  return null;
}

// Send a command; return the answer, null while the table is away, which the line on top says.
async function post(address, command) {
  const headers = { "Content-Type": "application/json" };
  try {
    return await fetch(address, { method: "POST", headers, body: JSON.stringify(command), signal: patience() });
  } catch {
    document.dispatchEvent(new Event("away"));
    return null;
  }
}

export const act = (command, at = 0) => send({ do: command, asks: now?.asks, at }); // a button, or a line of a list

// Send anything that this device may do; return whether it was done, null while the table is away, and say why not.
// why: takes the table's reason.
export async function send(command, why = null) {
  if (!now || !you.paired) return false;
  const answer = await post("/act", command), status = answer?.status ?? 0;
  const told = status === REFUSED && why ? (await answer.json().catch(() => null))?.why : "";
  if (told) why.text = told;
  else if (answer || document.querySelector("dialog[open]")) say(now.words[FAULTS[status]]); // which covers the line on top
  if (status === LATE || status === FORBIDDEN) again(); // what is shown here is old
  return answer && answer.ok;
}

// Return what each other face of a die would change, null if somebody has changed it already.
export async function would(die) {
  const answer = await post("/would", die);
  if (!answer?.ok) say(now.words[FAULTS[answer?.status ?? 0]]);
  if (answer?.status === LATE) again();
  return answer?.ok ? answer.json() : null;
}

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

export function showButtons(snapshot, who) {
  [now, you] = [snapshot, who];
  const { words } = now, listed = listOf(now);
  for (const name of ["hold", "bank"]) {
    const button = find(name);
    button.hidden = !you.paired;
    button.disabled = !now[name];
    button.lastElementChild.textContent = now[name] || "–";
    button.classList.toggle("down", now.pressed === name);
  }
  find("throw").hidden = !(you.paired && you.simulated && !listed && !now.over && now.game);
  find("throw").firstElementChild.textContent = words.throw;
  const asksToThrow = Boolean(!listed && now.awaited && !now.paused && !now.unread);
  find("bar").classList.toggle("rolling", asksToThrow); // then BANK only says whose throw it is
  find("join").hidden = you.paired;
  label({ join: words.join, menu: words.menu, enter: words.enter, cancel: words.back });
  find("bar").setAttribute("aria-label", words.buttons);
  find("small").hidden = !you.paired;
  showUndo(!(now.menu || now.spelling) ? words.undo : words.back, now.game, words.menu);
  find("menu").hidden = Boolean(listed);
  find("pair-title").firstElementChild.textContent = words.code;
  if (refused && !you.paired) { // digits behind the address: of an old code, mostly
    find("join").click();
    find("wrong").textContent = whyNot(refused, words.old_code);
  }
  refused = null;
}

// A word that leaves the name of the game no room on a phone is an arrow there.
function showUndo(word, game, beside) {
  const button = find("undo");
  const long = game.length > LONG_GAME || game.split(" ").some((part) => part.length > LONG_PART);
  find("game").classList.toggle("long", long);
  button.classList.toggle("long", long || word.length > LONG_WORD || (word + beside).length > LONG_WORDS);
  if (button.getAttribute("aria-label") === word) return;
  set(button, { "aria-label": word }).replaceChildren(element("span", "word", word), set(element("span", "sign", "↶"), { "aria-hidden": "true" }));
}

function whyNot(answer, otherwise) {
  const wait = answer.headers.get("retry-after");
  return wait ? now.words.wait.replace("{n}", wait) : otherwise;
}

// Let this device in; return the answer, null while the table is away.
async function letIn(digits) {
  const answer = await post("/pair", { digits });
  if (answer?.ok) {
    find("pair").close();
    again();
  }
  return answer;
}

// Let this device in by what is typed; what went wrong is said there.
async function enter(digits) {
  const answer = await letIn(digits);
  if (answer?.ok) return;
  find("wrong").textContent = answer ? whyNot(answer, now.words.wrong) : now.words.away;
  find("digits").select();
}

// Listen to taps and keys. reconnect: called when this device was let in or sent away.
export function listen(reconnect) {
  again = reconnect;
  for (const name of Object.values(KEYS)) find(name).addEventListener("click", () => {
    const leave = name === "undo" ? now?.menu?.leave ?? null : null; // there a long BANK takes: "Back" goes back
    if (leave === null) act(name);
    else act("take", leave);
  });
  find("join").addEventListener("click", async () => {
    find("digits").value = find("wrong").textContent = "";
    find("pair").showModal();
    const wait = (await post("/ask", {}))?.headers.get("retry-after");
    if (wait) find("wrong").textContent = now.words.later.replace("{n}", wait);
  });
  find("cancel").addEventListener("click", () => find("pair").close());
  find("code").addEventListener("submit", (event) => {
    event.preventDefault();
    enter(find("digits").value.trim());
  });
  document.addEventListener("keydown", (event) => {
    if (!isPressAlone(event)) return;
    const named = event.key === "h" && find("hold").hidden ? "another" : KEYS[event.key], button = named && find(named);
    if (button && !button.hidden && !button.disabled) button.click();
  });
  window.addEventListener("hashchange", enterGiven);
  enterGiven();
}

// Let this device in by an address that has the digits behind it, as the table prints it, or its QR code has.
async function enterGiven() {
  const given = /^#(\d{4})$/.exec(location.hash) ?? /^\/(\d{4})$/.exec(location.pathname);
  if (!given) return;
  history.replaceState(null, "", "/");
  const answer = await letIn(given[1]);
  if (answer?.ok) return;
  refused = answer;
  document.dispatchEvent(new Event("redraw")); // which has the words
}
