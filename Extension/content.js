// Runs in the pages that a person visits, if they switched that on: sends a page's description of itself for programs. It takes no
// messages of the page, and changes nothing in it.
"use strict";

(() => {
  const api = globalThis.browser ?? globalThis.chrome;
  const LONGEST = 1 << 20;
  // So that a page that has just changed its address has its content.
  const SETTLING = 1000;
  let timer = null;
  let last = "";

  function text(selector, attribute) {
    const element = document.querySelector(selector);
    return (attribute ? element?.getAttribute(attribute) : element?.textContent) ?? "";
  }

  /** The document without what is no markup, and without anything that a person has entered. */
  function markup() {
    if (!document.querySelector("[itemscope], [typeof], [vocab]")) return "";
    const copy = document.documentElement.cloneNode(true);
    const useless =
      "script, style, noscript, template, svg, canvas, video, audio, iframe, object, embed, picture, img, input, textarea, select, option, datalist, output";
    for (const element of copy.querySelectorAll(useless)) element.remove();
    for (const element of copy.querySelectorAll("[style], [contenteditable]")) {
      element.removeAttribute("style");
      if (element.isContentEditable || element.hasAttribute("contenteditable")) element.textContent = "";
    }
    const html = copy.outerHTML;
    return html.length <= LONGEST ? html : "";
  }

  function look() {
    const scripts = [...document.querySelectorAll('script[type^="application/ld+json"]')]
      .slice(0, 100)
      .map((script) => script.textContent.slice(0, LONGEST));
    const message = {
      kind: "visited",
      title: document.title,
      description: text('meta[name="description"]', "content"),
      canonical: text('link[rel="canonical"]', "href"),
      scripts,
      document: markup(),
    };
    const description = JSON.stringify([location.href, message]);
    if (description === last) return;
    last = description;
    api.runtime.sendMessage(message).catch(() => {});
  }

  function settle() {
    clearTimeout(timer);
    timer = setTimeout(look, SETTLING);
  }

  // From the extension alone: a page has no way to send here.
  api.runtime.onMessage.addListener((message, sender) => {
    if (sender.id === api.runtime.id && message?.kind === "look") settle();
  });
  look();
})();
