// The lit tiles in a small photo at the upper edge of a phone's screen, while the photo itself is scrolled out of view.

function peek(canvas, picture) {
  const { photo, lit } = canvas.data;
  const boxes = canvas.boxesOf(lit);
  if (!photo || !boxes.length) return null;
  const margin = canvas.size() * 0.5;
  const [x0, y0] = [0, 1].map((side) => Math.min(...boxes.map((box) => box[side])) - margin);
  const [x1, y1] = [2, 3].map((side) => Math.max(...boxes.map((box) => box[side])) + margin);
  const small = drawn("svg", { viewBox: [x0, y0, x1 - x0, y1 - y0].join(" ") },
    drawn("image", { href: photo.url, width: photo.w, height: photo.h }),
    ...boxes.map(([left, top, right, bottom]) => drawn("rect", { class: "glow", x: left, y: top, width: right - left, height: bottom - top })));
  const node = element("div", { class: "peek", "aria-hidden": "true" }, small);
  const watch = new IntersectionObserver(([entry]) => {
    if (!node.isConnected) return watch.disconnect();
    return node.classList.toggle("shown", !entry.isIntersecting);
  });
  watch.observe(picture);
  return node;
}
