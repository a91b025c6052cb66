// Stands between the tabs, the popup and Baton's host, which the browser starts ("baton browse host").
//
// The published page: the http or https page of the active tab in the window that was in front last. It stays published
// when the person turns to another program, since that is when they may go to another device; it is withdrawn when the
// tab shows something else, when the last window closes, when the browser ends, and when the switch is off.
"use strict";

const api = globalThis.browser ?? globalThis.chrome;
const HOST = "org.baton.browser_extension";
// So that a page that redirects, or a row of tabs that the person leafs through, is one change.
const SETTLING = 200;
const LONGEST_TITLE = 1000;
// Bytes; the daemon takes no longer ones. A page chooses its address itself, of up to megabytes.
const LONGEST_ADDRESS = 8192;
const SHORTEST_PAUSE = 1000;
const LONGEST_PAUSE = 60000;
// A connection that lasted so long was a good one: after it the pauses begin anew.
const LASTING = 30000;

/** How things are, as the popup shows them. */
const state = {
  // "connecting", "missing" (no host is set up), "lost" (it ended), "connected"
  host: "connecting",
  // "unknown", "running", "away"
  daemon: "unknown",
  hasAccount: true,
  device: null,
  message: null,
  offers: [],
  publishing: true,
  // Whether the places of visited pages are remembered, and the sites of which they are not.
  remembering: false,
  excluded: [],
  // The site that the person is on; null for none.
  site: null,
  // The page sent to the host last.
  page: null,
  // A sentence about the last thing that went wrong, or happened.
  note: null,
};

let port = null;
let attempts = 0;
/** When the port was opened. */
let opening = 0;
let retryTimer = null;
let settleTimer = null;
let isVisit = false;
let lastRequest = 0;
/** What was asked of the host and is not answered. */
const requests = new Map();
const popups = new Set();

// MARK: The host

function connect() {
  if (port) return;
  clearTimeout(retryTimer);
  retryTimer = null;
  state.page = null;
  opening = performance.now();
  const opened = api.runtime.connectNative(HOST);
  port = opened;
  opened.onMessage.addListener((message) => {
    if (port === opened) receive(message);
  });
  opened.onDisconnect.addListener((gone) => {
    const problem = gone?.error?.message ?? api.runtime.lastError?.message ?? "";
    if (port === opened) lost(problem);
  });
  post({ kind: "status" });
  post({ kind: "watchOffers" });
  settle(true);
}

function post(message) {
  try {
    port?.postMessage(message);
    return port !== null;
  } catch {
    // The port was closed, which onDisconnect reports.
    return false;
  }
}

function lost(problem) {
  port = null;
  state.host = /not found|no such native application|forbidden/i.test(problem) ? "missing" : "lost";
  state.daemon = "unknown";
  state.offers = [];
  state.page = null;
  for (const finish of requests.values()) finish({ message: "The connection to Baton ended." });
  requests.clear();
  // A host that answers and ends each time is no good one.
  if (performance.now() - opening >= LASTING) attempts = 0;
  const pause = Math.min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** Math.min(attempts, 6));
  attempts += 1;
  // A browser may stop this script meanwhile; the next event of a tab, or the popup, starts it again.
  retryTimer = setTimeout(connect, pause * (0.5 + Math.random() / 2));
  changed();
}

function receive(message) {
  state.host = "connected";
  switch (message?.kind) {
    case "status":
      state.daemon = message.daemon;
      state.device = message.device;
      state.hasAccount = message.hasAccount === true;
      state.message = message.message;
      break;
    case "offers":
      state.offers = Array.isArray(message.offers) ? message.offers : [];
      break;
    case "suggestions":
      // Nothing of it is the popup's.
      requests.get(message.request)?.(message);
      requests.delete(message.request);
      return;
    case "page":
    case "continued":
    case "failed":
      requests.get(message.request)?.(message);
      requests.delete(message.request);
      break;
    case "continuedElsewhere":
      state.note = `Continued on ${message.device}.`;
      break;
    case "error":
      state.note = message.message;
      break;
    default:
      // A newer host sent it.
      return;
  }
  changed();
}

