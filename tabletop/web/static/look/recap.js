// The recap of a match: a picture to share or save, and the match as text. The picture that phones share is drawn here.

import { button, element, holding, set } from "../dom.js";

const WIDE = 1080, HIGH = 1440, NAME = "tabletop";

async function drawn(picture) {
  await picture.decode();
  const canvas = set(document.createElement("canvas"), { width: WIDE, height: HIGH });
  canvas.getContext("2d").drawImage(picture, 0, 0, WIDE, HIGH);
  return new Promise((done) => { canvas.toBlob(done, "image/png"); });
}

const link = (name, href, kind) => Object.assign(element("a", "small", name), { href, download: `${NAME}.${kind}` });

// match: which one of the past, if not that on the table.
export function openRecap({ words, game }, match = 0) {
  const [svg, txt] = ["svg", "txt"].map((kind) => `/recap.${kind}${match ? `?match=${match}` : ""}`);
  const picture = set(element("img"), { src: svg, alt: `${words.recap}: ${game}`, width: WIDE, height: HIGH });
  const saves = holding("p", "saves", link("SVG", svg, "svg"), link("TXT", txt, "txt"));
  const shown = holding("dialog", "", picture, saves, button("large", words.done, () => shown.close()));
  shown.id = "recap";
  shown.setAttribute("aria-label", words.recap);
  shown.addEventListener("close", () => shown.remove());
  document.body.append(shown);
  shown.showModal();
  drawn(picture).then((png) => {
    const file = new File([png], `${NAME}.png`, { type: png.type }), sharing = { files: [file], title: game };
    saves.prepend(Object.assign(link("PNG", URL.createObjectURL(file), "png"), { file }));
    if (navigator.canShare?.(sharing)) saves.before(button("large main", words.recap, () => navigator.share(sharing).catch(() => null)));
  });
}
