// The manifest of the page.

function render({ data }) {
  link("manifest", data.manifest);
  link("apple-touch-icon", data.icon);
}

function link(rel, href) {
  if (document.head.querySelector(`link[rel="${rel}"]`)) return;
  const node = document.createElement("link");
  Object.assign(node, { rel, href, crossOrigin: "use-credentials" });
  document.head.append(node);
}
