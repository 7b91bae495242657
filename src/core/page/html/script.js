"use strict";
// Updates without a reload, the age of times, and keys. Every page works without it.
(() => {
  const PAUSE = 5000;
  const LOST = 15000;
  const body = document.body;
  body.classList.add("scripted");

  const age = (seconds) => {
    const past = Math.abs(seconds);
    const [count, unit] = past < 90 ? [past, "s"] : past < 5400 ? [past / 60, "min"]
      : past < 172800 ? [past / 3600, "h"] : [past / 86400, "days"];
    const text = `${Math.round(count)} ${unit}`;
    return seconds < 0 ? `in ${text}` : `${text} ago`;
  };
  const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  const dates = () => {
    for (const time of document.querySelectorAll("time")) {
      const at = new Date(time.dateTime);
      if (Number.isNaN(at.getTime())) continue;
      time.title = `${local.format(at)}, ${age((Date.now() - at) / 1000)}`;
    }
    const moment = document.querySelector("#moment .age");
    const written = document.querySelector("#moment time");
    if (moment && written) moment.textContent = `, ${age((Date.now() - new Date(written.dateTime)) / 1000)}`;
  };

  // Replaces the content, and keeps the focus, the open details and the position.
  const place = (element) => element && (element.id ? `#${CSS.escape(element.id)}`
    : element.getAttribute("href") ? `a[href="${CSS.escape(element.getAttribute("href"))}"]` : null);
  let spoken = 0;
  const say = (text) => {
    const now = Date.now();
    if (now - spoken < PAUSE) return;
    spoken = now;
    document.getElementById("live").textContent = text;
  };
  let busy = false;
  let again = false;
  const update = async () => {
    if (busy) { again = true; return; }
    busy = true;
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
      if (answer.status >= 500) again = true;
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const [main, fresh] = [document.getElementById("main"), page.getElementById("main")];
      if (!fresh) return;
      if (document.activeElement?.matches("input")) {
        document.activeElement.addEventListener("blur", update, { once: true });
        return;
      }
      const focus = main.contains(document.activeElement) ? place(document.activeElement) : null;
      const open = [...main.querySelectorAll("details")].map((details) => details.open);
      main.replaceChildren(...fresh.childNodes);
      document.title = page.title;
      main.querySelectorAll("details").forEach((details, index) => { details.open = open[index] || false; });
      if (focus) main.querySelector(focus)?.focus({ preventScroll: true });
      dates();
      say("The page has changed.");
    } catch {
      again = true;
    } finally {
      busy = false;
      if (again) { again = false; setTimeout(update, PAUSE); }
    }
  };
  // A browser opens only six connections to a server, so a page that is not seen keeps none.
  let events = null;
  let timer = 0;
  const lost = (isLost) => {
    clearTimeout(timer);
    timer = 0;
    const note = document.getElementById("lost");
    if (note) note.hidden = !isLost;
  };
  const listen = () => {
    const wanted = body.dataset.events && window.EventSource && document.visibilityState === "visible";
    if (!wanted || events) return;
    events = new EventSource(body.dataset.events);
    // The server ends each stream after two minutes, and the browser opens the next one.
    events.onerror = () => { timer ||= setTimeout(() => lost(true), LOST); };
    events.onopen = () => lost(false);
    events.addEventListener("entry", (event) => {
      const moment = document.getElementById("moment");
      if (moment && moment.dataset.state !== event.lastEventId) update();
    });
  };
  const leave = () => {
    if (events) events.close();
    events = null;
    lost(false);
  };
  document.addEventListener("visibilitychange", () => (document.visibilityState === "visible" ? listen() : leave()));
  addEventListener("pagehide", leave);
  addEventListener("pageshow", listen);
  listen();

  const help = document.createElement("dialog");
  help.setAttribute("aria-labelledby", "help-title");
  const title = help.appendChild(document.createElement("h2"));
  title.id = "help-title";
  title.textContent = "Keys";
  const list = help.appendChild(document.createElement("dl"));
  list.className = "pairs";
  const key = (name, meaning) => {
    list.appendChild(document.createElement("dt")).appendChild(document.createElement("kbd")).textContent = name;
    list.appendChild(document.createElement("dd")).textContent = meaning;
  };
  document.querySelectorAll("[data-key]").forEach((link) => key(link.dataset.key, link.textContent));
  key("/", "filter");
  key("[ and ]", "entry of the journal before and after");
  key("Esc", "close");
  body.appendChild(help);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
    const key = CSS.escape(event.key);
    const link = document.querySelector(`[data-key="${key}"], [data-step="${key}"]`);
    if (event.key === "?") help.showModal();
    else if (event.key === "/") document.querySelector("main input")?.focus();
    else if (link) link.click();
    else return;
    event.preventDefault();
  });
  dates();
  setInterval(dates, 30000);
})();
