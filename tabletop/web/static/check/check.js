// The checks of the table, asked for again every few seconds while the page is on the screen.

import { element, find, holding, speak } from "/dom.js";

const EVERY_MS = 5000, FORBIDDEN = 403;
const KINDS = new Map([[true, ["right", "✓"]], [false, ["wrong", "✗"]], [null, ["open", "–"]]]);

function line({ name, right, figure, remedy }) {
  const [kind, mark] = KINDS.get(right);
  const notes = [figure && element("p", "", figure), remedy && element("p", "remedy", `→ ${remedy}`)].filter(Boolean);
  return holding("li", kind, element("span", "", mark), element("b", "", name), ...notes);
}

async function look() {
  const answer = document.hidden ? null : await fetch("/checks").catch(() => null);
  if (answer?.status === FORBIDDEN) location.replace("/");
  if (answer?.ok) {
    const { language, title, back, parts } = await answer.json();
    speak(language, title);
    document.title = find("title").textContent = title;
    find("back").textContent = back;
    find("parts").replaceChildren(...parts.map(({ part, checks }) =>
      holding("section", "", element("h2", "title", part), holding("ul", "", ...checks.map(line)))));
  }
  setTimeout(look, EVERY_MS);
}

look();