/** Asks the host to continue an offer; resolves to its answer. */
function request(kind, offerId) {
  return new Promise((resolve) => {
    lastRequest += 1;
    requests.set(lastRequest, resolve);
    if (!post({ kind, offerId, request: lastRequest })) {
      requests.delete(lastRequest);
      resolve({ message: "There is no connection to Baton." });
    }
  });
}

// MARK: Pages of other devices

function webPage(text) {
  try {
    const url = new URL(text);
    return url.protocol === "http:" || url.protocol === "https:" ? url : null;
  } catch {
    return null;
  }
}

/** @param {"open" | "continue"} kind */
async function act(kind, offerId) {
  state.note = null;
  const answer = await request(kind, offerId);
  // Only what the browser was to open: a page of "continue" is open by now.
  if (kind === "open" && answer.kind === "page" && webPage(answer.url)) {
    await api.tabs.create({ url: answer.url });
  } else if (answer.kind === "continued") {
    state.note = answer.app ? `${answer.app} has it.` : "It is continued here.";
  } else {
    state.note = answer.message ?? "It could not be continued here.";
  }
  changed();
}

// MARK: The page here

/** Tells the host of the page that the person is on, once things are quiet. */
function settle(visit) {
  isVisit ||= visit;
  clearTimeout(settleTimer);
  settleTimer = setTimeout(publish, SETTLING);
}

async function publish() {
  const visit = isVisit;
  isVisit = false;
  const current = await currentPage();
  state.site = current ? new URL(current.url).hostname : null;
  const page = state.publishing ? current : null;
  if (!port) return;
  if (!page) {
    // Also at first, in case the script was stopped while the host knew of a page.
    if (state.page !== false) post({ kind: "noPage" });
    state.page = false;
  } else if (visit || page.url !== state.page?.url || page.title !== state.page?.title) {
    post({ kind: "page", url: page.url, title: page.title, visit: visit || page.url !== state.page?.url });
    state.page = page;
  }
  changed();
}

async function currentPage() {
  const [tab] = await api.tabs.query({ active: true, lastFocusedWindow: true });
  if (!tab || tab.incognito || !tab.url) return null;
  const url = webPage(tab.url);
  if (!url) return null;
  // Names and passwords in an address are not for other devices.
  url.username = "";
  url.password = "";
  // All of it is ASCII, as the standard writes addresses.
  if (url.href.length > LONGEST_ADDRESS) return null;
  let title = (tab.title ?? "").slice(0, LONGEST_TITLE);
  // Not half of a character, which is no text.
  title = title.toWellFormed?.() ?? title.replace(/[\ud800-\udfff]/g, "");
  return { url: url.href, title };
}

async function isInFront(tab) {
  if (!tab?.active) return false;
  const [front] = await api.tabs.query({ active: true, lastFocusedWindow: true });
  return front?.id === tab.id;
}

// MARK: Places of pages

const PLACES = "places";
// The limit of a message with a page's markup, in bytes; the host takes 2 MiB.
const LONGEST_MARKUP = 1 << 20;

/** Has the content scripts run in pages, or in none. Takes effect for pages that are loaded from then on. */
async function applyRemembering() {
  const registered = await api.scripting.getRegisteredContentScripts({ ids: [PLACES] });
  const script = { id: PLACES, js: ["content.js", "form.js"], matches: ["http://*/*", "https://*/*"], runAt: "document_idle" };
  if (state.remembering && !registered.length) {
    await api.scripting.registerContentScripts([script]);
  } else if (state.remembering && registered[0].js?.length !== script.js.length) {
    // An older version of the extension registered it.
    await api.scripting.updateContentScripts([script]);
  } else if (!state.remembering && registered.length) {
    await api.scripting.unregisterContentScripts({ ids: [PLACES] });
  }
}

function isExcluded(host) {
  return state.excluded.some((site) => host === site || host.endsWith(`.${site}`));
}

