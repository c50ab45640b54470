"use strict";

// Makes the account key read-only: it does not belong in a browser.
const accountKeyToReadOnly = () => ({
  wrapComponents: {
    parameterRow: (Row, { React }) => (props) =>
      React.createElement(Row, props.param.get("name") === "svc-api-key" ? { ...props, isExecute: false } : props),
  },
});

const newReference = () => {
  const bytes = window.crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
};

// Returns the document's example of a bookingId. Repeated ones are dropped, so each request gets a new one.
const exampleReference = () => {
  const submission = explorer.specSelectors.specJson().getIn(["components", "schemas", "BookingSubmission"]);
  return submission?.getIn(["examples", 0, "bookingId"]);
};

// The documents of the page's prefix, from the page's head. Most prefixes have one.
const documents = Array.from(document.querySelectorAll("link[rel=service-desc]"), (link) => ({
  address: link.getAttribute("href"),
  title: link.title,
}));

const show = (address) => {
  explorer.specActions.updateUrl(address);
  explorer.specActions.download(address);
};

// Swagger UI's own selector would need a second bundle, and a bar that shows its logo.
const offerDocuments = () => {
  const choice = document.createElement("select");
  choice.autocomplete = "off"; // selects the first one, also after a reload
  for (const { address, title } of documents) choice.add(new Option(title, address));
  choice.addEventListener("change", () => show(choice.value));
  const label = document.createElement("label");
  label.append("Document ", choice);
  const place = document.getElementById("documents");
  place.firstElementChild.append(label);
  place.hidden = false;
};

// Sends requests to the page's own server, not to the public address in the document.
const toThisServer = (request) => {
  const { pathname, search } = new URL(request.url, window.location);
  request.url = window.location.origin + pathname + search;
  const example = typeof request.body === "string" && exampleReference();
  if (example) request.body = request.body.replace(example, newReference());
  return request;
};

const explorer = SwaggerUIBundle({
  dom_id: "#explorer",
  url: documents[0].address,
  deepLinking: true,
  displayRequestDuration: true,
  plugins: [accountKeyToReadOnly],
  requestInterceptor: toThisServer,
  validatorUrl: null, // the default would send the document's address to a third party
  onComplete: () => {
    const title = document.querySelector(".info .title");
    if (title) document.title = title.firstChild.textContent;
  },
});

if (documents.length > 1) offerDocuments();
