// What the photo shows: which views of it differ, and the part of it that each of them shows.

// The views that differ, the first one first: everything that was seen, the hand alone if it is much smaller or too
// small for a finger, the whole photo. A hand too small for a finger comes first, unless an offer is drawn on the photo.
function viewsOf(canvas) {
  const seen = canvas.boxesOf([...canvas.byPlace.keys()]), hand = canvas.boxesOf(canvas.hand);
  const wide = (boxes) => Math.max(...boxes.map((box) => box[2])) - Math.min(...boxes.map((box) => box[0]));
  if (!seen.length) return ["whole"];
  if (hand.length && isNarrow(canvas)) {
    return canvas.data.offers.some((offer) => offer.outlines.length) ? ["seen", "lines", "whole"] : ["lines", "seen", "whole"];
  }
  return hand.length && wide(hand) < 0.7 * wide(seen) ? ["seen", "hand", "whole"] : ["seen", "whole"];
}

// Whether the tiles of the hand are narrower than a finger while everything that was seen is shown.
function isNarrow(canvas) {
  const widths = canvas.boxesOf(canvas.hand).map((box) => Math.min(box[2] - box[0], box[3] - box[1])).sort((a, b) => a - b);
  return widths[widths.length >> 1] * canvas.wide() / frameOf(canvas, "seen")[2] < LEAST_WIDE;
}

// The visible part of the photo: every tile that was seen with some table around it, the hand, or everything.
function frameOf(canvas, view) {
  const { photo } = canvas.data;
  const boxes = canvas.boxesOf(view === "hand" ? canvas.hand : [...canvas.byPlace.keys()]);
  if (view === "whole") return [0, 0, photo.w, photo.h];
  const low = [0, 1].map((side) => Math.min(...boxes.map((box) => box[side])));
  const high = [2, 3].map((side) => Math.max(...boxes.map((box) => box[side])));
  const margin = canvas.size() * 1.1;
  let [width, height] = [high[0] - low[0] + margin, high[1] - low[1] + 2.6 * margin];
  if (width / height > 2.1) height = width / 2.1;
  if (width / height < 1.1) width = height * 1.1;
  width = Math.min(width, photo.w);
  height = Math.min(height, photo.h);
  const place = (middle, length, limit) => Math.max(0, Math.min(middle - length / 2, limit - length));
  const raised = Math.min(height * 0.12, margin); // names stand above their tiles
  return [place((low[0] + high[0]) / 2, width, photo.w), place((low[1] + high[1]) / 2 - raised, height, photo.h), width, height];
}
