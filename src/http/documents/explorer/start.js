"use strict";

// Shows header fields and lets nobody fill them in: an account key is not for a browser.
const headersToReadOnly = () => ({
  wrapComponents: {
    parameterRow: (Row, { React }) => (props) =>
      React.createElement(Row, props.param.get("in") === "header" ? { ...props, isExecute: false } : props),
  },
});

// Every prefix has this same page at /<prefix>, and its document at /<prefix>-json.
SwaggerUIBundle({
  dom_id: "#explorer",
  url: window.location.pathname + "-json",
  deepLinking: true,
  displayRequestDuration: true,
  plugins: [headersToReadOnly],
  validatorUrl: null, // the default would send the document's address to somebody else
  onComplete: () => {
    const title = document.querySelector(".info .title");
    if (title) document.title = title.firstChild.textContent;
  },
});
