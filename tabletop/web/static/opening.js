// The way to the form in which a match is set up. The form itself comes when somebody opens it for the first time.

import { patience, sayAway } from "./acting.js";
import { find, label, styled } from "./dom.js";

let now = null, form = null, opens = false;

// Show the way to the form, where a match can be set up: in menus and before anything is played. At the end it stands
// in the place of HOLD, beside BANK, which plays the same again.
export function showSetup(snapshot, you) {
  now = snapshot;
  const ended = Boolean(you.paired && now.over && !now.menu && !now.spelling);
  find("another").hidden = !ended;
  label({ another: now.words.other_game, "open-setup": now.words.setup });
  if (ended) find("hold").hidden = true;
  find("open-setup").hidden = !you.paired || !(now.menu?.main || (!now.game && !now.menu));
  if (!you.paired && find("setup").open) find("setup").close(); // sent away meanwhile: nothing could be done there
  find("close-setup").setAttribute("aria-label", now.words.back);
  form?.showForm(now);
}

async function open() {
  if (opens) return;
  opens = true;
  try {
    form ??= await fetched(patience());
    form.showForm(now);
    await form.openForm();
  } catch {
    sayAway();
  } finally {
    opens = false;
  }
}

// Return the form as a module, once its look is there, too; it fails when the signal says so.
function fetched(signal) {
  const late = new Promise((_, failed) => signal?.addEventListener("abort", failed));
  return Promise.race([styled("/setup.css").then(() => import("./setup.js")), late]);
}

for (const name of ["open-setup", "another"]) find(name).addEventListener("click", open);
