// Runs in the pages that a person visits, if they switched that on: offers, below a field that says what it is for, the
// places that they looked at elsewhere, and fills it after a click. Until then the page gets nothing: what is offered is
// in a closed shadow root, as generated content, which no script of the page can read or find. The page may cover, move
// or fake what it likes: a click counts only where the offer itself has been seen, whole and still, for a while.
"use strict";

(() => {
  const api = globalThis.browser ?? globalThis.chrome;
  const prototype = HTMLElement.prototype;
  if (!prototype.showPopover || !prototype.checkVisibility) return;
  // Without the browser's word a page can cover an offer unseen: Firefox does not give it, so nothing is offered there.
  if (!("isVisible" in IntersectionObserverEntry.prototype)) return;

  // The fields that a place can fill, by the tokens of `autocomplete`.
  const FIELDS = new Set(["street-address", "address-line1", "address-level2", "address-level1", "postal-code", "country-name",
    "country", "tel", "organization"]);
  const CONTACTS = new Set(["home", "work", "mobile", "fax", "pager"]);
  const TYPES = new Set(["text", "search", "tel"]);
  const SETTLING = 100;
  // How long an offer has to be in one place, uncovered, before a click on it counts.
  const STILL = 500;
  const WIDTH = 340;
  const ROW = 56;
  const MARGIN = 4;
  const LARGEST_GROUP = 32;

  // Everything is important, since that is stronger than any rule, style or animation of the page. The fonts are generic
  // ones: a font of the page's own would be asked for by the characters that it has to draw.
  const STYLE = `
    :host { all: initial !important; direction: ltr !important; unicode-bidi: isolate !important;
      display: block !important; position: fixed !important; inset: auto !important; left: var(--x) !important;
      top: var(--y) !important; margin: 0 !important;
      width: var(--w) !important; height: var(--h) !important; border: 0 !important; padding: 0 !important;
      overflow: hidden !important; background: #fff !important; color-scheme: only light !important;
      cursor: default !important; }
    :host::backdrop { display: none !important; }
    :host::before, :host::after { content: none !important; display: none !important; }
    div { box-sizing: border-box; width: 100%; height: 100%; border: 1px solid #555; background: #fff; }
    button { all: unset; box-sizing: border-box; display: block; width: 100%; height: ${ROW}px; padding: 4px 10px;
      background: #fff; color: #111; font: 13px/16px sans-serif; user-select: none; cursor: pointer; overflow: hidden; }
    button:hover { background: #e3f1ee; }
    span { display: block; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; unicode-bidi: isolate; }
    span::before { content: attr(data-text); }
    .text { font-weight: bold; }
    .detail { color: #444; font-size: 12px; }`;

  let timer = null;
  let asked = 0;
  /** What is shown: the field, its group's fields, the elements, since when it is still, and whether it is in full view. */
  let shown = null;
  /** While a field is filled, which takes the focus nowhere. */
  let isFilling = false;

  /** A field's token with the group that it is in; null for one that no place can fill. */
  function purpose(element) {
    const isInput = element instanceof HTMLInputElement && TYPES.has(element.type);
    const isOther = element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;
    if (!isInput && !isOther) return null;
    if (element.disabled || element.readOnly) return null;
    const tokens = (element.getAttribute("autocomplete") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    if (tokens.at(-1) === "webauthn") tokens.pop();
    const token = tokens.pop();
    if (!FIELDS.has(token)) return null;
    const contact = CONTACTS.has(tokens.at(-1)) ? tokens.pop() : "";
    if (contact === "fax" || contact === "pager") return null;
    return { token, group: tokens.join(" ") };
  }

  /** Whether a person can see a field, so that it gets nothing behind their back. */
  function isVisible(element) {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) return false;
    const box = element.getBoundingClientRect();
    return box.width >= 16 && box.height >= 8 && box.right + scrollX > 0 && box.bottom + scrollY > 0;
  }

  /** The fields of a field's group that a person can see, by token: itself, and of the others those that are empty. */
  function group(field, { token, group }) {
    const fields = new Map([[token, field]]);
    const all = field.form ? field.form.elements : document.querySelectorAll("input, textarea, select");
    for (const element of [...all].slice(0, 500)) {
      if (fields.size >= LARGEST_GROUP) break;
      if (element === field || element.form !== field.form) continue;
      const other = purpose(element);
      if (!other || other.group !== group || fields.has(other.token)) continue;
      if (!(element instanceof HTMLSelectElement) && element.value) continue;
      if (isVisible(element)) fields.set(other.token, element);
    }
    return fields;
  }

  // MARK: The field

  function focused() {
    const element = document.activeElement;
    if (!element || element instanceof HTMLSelectElement || element.value || !document.hasFocus()) return null;
    // A page that focuses a field by itself has nothing to win by it, but no person wants it either.
    if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return null;
    if (document.fullscreenElement || document.pointerLockElement) return null;
    return element;
  }

  async function look() {
    const field = focused();
    const what = field && purpose(field);
    if (!what || !isVisible(field)) return hide();
    if (shown?.field === field) return;
    hide();
    asked += 1;
    const question = asked;
    const tokens = [what.token, ...[...group(field, what).keys()].filter((token) => token !== what.token)];
    let offers;
    try {
      offers = await api.runtime.sendMessage({ kind: "suggest", tokens });
    } catch {
      return;
    }
    if (question !== asked || focused() !== field || !Array.isArray(offers) || !offers.length) return;
    show(field, what, offers.slice(0, 3));
  }

  function settle() {
    clearTimeout(timer);
    timer = setTimeout(look, SETTLING);
  }

  // MARK: The offer

  function show(field, what, offers) {
    const place = position(field, offers.length);
    if (!place) return;
    const host = document.createElement("div");
    const root = host.attachShadow({ mode: "closed" });
    const sheet = new CSSStyleSheet();
    const layout = `:host { --x: ${place.x}px !important; --y: ${place.y}px !important; --w: ${place.width}px !important;
      --h: ${place.height}px !important; }`;
    sheet.replaceSync(STYLE + layout);
    try {
      root.adoptedStyleSheets = [sheet];
    } catch {
      // Firefox keeps sheets of a content script out.
      const style = document.createElement("style");
      style.textContent = STYLE + layout;
      root.append(style);
    }
    const list = document.createElement("div");
    const fields = group(field, what);
    const rows = offers.map((offer) => {
      const row = document.createElement("button");
      row.type = "button";
      row.tabIndex = -1;
      // The person sees everything that the page gets.
      const rest = [...fields.keys()].filter((token) => token !== what.token && offer.values[token])
        .map((token) => offer.values[token]);
      const own = offer.values[what.token];
      row.append(line("text", own), line("detail", rest.length ? `and ${rest.join(" · ")}` : ""),
        line("detail", [offer.name, `seen in ${offer.source}`].filter(Boolean).join(", ")));
      row.title = [own, ...rest].join("\n");
      return { row, offer };
    });
    list.append(...rows.map(({ row }) => row));
    root.append(list);
    host.setAttribute("popover", "manual");
    document.documentElement.append(host);
    host.showPopover();
    const current = { field, fields, host, list, place, since: performance.now(), isSeen: false, pressed: null,
      observer: null };
    shown = current;
    for (const { row, offer } of rows) {
      // The focus stays in the field.
      row.addEventListener("pointerdown", (event) => press(event, current, row));
      row.addEventListener("mousedown", (event) => event.preventDefault());
      row.addEventListener("click", (event) => take(event, current, row, offer));
    }
    observe(current);
    requestAnimationFrame(() => watch(current));
  }

  function line(style, text) {
    const span = document.createElement("span");
    span.className = style;
    span.dataset.text = text;
    return span;
  }

  /** Below the field, or above it; null where there is no room to show all of it. */
  function position(field, count) {
    const box = field.getBoundingClientRect();
    const [width, height] = [Math.min(WIDTH, innerWidth - 2 * MARGIN), count * ROW + 2];
    if (width < 160) return null;
    const x = Math.round(Math.min(Math.max(box.left, MARGIN), innerWidth - width - MARGIN));
    let y = Math.round(box.bottom + MARGIN);
    if (y + height > innerHeight) y = Math.round(box.top - MARGIN - height);
    if (y < 0 || box.bottom < 0 || box.top > innerHeight) return null;
    return { x, y, width, height, left: box.left, top: box.top };
  }

  /** Has the browser tell whether anything covers the offer or makes it fainter. */
  function observe(current) {
    current.observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1);
      const isSeen = last.isVisible && last.intersectionRatio >= 0.99;
      if (isSeen && !current.isSeen) current.since = performance.now();
      current.isSeen = isSeen;
    }, { trackVisibility: true, delay: 100, threshold: [0, 0.5, 0.99, 1] });
    current.observer.observe(current.list);
  }

  /** Whether the offer is where it was put, and nothing is in front of it. */
  function isInPlace({ host, list, place, field }) {
    if (!host.isConnected || host.parentNode !== document.documentElement || !host.matches(":popover-open")) return false;
    const [box, of] = [list.getBoundingClientRect(), field.getBoundingClientRect()];
    const near = (one, other) => Math.abs(one - other) < 1;
    if (!near(box.left, place.x) || !near(box.top, place.y)) return false;
    if (!near(box.width, place.width) || !near(box.height, place.height)) return false;
    if (!near(of.left, place.left) || !near(of.top, place.top)) return false;
    // Only what is in the top layer as well can be in front of it.
    const others = [...document.querySelectorAll(":popover-open, :modal, :fullscreen")];
    if (others.some((other) => other !== host && !other.contains(field))) return false;
    const [right, bottom] = [place.x + place.width - 3, place.y + place.height - 3];
    return [[place.x + 3, place.y + 3], [right, place.y + 3], [place.x + 3, bottom], [right, bottom],
      [place.x + place.width / 2, place.y + place.height / 2]]
      .every(([x, y]) => document.elementFromPoint(x, y) === host);
  }

  function watch(current) {
    if (shown !== current) return;
    if (!isInPlace(current) || focused() !== current.field) return hide();
    requestAnimationFrame(() => watch(current));
  }

  function isReady(event, current, row) {
    if (!event.isTrusted || event.button !== 0 || shown !== current) return false;
    const box = row.getBoundingClientRect();
    const [x, y] = [event.clientX, event.clientY];
    const isInside = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    return isInside && current.isSeen && isInPlace(current) && performance.now() - current.since >= STILL;
  }

  function press(event, current, row) {
    current.pressed = isReady(event, current, row) ? row : null;
  }

  function take(event, current, row, offer) {
    event.preventDefault();
    event.stopPropagation();
    // Pressed here as well, so that half of a double click elsewhere is none.
    if (current.pressed !== row || !isReady(event, current, row)) {
      current.pressed = null;
      return;
    }
    hide();
    isFilling = true;
    for (const [token, field] of current.fields) {
      const isOwn = field === current.field;
      const isAsShown = field.isConnected && purpose(field)?.token === token && isVisible(field);
      if (isAsShown && (isOwn || field instanceof HTMLSelectElement || !field.value)) fill(field, offer.values[token]);
    }
    isFilling = false;
  }

  function fill(field, text) {
    if (!text) return;
    if (field instanceof HTMLSelectElement) {
      const wanted = text.toLowerCase();
      const option = [...field.options].slice(0, 1000)
        .find((one) => one.value.toLowerCase() === wanted || one.text.trim().toLowerCase() === wanted);
      if (!option || option.disabled) return;
      field.value = option.value;
    } else {
      if (field.maxLength >= 0 && text.length > field.maxLength) return;
      field.value = text;
    }
    field.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function hide() {
    asked += 1;
    if (!shown) return;
    const { host, observer } = shown;
    shown = null;
    observer?.disconnect();
    host.remove();
  }

  addEventListener("focusin", (event) => event.isTrusted && settle(), true);
  addEventListener("focusout", (event) => event.isTrusted && hide(), true);
  // The person writes something of their own, or takes it away again.
  addEventListener("input", (event) => {
    if (!event.isTrusted || isFilling) return;
    hide();
    settle();
  }, true);
  addEventListener("keydown", (event) => event.isTrusted && event.key === "Escape" && hide(), true);
  for (const name of ["resize", "blur", "pagehide"]) addEventListener(name, hide);
  document.addEventListener("visibilitychange", hide);
})();
