// The elements of the page. Texts are only ever set as text: a name with markup in it stays a name.

export const find = (id) => document.getElementById(id);

export function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

// Set the text of an element, and hide the element while there is none.
export function show(id, text) {
  const shown = find(id);
  if (shown.textContent !== text) shown.textContent = text;
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
