// The elements of the page. Texts are only ever set as text: a name with markup in it stays a name.

export const find = (id) => document.getElementById(id);

export function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = legible(text);
  return made;
}

// Names from right to left keep to themselves in a sentence: else the figures behind one stand before it.
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
let names = null;

// Tell the browser which language the page speaks, and by one of its words in which direction it is written.
export function speak(language, word) {
  document.documentElement.lang = language;
  document.documentElement.dir = FROM_RIGHT.test(word) ? "rtl" : "ltr";
}

export function knowNames(all) {
  const own = all.filter((name) => FROM_RIGHT.test(name)).sort((one, other) => other.length - one.length);
  names = own.length ? new RegExp(own.map((name) => name.replace(/[^\p{L}\p{N}\p{M}]/gu, "\\$&")).join("|"), "g") : null;
}

// Return a name so that it stands for itself in a list.
export const apart = (name) => FROM_RIGHT.test(name) ? `\u2068${name}\u2069` : name;

// Return a text in which such names of players stand for themselves; a name alone is left as it is.
export function legible(text) {
  return names && String(text).replace(names, "") ? String(text).replace(names, apart) : text;
}

// Set the text of an element, and hide the element while there is none.
export function show(id, text) {
  const shown = find(id), said = legible(text);
  if (shown.textContent !== said) shown.textContent = said;
  shown.hidden = !text;
}

// Call `draw` only when what it draws has changed.
const drawn = new Map();
export function onChange(name, value, draw) {
  const text = JSON.stringify(value);
  if (drawn.get(name) === text) return;
  drawn.set(name, text);
  draw(value);
}

// Draw what is inside an element: what has the focus there is drawn with the same id, and has it again.
export function keepFocus(place, draw) {
  const held = place.contains(document.activeElement) ? document.activeElement.id : "";
  draw();
  if (held) find(held)?.focus({ preventScroll: true });
}

// Return the list that is shown instead of the table, null for none. Faces of a throw are entered at the table itself.
export const listOf = (now) => now.menu ?? now.spelling ?? (now.asking?.due.length ? null : now.entry);
