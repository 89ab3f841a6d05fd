// Letting this device in: the four digits that the table shows, typed or behind the address.

import { find, label } from "./dom.js";
import { connect, post } from "./link.js";

let words = {}, refused = null;

// Show the words, and what became of digits that stood behind the address.
export function showPairing(now, you) {
  words = now.words;
  label({ enter: words.enter, cancel: words.back });
  find("pair-title").firstElementChild.textContent = words.code;
  if (refused && !you.paired) { // digits of an old code, mostly
    askDigits();
    find("wrong").textContent = whyNot(refused, words.old_code);
  }
  refused = null;
}

// Ask for the digits; the table shows them meanwhile.
export async function askDigits() {
  find("digits").value = find("wrong").textContent = "";
  find("pair").showModal();
  const wait = (await post("/ask", {}))?.headers.get("retry-after");
  if (wait) find("wrong").textContent = words.later.replace("{n}", wait);
}

function whyNot(answer, otherwise) {
  const wait = answer.headers.get("retry-after");
  return wait ? words.wait.replace("{n}", wait) : otherwise;
}

// Let this device in; return the answer, null while the table is away.
async function letIn(digits) {
  const answer = await post("/pair", { digits });
  if (answer?.ok) {
    find("pair").close();
    connect();
  }
  return answer;
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

find("cancel").addEventListener("click", () => find("pair").close());
find("code").addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = await letIn(find("digits").value.trim());
  if (answer?.ok) return;
  find("wrong").textContent = answer ? whyNot(answer, words.wrong) : words.away;
  find("digits").select();
});
window.addEventListener("hashchange", enterGiven);
enterGiven();
