// What a tapped die means. It is decided here alone, so that no tap means two things.

const takers = {};

// Say who takes taps of a meaning: called with the index of the die among those shown.
export function takeTaps(meaning, taker) {
  takers[meaning] = taker;
}

// Return what a tap on a die means now: "keep" while dice are to be kept, else "correct" where something takes that.
export function meaningOfTap(now, you) {
  if (!you.paired || now.menu || now.spelling) return "";
  const meaning = now.asking?.kind === "keep" ? "keep" : "correct";
  return takers[meaning] ? meaning : "";
}

// Make dice buttons while a tap on them means something.
export function showTaps(place, now, you) {
  const meaning = meaningOfTap(now, you);
  place.dataset.tap = meaning;
  place.setAttribute("role", meaning ? "group" : "list");
  for (const die of place.children) {
    die.setAttribute("role", meaning ? "button" : "listitem");
    if (meaning) die.tabIndex = 0;
    else die.removeAttribute("tabindex");
    if (meaning === "correct") die.setAttribute("aria-haspopup", "dialog");
    else die.removeAttribute("aria-haspopup");
    if (meaning === "keep") die.setAttribute("aria-pressed", die.classList.contains("kept"));
    else die.removeAttribute("aria-pressed");
  }
}

// Listen to taps and keys on dice.
export function listenTaps(place) {
  const tap = (target) => {
    const at = [...place.children].findIndex((die) => die.contains(target));
    if (at >= 0) takers[place.dataset.tap]?.(at);
  };
  place.addEventListener("click", (event) => tap(event.target));
  place.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    tap(event.target);
  });
}
