// The person's view: offers of other devices, and why there are none. Text from elsewhere is only ever set as text.
"use strict";

const api = globalThis.browser ?? globalThis.chrome;
const element = (id) => document.getElementById(id);
const port = api.runtime.connect({ name: "popup" });

port.onMessage.addListener(show);
port.onDisconnect.addListener(() => window.close());
element("publishing").addEventListener("change", (event) => {
  port.postMessage({ kind: "setPublishing", value: event.target.checked });
});

// Firefox gives access to pages only when it is asked for, in answer to a click; Chromium gave it with the extension.
const ACCESS = { origins: ["http://*/*", "https://*/*"] };
let hasAccess = true;
api.permissions.contains(ACCESS).then((has) => (hasAccess = has));
element("remembering").addEventListener("change", async (event) => {
  port.postMessage({ kind: "setRemembering", value: event.target.checked });
  if (!event.target.checked || hasAccess) return;
  hasAccess = await api.permissions.request(ACCESS).catch(() => false);
  if (!hasAccess) port.postMessage({ kind: "setRemembering", value: false });
});
element("excluded").addEventListener("change", (event) => {
  port.postMessage({ kind: "setExcluded", site: event.target.dataset.site, value: event.target.checked });
});

/** Why there is no list: a sentence, advice, a command. */
function emptiness(state) {
  if (state.host === "missing") {
    return ["Baton is not set up for this browser.", "Run this once, then open this again:", "baton browse install"];
  }
  if (state.host === "lost") {
    return ["The connection to Baton has ended.", "If this lasts, set it up again:", "baton browse install"];
  }
  if (state.daemon === "away") return ["Baton does not run.", state.message, null];
  if (state.host === "connecting" || state.daemon !== "running") return ["Connecting to Baton …", null, null];
  if (!state.hasAccount) return ["This device is not paired.", "Run this here and on another device:", "baton pair"];
  return ["Nothing is open on your other devices.", null, null];
}

function show(state) {
  const [sentence, advice, command] = emptiness(state);
  element("empty").hidden = state.offers.length > 0;
  element("state").textContent = sentence;
  text(element("advice"), advice);
  text(element("command"), command);
  element("note").textContent = state.note ?? "";
  element("publishing").checked = state.publishing;
  element("published").textContent = state.page ? `Offered now: ${state.page.title || state.page.url}` : "";
  element("remembering").checked = state.remembering;
  element("exclusion").hidden = !state.remembering || !state.site;
  element("excluded").checked = state.excluded.includes(state.site);
  element("excluded").dataset.site = state.site ?? "";
  element("site").textContent = `But none of ${state.site ?? "this site"}`;
  list(state.offers);
}

function text(element, value) {
  element.textContent = value ?? "";
  element.hidden = !value;
}

let shown = "";

/** Anew only when something has changed, so that the focus stays where it is. */
function list(offers) {
  const description = JSON.stringify(offers);
  if (description === shown) return;
  shown = description;
  const focused = document.activeElement?.dataset?.offer;
  const list = element("offers");
  list.replaceChildren(...offers.map(item));
  list.hidden = offers.length === 0;
  if (focused) [...list.querySelectorAll("button")].find((button) => button.dataset.offer === focused)?.focus();
}

function item(offer) {
  const opensPage = offer.route === "page";
  const place = opensPage ? server(offer.url) : offer.app;
  const main = button(offer, opensPage ? "open" : "continue", "offer");
  main.append(
    span("title", offer.title || offer.url || "Untitled"),
    span("detail", `${offer.device} · ${offer.obstacle || (opensPage ? place : `continues in ${place}`)}`),
  );
  main.disabled = Boolean(offer.obstacle);
  main.title = offer.url ?? "";
  const row = document.createElement("li");
  row.append(main);
  if (!opensPage && offer.url) {
    const here = button(offer, "open", "here");
    here.textContent = "Open here";
    here.setAttribute("aria-label", `Open the page “${offer.title}” of ${offer.device} in this browser`);
    row.append(here);
  }
  return row;
}

function button(offer, kind, style) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = style;
  button.dataset.offer = `${kind} ${offer.id}`;
  button.addEventListener("click", () => port.postMessage({ kind, offerId: offer.id }));
  return button;
}

function span(style, value) {
  const span = document.createElement("span");
  span.className = style;
  span.textContent = value;
  return span;
}

function server(url) {
  try {
    return new URL(url).host;
  } catch {
    return "";
  }
}
