// A picture goes to the share sheet of the system, where there is one; elsewhere the browser saves it.

function canShare(blob, name) {
  return Boolean(navigator.canShare?.({ files: [new File([blob], name, { type: blob.type })] }));
}

async function shareOrSave(blob, name) {
  if (canShare(blob, name)) {
    try { return await navigator.share({ files: [new File([blob], name, { type: blob.type })] }); }
    catch (error) { if (error.name === "AbortError") return undefined; } // the person closed the sheet
  }
  return save(blob, name);
}

function save(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
