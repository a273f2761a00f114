// The lit tiles in a small photo at the upper edge of a phone's screen, while the photo itself is scrolled out of view.

function peek(canvas, picture) {
  const { photo, lit } = canvas.data;
  if (!photo || !canvas.boxesOf(lit).length) return null;
  const lines = linesOf(canvas, lit, { names: false });
  const small = drawn("svg", { viewBox: [0, 0, canvas.wide(), lines.high].join(" ") }, ...lines.nodes);
  const node = element("div", { class: "peek", "aria-hidden": "true" }, small);
  const watch = new IntersectionObserver(([entry]) => {
    if (!node.isConnected) return watch.disconnect();
    return node.classList.toggle("shown", !entry.isIntersecting);
  });
  watch.observe(picture);
  return node;
}
