// Texts that are cut off, and rows of buttons or sums that break.
() => {
  const found = [], rows = ".bar, .ts-payments, [data-variant=segmented_control]:first-child";
  const look = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) look(node.shadowRoot);
      const { display, overflowX } = getComputedStyle(node);
      const texts = [...node.childNodes].some((one) => one.nodeType === 3 && one.nodeValue.trim());
      const cut = node.clientWidth > 2 && node.scrollWidth > node.clientWidth + 1;
      if (texts && cut && display !== "inline" && overflowX !== "visible" && node.tagName !== "STYLE")
        found.push(`cut off: ${node.innerText}`);
      if (!node.matches(rows)) continue;
      const row = [...(node.matches("button") ? node.parentElement : node).children].filter((one) => one.offsetHeight);
      if (row.some((one) => one.offsetTop >= row[0].offsetTop + row[0].offsetHeight))
        found.push(`two rows: ${node.className}`);
    }
  };
  look(document);
  return found;
}
