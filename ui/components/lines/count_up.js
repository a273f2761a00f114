// The moment of a score: the total counts up. Once for each hand and tab, and never for people who ask for less motion.
// The page holds the true number all the time; only the look of it changes, before the browser paints it.

const COUNTED = "tilescore.counted";
const WHOLE_MS = 900;

function render() {}

function countUp() {
  const card = document.querySelector("#score[data-of]"), total = card?.querySelector(".ts-total strong");
  if (!total || sessionStorage.getItem(COUNTED) === card.dataset.of) return;
  sessionStorage.setItem(COUNTED, card.dataset.of);
  const most = Number(total.textContent.replace(/\D/g, ""));
  if (!most || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const began = performance.now();
  const next = (now) => {
    const part = Math.max(0, Math.min(1, (now - began) / WHOLE_MS));
    if (part === 1 || !total.isConnected) return total.removeAttribute("data-shown");
    total.dataset.shown = String(Math.round(most * (1 - (1 - part) ** 3))).replace(/\B(?=(\d{3})+$)/g, "\u202f");
    return requestAnimationFrame(next);
  };
  next(began);
}

new MutationObserver(countUp).observe(document.body, { childList: true, subtree: true });
