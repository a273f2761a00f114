// A value that the browser gives back with its next visit.

function render({ data }) {
  setCookie(data.name, data.value, "Strict");
}
