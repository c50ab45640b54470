"use strict";

// Every prefix has this same page at /<prefix>, and its document at /<prefix>-json.
SwaggerUIBundle({
  dom_id: "#explorer",
  url: window.location.pathname + "-json",
  deepLinking: true,
  displayRequestDuration: true,
  validatorUrl: null, // the default would send the document's address to somebody else
  onComplete: () => {
    const title = document.querySelector(".info .title");
    if (title) document.title = title.firstChild.textContent;
  },
});
