// Time for a page that is filmed: its animations go on by the length of a frame when film(ms) is called, and stand still
// between. Chance is the same each time.
const STANDSTILL = 1e-6; // at 0 one that waits for its delay is not among the animations of a document
let drawn = 7;
Math.random = () => (drawn = drawn * 16807 % 2147483647) / 2147483647;
const shown_ms = new Map();
globalThis.film = (ms) => {
  for (const animation of document.getAnimations()) {
    const at_ms = shown_ms.has(animation) ? shown_ms.get(animation) + ms : 0;
    shown_ms.set(animation, at_ms);
    const over = at_ms >= animation.effect.getComputedTiming().endTime;
    animation.playbackRate = STANDSTILL;
    if (over) animation.finish();
    else animation.currentTime = at_ms;
  }
};
