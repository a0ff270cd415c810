// The page for a missing address searches for the words of that address.
"use strict";

{
  const WORDS = 4;
  const NO_WORDS = /^(?:\d+|html?|index|book|latest|\d{4}[a-z]?)$/; // what addresses have in common

  function asked() {
    let path = location.pathname;
    try {
      path = decodeURIComponent(path);
    } catch {
      // What is no text is searched for as it stands, to no avail.
    }
    const words = path.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    return words.filter((word) => word.length > 1 && !NO_WORDS.test(word)).slice(-WORDS).join(" ");
  }

  const input = document.querySelector(".bd-search-container form input");
  if (input && !input.value && asked()) {
    input.value = asked();
    input.dispatchEvent(new Event("input"));
  }
}
