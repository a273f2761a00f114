// Tells the browser which language the page is in, for its voice and its fonts, and keeps the visitor's choice.

function render({ data }) {
  document.documentElement.lang = data.lang;
  if (data.keep) document.cookie = `${data.cookie}=${data.code}; max-age=31536000; path=/; SameSite=Lax`;
}
