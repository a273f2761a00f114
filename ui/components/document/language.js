// Tells the browser which language the page is in, for its voice and its fonts, and keeps the visitor's choice.

function render({ data }) {
  document.documentElement.lang = data.lang;
  if (data.keep) setCookie(data.cookie, data.code, "Lax");
}
