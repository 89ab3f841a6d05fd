// Run in the overlay once it shows the snapshot of this number: what has moved since the first look, is cut or covered.
const count = "COUNT", done = arguments[0], page = document.documentElement;
const BOXES = ["#turn", "#game", "#who", "#ask", "#throw", "#dice", "#threw", "#stake", "#players", "#players li", "#players .name", ".score", "#sheet", "#sheet div", "#sheet span"];
const all = (selector) => [...document.querySelectorAll(selector)];
const box = (one) => one.getBoundingClientRect();
const apart = (one, other) => one.right <= other.left + 1 || other.right <= one.left + 1 || one.bottom <= other.top + 1 || other.bottom <= one.top + 1;

function faults() {
  const found = [], places = globalThis.places ??= new Map();
  for (const selector of BOXES) all(selector).forEach((one, at) => {
    const name = `${selector} ${at}`, { left, top, right, bottom } = box(one), place = [left, top, right, bottom].map(Math.round).join();
    if ((places.get(name) ?? place) !== place) found.push(`${name} was at ${places.get(name)}, is at ${place}`);
    places.set(name, place);
    if (right > left && (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight)) found.push(`${name} is outside`);
  });
  for (const one of all(".line, .score, #sheet span")) {
    if (one.scrollWidth > one.clientWidth + 1 || (one.matches(".line") && one.scrollHeight > one.clientHeight + 1)) found.push(`cut: ${one.id} ${one.textContent} ${one.scrollWidth}>${one.clientWidth} ${one.scrollHeight}>${one.clientHeight}`);
  }
  const parts = all("#turn, #throw, #players, #sheet div").map(box), lines = all(".line").map(box);
  for (const some of [parts, lines]) some.forEach((one, at) => some.slice(at + 1).forEach((other) => apart(one, other) || found.push("one covers another")));
  for (const seat of all("#players li")) {
    const name = box(seat.querySelector(".name")), score = box(seat.querySelector(".score")), { left, right } = box(seat);
    if (!apart(name, score) || name.left < left || name.right > right) found.push(`the name ${seat.textContent} covers something`);
  }
  for (const name of all(".line .name")) if (box(name).right > box(name.parentElement).right + 1) found.push(`beyond its line: ${name.textContent}`);
  return found;
}

function shown() {
  const dice = all("#dice .die").map((die) => [die.querySelectorAll(".pip").length, die.classList.contains("kept")]);
  const seats = all("#players li").map((seat) => [seat.querySelector(".name").textContent, seat.querySelector(".score").textContent, seat.className]);
  return { faults: faults(), dice, seats, stake: all("#stake")[0].textContent, sheet: all("#sheet div:not(.gone)").map((row) => [...row.children].map((cell) => cell.textContent)) };
}

globalThis.watching ??= new PerformanceObserver((list) => globalThis.shifts.push(...list.getEntries().map(({ sources }) => sources.map(({ node }) => node?.id || node?.className || node?.nodeName).join())));
if (!globalThis.shifts) {
  globalThis.shifts = [];
  globalThis.watching.observe({ type: "layout-shift" });
}
const look = () => page.dataset.count === count ? requestAnimationFrame(() => setTimeout(() => done(shown()))) : setTimeout(look, 2);
look();