function browserName() {
  if (/Firefox\//.test(navigator.userAgent)) return "Firefox";
  const brands = (navigator.userAgentData?.brands ?? []).map((brand) => brand.brand);
  for (const [brand, name] of [["Google Chrome", "Chrome"], ["Microsoft Edge", "Edge"], ["Brave", "Brave"],
    ["Opera", "Opera"], ["Vivaldi", "Vivaldi"]]) {
    if (brands.includes(brand)) return name;
  }
  return "Chromium";
}

/** A text of a page, which may be anything, cut to a length in characters, and whole as text. */
function plain(text, length) {
  const cut = typeof text === "string" ? text.slice(0, length) : "";
  return cut.toWellFormed?.() ?? cut.replace(/[\ud800-\udfff]/g, "");
}

/** What the content script of a tab found. Where it is comes from the browser, not from the page. */
function remember(message, tab) {
  if (!state.remembering || !tab || tab.incognito) return;
  const url = webPage(tab.url ?? "");
  if (!url || isExcluded(url.hostname)) return;
  url.username = "";
  url.password = "";
  if (url.href.length > LONGEST_ADDRESS) return;
  const scripts = (Array.isArray(message.scripts) ? message.scripts : []).slice(0, 100);
  const page = {
    kind: "remember",
    url: url.href,
    title: plain(message.title, LONGEST_TITLE),
    description: plain(message.description, LONGEST_TITLE),
    canonical: plain(message.canonical, LONGEST_ADDRESS),
    scripts: scripts.map((text) => plain(text, LONGEST_MARKUP)),
    document: plain(message.document, LONGEST_MARKUP),
    browser: browserName(),
  };
  const size = () => new TextEncoder().encode(JSON.stringify(page)).length;
  // The scripts alone say most, and cost little.
  if (size() > LONGEST_MARKUP) page.document = "";
  if (size() > LONGEST_MARKUP) page.scripts = [];
  post(page);
}

// MARK: Fields of pages

// Longer than the host waits for the daemon.
const LONGEST_ANSWER = 5000;
// Questions of all pages that may wait at once. Policy: one more is offered nothing; a person is in one field at a time.
const MOST_QUESTIONS = 4;
let questions = 0;
// The values of a place in a field, by the tokens of `autocomplete`.
const VALUES = {
  "street-address": (place) => place.street,
  "address-line1": (place) => place.street,
  "address-level2": (place) => place.locality,
  "address-level1": (place) => place.region,
  "postal-code": (place) => place.postalCode,
  "country-name": (place) => place.country,
  country: (place) => place.country,
  tel: (place) => place.telephone,
  organization: (place) => place.name,
};
// Where one of these is a field of its own, the street's is not for the whole address.
const PARTS = ["address-level2", "address-level1", "postal-code"];

/** What a field of a page is offered: of each place what its group's fields want, and nothing else. */
async function suggest(message, sender) {
  const tab = sender.tab;
  // Frames within pages are other sites' more often than not, and a person does not see where one ends.
  if (!state.remembering || !tab || tab.incognito || sender.frameId !== 0 || !(await isInFront(tab))) return [];
  const url = webPage(tab.url ?? "");
  if (!url || isExcluded(url.hostname)) return [];
  const tokens = (Array.isArray(message.tokens) ? message.tokens : []).filter((token) => Object.hasOwn(VALUES, token));
  // The host's word for it; a country has but a code in most pages.
  const field = tokens[0] === "country" ? "country-name" : tokens[0];
  if (!field || !port || questions >= MOST_QUESTIONS) return [];
  questions += 1;
  try {
    const answer = await ask(field);
    const places = Array.isArray(answer.suggestions) ? answer.suggestions.slice(0, 3) : [];
    const hasParts = PARTS.some((part) => tokens.includes(part));
    return places.map((place) => {
      const values = {};
      for (const token of tokens) {
        const isWhole = token === "street-address" && !hasParts;
        const text = plain(isWhole ? place.address : VALUES[token](place), 256);
        if (text) values[token] = text;
      }
      return { name: plain(place.name, 256), source: plain(place.source, 256), values };
    }).filter((offer) => offer.values[tokens[0]]);
  } finally {
    questions -= 1;
  }
}

function ask(field) {
  return new Promise((resolve) => {
    lastRequest += 1;
    const number = lastRequest;
    const timer = setTimeout(() => finish({}), LONGEST_ANSWER);
    function finish(answer) {
      clearTimeout(timer);
      requests.delete(number);
      resolve(answer);
    }
    requests.set(number, finish);
    if (!post({ kind: "suggest", field, request: number })) finish({});
  });
}

async function setRemembering(value) {
  state.remembering = value;
  await api.storage.local.set({ remembering: value });
  await applyRemembering();
  changed();
}

async function setExcluded(site, value) {
  if (typeof site !== "string" || !site || site.length > 253) return;
  state.excluded = state.excluded.filter((other) => other !== site);
  if (value) state.excluded = [...state.excluded, site].slice(-1000);
  await api.storage.local.set({ excluded: state.excluded });
  changed();
}

api.runtime.onMessage.addListener((message, sender, answer) => {
  if (sender.id !== api.runtime.id) return false;
  if (message?.kind === "visited") ready.then(() => remember(message, sender.tab));
  if (message?.kind !== "suggest") return false;
  ready.then(() => suggest(message, sender)).then(answer, () => answer([]));
  // The answer comes later.
  return true;
});

// MARK: What is shown

function changed() {
  const count = state.daemon === "running" ? state.offers.filter((offer) => !offer.obstacle).length : 0;
  api.action.setBadgeText({ text: count ? String(count) : "" });
  api.action.setTitle({ title: count ? `Baton: ${count} on your other devices` : "Baton" });
  for (const popup of popups) popup.postMessage(state);
}

async function setPublishing(value) {
  state.publishing = value;
  await api.storage.local.set({ publishing: value });
  settle(value);
  changed();
}

// MARK: Events. All listeners are there as soon as the script has run, so that each of them can start it.

api.runtime.onConnect.addListener((popup) => {
  if (popup.name !== "popup") return;
  popups.add(popup);
  popup.onDisconnect.addListener(() => popups.delete(popup));
  popup.onMessage.addListener((message) => {
    switch (message?.kind) {
      case "open":
      case "continue":
        act(message.kind, message.offerId);
        break;
      case "setPublishing":
        setPublishing(message.value === true);
        break;
      case "setRemembering":
        setRemembering(message.value === true);
        break;
      case "setExcluded":
        setExcluded(message.site, message.value === true);
        break;
    }
  });
  // The person looks: the known offers are shown, and asked for anew.
  ready.then(() => {
    popup.postMessage(state);
    if (port) post({ kind: "status" });
    else connect();
  });
});

function wake(visit) {
  ready.then(() => {
    // With a retry under way its pause counts.
    if (!port && !retryTimer) connect();
    settle(visit);
  });
}

api.tabs.onActivated.addListener(() => wake(true));
api.tabs.onRemoved.addListener(() => wake(false));
api.tabs.onUpdated.addListener(async (_, change, tab) => {
  if ((change.url || change.title || change.status === "complete") && (await isInFront(tab))) {
    wake(change.url !== undefined);
  }
});
// A page that changes its address without being loaded has other content by then. Chromium says “loading” of it too; in
// a page that is being loaded there is no listener yet.
api.tabs.onUpdated.addListener((id, change) => {
  if (!state.remembering || !change.url) return;
  api.tabs.sendMessage(id, { kind: "look" }).catch(() => {});
});
api.windows.onFocusChanged.addListener((window) => {
  if (window !== api.windows.WINDOW_ID_NONE) wake(true);
});
api.windows.onRemoved.addListener(() => wake(false));
api.runtime.onStartup.addListener(() => wake(true));
api.runtime.onInstalled.addListener(() => wake(true));

const ready = (async () => {
  const stored = await api.storage.local.get({ publishing: true, remembering: false, excluded: [] });
  state.publishing = stored.publishing !== false;
  state.remembering = stored.remembering === true;
  state.excluded = Array.isArray(stored.excluded) ? stored.excluded : [];
  await applyRemembering();
  await api.action.setBadgeBackgroundColor({ color: "#1f6f5c" });
})();
ready.then(connect);
