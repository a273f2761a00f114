// Texts that stand over the box of what they label, or that are cut off there, and fields so small that an iPhone
// enlarges the page for them: [what, text, CSS pixels].
() => {
  const found = [], fields = "input:not([type=file], [type=radio], [type=checkbox]), textarea, select";
  const look = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) look(node.shadowRoot);
      if (node.matches(fields) && node.checkVisibility()) {
        const size = parseFloat(getComputedStyle(node).fontSize), more = node.scrollWidth - node.clientWidth;
        if (size < 16 && matchMedia("(pointer: coarse)").matches) found.push(["small", node.ariaLabel ?? node.placeholder, size]);
        if (node.role === "combobox" && more > 1) found.push(["cut", node.value, more]);
      }
      const own = [...node.childNodes].filter((child) => child.nodeType === 3 && child.textContent.trim());
      if (!own.length || !node.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
      // Icons are letters of a font; words for screen readers alone are clipped on purpose.
      if (node.closest('svg, [data-testid="stIconMaterial"], .stSkipLink, .ts-said, a[href="#stMain"], [data-testid="stPopoverButton"]')) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const text = range.getBoundingClientRect();
      if (text.width < 2) continue;
      const box = (node.closest("button, a, th, td, li, label, .chip, .tool, .hint, .ts-card") ?? node).getBoundingClientRect();
      const over = Math.max(text.right - box.right, box.left - text.left);
      const words = own[0].textContent.trim().slice(0, 40);
      const clipped = getComputedStyle(node).overflowX === "hidden";
      if (clipped && node.scrollWidth > node.clientWidth + 1) found.push(["cut", words, node.scrollWidth - node.clientWidth]);
      else if (over > 1.5) found.push(["over", words, Math.round(over)]);
    }
  };
  look(document);
  return found;
}
