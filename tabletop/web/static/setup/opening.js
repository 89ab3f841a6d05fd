// The way to the form in which a match is set up. The form itself comes when somebody opens it for the first time.

import { say } from "../acting.js";
import { element, find } from "../dom.js";

let now = null, form = null;

// Show the way to the form, where a match can be set up: in menus and before anything is played. At the end it stands
// in the place of HOLD, beside BANK, which plays the same again.
export function showSetup(snapshot, you) {
  now = snapshot;
  const ended = Boolean(you.paired && now.over && !now.menu && !now.spelling);
  find("another").hidden = !ended;
  find("another").textContent = now.words.other_game;
  if (ended) find("hold").hidden = true;
  find("open-setup").hidden = !you.paired || !(now.menu?.main || (!now.game && !now.menu));
  find("open-setup").textContent = now.words.setup;
  find("close-setup").setAttribute("aria-label", now.words.back);
  form?.showForm(now);
}

async function open() {
  try {
    form ??= await fetched();
  } catch {
    return say(now.words.away);
  }
  form.showForm(now);
  form.openForm();
}

// Return the form as a module, once its look is there, too.
async function fetched() {
  await styled("/setup/setup.css");
  return import("./setup.js");
}

function styled(address) {
  const made = element("link");
  Object.assign(made, { rel: "stylesheet", href: address });
  document.head.append(made);
  return new Promise((done, failed) => {
    made.addEventListener("load", done);
    made.addEventListener("error", () => { made.remove(); failed(); });
  });
}

// Listen to the taps that open the form.
export function listenSetup() {
  for (const name of ["open-setup", "another"]) find(name).addEventListener("click", open);
}
