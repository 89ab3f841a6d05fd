// The picture of a throw with what was read, opened in a dialog; the table looks again on demand.

import { button, drawPicture, element, find, sentence, set } from "../dom.js";
import { FLOOD } from "../link.js";

// found: the picture and its lines. look: asks for a second look and returns the answer, null without one; null for
// devices that may not ask. fixes: returns the buttons that correct the throw to what is seen.
export async function openShot(found, words, look, fixes = () => []) {
  if (find("throw-shown")) return;
  const title = sentence(words.title), shown = element("dialog");
  const canvas = set(element("canvas"), { role: "img" }), lines = set(element("div"), { role: "status" }), offered = element("div");
  async function draw({ picture, lines: read, fix, changes }) {
    await drawPicture(canvas, picture);
    set(canvas, { "aria-label": read.join(". ") });
    lines.replaceChildren(...read.map((line) => element("p", "", sentence(line))));
    offered.replaceChildren(...(fix ? fixes(sentence(fix), changes, shown) : []));
  }
  const again = button("large", sentence(words.again), async () => {
    [again.disabled, again.textContent] = [true, sentence(words.looking)];
    const answer = await look();
    const seen = answer?.ok ? await answer.json().catch(() => null) : null;
    if (seen) await draw(seen);
    else lines.append(element("p", "", sentence(answer?.status === FLOOD ? words.busy : words.failed)));
    [again.disabled, again.textContent] = [false, sentence(words.again)];
  });
  await draw(found);
  again.hidden = !look;
  shown.append(element("h2", "", title), canvas, lines, offered, again, button("large", words.done, () => shown.close()));
  set(shown, { id: "throw-shown", "aria-label": title }).addEventListener("close", () => shown.remove()); // the focus returns
  document.body.append(shown);
  shown.showModal();
}
