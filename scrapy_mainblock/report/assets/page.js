// One page: its copy with what is drawn on it, and the panel beside it.

const LAYERS = [["main", "main block"], ["kept", "kept"], ["dropped", "dropped"], ["links", "link blocks"], ["fields", "fields"]];
const layers = new Set(LAYERS.map(([name]) => name));
const TABS = [["text", "Text"], ["parts", "Parts"], ["why", "Why"]];
let chosenTab = "text";
let chosenMethod = "auto";
let current = null; // the page's detail, its frame and what is chosen of it

function turn(what) {
  if (!current) return;
  if (what === "tab") {
    const names = current.tabs.map(([name]) => name);
    chooseTab(names[(names.indexOf(chosenTab) + 1) % names.length]);
  } else {
    const names = current.detail.methods.map((one) => one.name);
    chooseMethod(names[(names.indexOf(current.method.name) + 1) % names.length]);
  }
}

async function pageView(number) {
  const page = pages[number];
  if (!page) return missing();
  shownPage = page;
  current = null;
  const cluster = clusters[page.cluster];
  const at = list.indexOf(page);
  const head = [
    trail(h("a", { href: "#/" }, "Overview"), siteLink(sites[cluster.site]), clusterLink(cluster)),
    h("h1", { dir: "auto" }, cut(titleOf(page), 200)),
    h("p", { class: "small muted address" }, h("bdi", {}, shownUrl(page.url) || page.id || "")),
    h("div", { class: "tools" },
      h("span", { class: "group" },
        h("button", { type: "button", onclick: () => step(-1), disabled: at <= 0 }, "‹ Previous"),
        h("button", { type: "button", onclick: () => step(1), disabled: at < 0 || at + 1 >= list.length }, "Next ›")),
      h("span", { class: "muted small" }, at >= 0 ? `${whole(at + 1)} of ${whole(list.length)}` : ""),
      sureness(page),
      h("span", { class: "chips" }, h("span", { class: "chip calm" }, { rule: "by rule", page: "from the page alone", none: "nothing found" }[page.method]),
        page.reviewReasons.map((why) => h("span", { class: "chip" }, data.reviewReasons[why])))),
  ];
  view(titleOf(page), head, h("p", { class: "muted" }, page.drawn ? "Reading…" : ""));
  const found = page.drawn ? await detail(`page-${number}`) : null;
  if (shownPage !== page) return;
  if (!found) return view(titleOf(page), head, notDrawn(page));
  current = { page, detail: found, tabs: data.edit ? [...TABS, ["edit", "Change"]] : TABS };
  const methods = h("span", { class: "group", role: "group", "aria-label": "Method" }, found.methods.map((one) =>
    h("button", { type: "button", "data-method": one.name, "aria-pressed": "false", onclick: () => chooseMethod(one.name) }, one.label)));
  const switches = h("fieldset", { class: "layers" }, h("legend", { class: "hidden" }, "What is drawn"), LAYERS.map(([name, text]) =>
    h("label", {}, h("input", { type: "checkbox", name, checked: layers.has(name), onchange: (event) => drawLayer(name, event.target.checked) }), h("i", { class: `k-${name}` }), text)));
  const frame = h("iframe", { sandbox: "allow-same-origin", title: "The page, without its scripts and pictures", "data-page": number });
  const says = h("p", { class: "says", id: "says", "aria-live": "polite" }, "Point at a part of the page, or choose one.");
  const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "About the page" }, current.tabs.map(([name, text]) =>
    h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "tab", "data-tab": name, onclick: () => chooseTab(name), onkeydown: alongTabs }, text)));
  const tab = h("div", { class: "tab", id: "tab", role: "tabpanel", tabindex: "0" });
  Object.assign(current, { frame, says, tab });
  view(titleOf(page), head, h("div", { class: "tools" }, methods, switches),
    found.cut ? h("p", { class: "notice" }, found.cut) : null,
    h("div", { class: "bench" }, h("div", {}, h("div", { class: "sheet" }, frame), says), h("div", { class: "panel" }, tabs, tab)));
  await showFrame(frame, found);
  if (shownPage !== page) return;
  chooseMethod(found.methods.some((one) => one.name === chosenMethod) ? chosenMethod : "auto");
  chooseTab(current.tabs.some(([name]) => name === chosenTab) ? chosenTab : "text");
  showContent();
  main.dataset.ready = number;
}

// A page of today begins with screens of menus: begin where the content does, which is not a stray
// line that is kept among them.
const LONG = 60;
function showContent() {
  const kept = [...current.frame.contentDocument.querySelectorAll("mb-s.kept")];
  const first = kept.find((one) => one.textContent.length > LONG) || kept[0];
  if (first) current.frame.contentWindow.scrollTo(0, first.getBoundingClientRect().top + current.frame.contentWindow.scrollY - 90);
}

function notDrawn(page) {
  return h("div", {}, h("p", { class: "notice" }, page.chars || !page.reason ? "This page was not drawn in full. A larger --sample draws more pages." : page.reason),
    h("dl", { class: "facts" }, [["kept", `${whole(page.kept)} of ${whole(page.chars)} characters`], ["reason", page.reason || "none given"]].flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    page.url ? h("p", {}, "See it in the terminal: ", h("code", {}, `scrapy mainblock explain '${page.url.replace(/'/g, "%27")}'`)) : null);
}

// The frame has this document's origin, so that this script can listen in it; no script runs in it
// (its sandbox), nothing loads in it (its policy, and ours), and there is nothing in it to follow.
function showFrame(frame, found) {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";
  const safe = (text) => (text || "").replace(/[^A-Za-z0-9-]/g, "");
  const html = `<!DOCTYPE html><html lang="${safe(found.lang)}" dir="${safe(found.dir)}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><title>The page</title><style>${document.getElementById("frame-style").textContent}</style></head><body>${found.copy}</body></html>`;
  return new Promise((done) => {
    frame.addEventListener("load", () => {
      const inside = frame.contentDocument;
      current.marks = new Map();
      inside.querySelectorAll("mb-s[data-s]").forEach((mark) => {
        const segment = +mark.dataset.s;
        if (!current.marks.has(segment)) current.marks.set(segment, []);
        current.marks.get(segment).push(mark);
      });
      inside.addEventListener("keydown", pressed);
      inside.addEventListener("submit", (event) => event.preventDefault());
      inside.addEventListener("mouseover", (event) => pointAt(markAt(event)));
      inside.addEventListener("click", (event) => { event.preventDefault(); const segment = markAt(event); if (segment !== null) choosePart(segment, current.marks.get(segment).indexOf(event.target.closest("mb-s[data-s]"))); });
      done();
    }, { once: true });
    frame.srcdoc = html;
  });
}

function markAt(event) {
  const mark = event.target.closest ? event.target.closest("mb-s[data-s]") : null;
  return mark ? +mark.dataset.s : null;
}

function textOf(segment) {
  return (current.marks.get(segment) || []).map((one) => one.textContent).join("").replace(/\s+/g, " ").trim();
}

function whyOf(segment) {
  const { detail: found, method } = current;
  const kept = method.kept[segment] === "1";
  const reason = method.why.length ? method.reasons[method.why[segment]] : `${kept ? "content" : "not content"} by ${method.label}`;
  const likely = found.likely ? ` · ${(found.likely[segment] / 100).toFixed(2)} from the page alone` : "";
  const links = found.segments[segment][1] ? ` · in a block of ${found.segments[segment][1]} links` : "";
  const fields = found.fields.filter((one) => one[2] === segment).map((one) => ` · ${one[0]}`).join("");
  return { kept, reason, extra: `${likely}${method.why.length ? "" : links}${fields}`, place: found.places[found.segments[segment][0]] || "body" };
}

function pointAt(segment) {
  if (segment === null || !current || !current.method) return;
  const why = whyOf(segment);
  current.says.className = `says ${why.kept ? "kept" : "dropped"}`;
  current.says.replaceChildren(h("b", {}, why.kept ? "Kept: " : "Dropped: "), why.reason, why.extra, h("br"), h("code", {}, h("bdi", {}, why.place)));
}

// `text` is which of its texts was clicked, where one was.
function choosePart(segment, text = -1) {
  current.frame.contentDocument.querySelectorAll(".here").forEach((one) => one.classList.remove("here"));
  (current.marks.get(segment) || []).forEach((one) => one.classList.add("here"));
  current.part = segment;
  current.text = text;
  pointAt(segment);
  if (data.edit) { chooseTab("edit"); return; }
  if (chosenTab === "parts") {
    const item = current.tab.querySelector(`[data-s="${segment}"]`);
    if (item) item.scrollIntoView({ block: "nearest" });
  }
}

function drawLayer(name, on) {
  if (on) layers.add(name); else layers.delete(name);
  current.frame.contentDocument.documentElement.classList.toggle(`l-${name}`, on);
}

function chooseMethod(name) {
  chosenMethod = name;
  const { detail: found, frame } = current;
  const method = (current.method = found.methods.find((one) => one.name === name));
  document.querySelectorAll("[data-method]").forEach((one) => one.setAttribute("aria-pressed", String(one.dataset.method === name)));
  const shown = new Set(found.fields.map((one) => one[2]));
  current.marks.forEach((marks, segment) => {
    const why = whyOf(segment);
    const names = [why.kept ? "kept" : "dropped"];
    if (found.segments[segment][1]) names.push("links");
    if (shown.has(segment)) names.push("field");
    marks.forEach((mark, place) => { mark.className = names.join(" ") + (place ? "" : " first"); mark.title = `${why.kept ? "Kept" : "Dropped"}: ${why.reason}${why.extra}`; });
  });
  const inside = frame.contentDocument;
  inside.querySelectorAll(".main").forEach((one) => one.classList.remove("main"));
  if (method.root >= 0) inside.querySelectorAll(`[data-e="${method.root}"]`).forEach((one) => one.classList.add("main"));
  LAYERS.forEach(([layer]) => inside.documentElement.classList.toggle(`l-${layer}`, layers.has(layer)));
  chooseTab(chosenTab);
}

function alongTabs(event) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  const names = current.tabs.map(([name]) => name);
  const next = names[(names.indexOf(event.target.dataset.tab) + by + names.length) % names.length];
  chooseTab(next);
  document.getElementById(`tab-${next}`).focus();
}

function chooseTab(name) {
  chosenTab = name;
  document.querySelectorAll("[data-tab]").forEach((one) => {
    one.setAttribute("aria-selected", String(one.dataset.tab === name));
    one.tabIndex = one.dataset.tab === name ? 0 : -1;
  });
  current.tab.setAttribute("aria-labelledby", `tab-${name}`);
  current.tab.replaceChildren(...{ text: textTab, parts: partsTab, why: whyTab, edit: () => editTab() }[name]());
}

const FIRST_FIELDS = ["headline", "datePublished", "authors"]; // the others stand below the text

function fieldItem([name, value, , source, sure]) {
  return h("div", { class: "field" }, h("b", {}, name), h("span", { dir: "auto" }, /^https?:/.test(value) ? shownUrl(value) : value),
    source ? h("span", { class: "small muted" }, `${sure.toFixed(2)} · ${cut(source.replace(/,/g, ", "), 160)}`) : null);
}

function textTab() {
  const { method, detail: found } = current;
  const first = found.fields.filter(([name]) => FIRST_FIELDS.includes(name));
  const others = found.fields.filter(([name]) => !FIRST_FIELDS.includes(name));
  return [...first.map(fieldItem),
    method.text ? h("div", { class: "body", dir: "auto", lang: found.lang || null }, method.text) : h("p", { class: "muted" }, "Nothing was extracted."),
    others.length ? h("h2", {}, "More fields") : "", ...others.map(fieldItem)].filter(Boolean);
}

function partsTab() {
  const { detail: found } = current;
  const items = [];
  for (let segment = 0; segment < found.segments.length && items.length < 3000; segment += 1) {
    const why = whyOf(segment);
    items.push(h("li", {}, h("button", { type: "button", class: why.kept ? "kept" : "dropped", "data-s": segment, onclick: () => showPart(segment) },
      h("span", { dir: "auto" }, cut(textOf(segment) || "…", 120)), h("span", { class: "at" }, h("bdi", {}, why.place)), h("span", { class: "small muted" }, `${why.kept ? "Kept" : "Dropped"}: ${why.reason}${why.extra}`))));
  }
  return [h("ul", { class: "parts" }, items)];
}

function showPart(segment, text) {
  choosePart(segment, text);
  const mark = (current.marks.get(segment) || [])[0];
  if (mark) mark.scrollIntoView({ block: "center" });
}

function whyTab() {
  const { method, detail: found, page } = current;
  const decision = method.decision;
  if (!decision) return [h("p", {}, `${method.label} gives no reasons: it is the method of a paper, shown for comparison.`)];
  const fact = (name, value) => (value === null || value === undefined || value === "" ? [] : [h("dt", {}, name), h("dd", {}, value)]);
  const rule = decision.rule ? Object.entries(decision.rule).map(([kind, value]) => `${kind} ${value}`).join(", ") : null;
  return [
    h("dl", { class: "facts" }, fact("method", METHOD_WORDS[decision.method]), fact("probability", decision.probability.toFixed(2)), fact("page type", decision.pageType),
      fact("template", decision.cluster), fact("main block", rule), fact("rule version", decision.ruleVersion), fact("pages learned from", decision.rulePages), fact("reason", decision.reason),
      page.agreement === null || method.name !== "auto" ? [] : fact("the page alone", `agrees to ${percent(page.agreement)}`),
      decision.tried.flatMap((one) => fact(`tried ${one.selector}`, `${one.value}: ${plural(one.matches, "element")}`))),
    h("h2", {}, page.reviewReasons.length ? "What to try" : "If it is wrong"),
    ...(found.advice.length ? found.advice.map(([what, command]) => h("div", { class: "try" }, what, h("code", {}, command))) : [h("p", { class: "muted" }, "Nothing is kept, so there is no block to pin.")]),
  ];
}

// A frame is cut where a sheet of paper ends. For printing, its document stands in the flow of this
// one, in a shadow tree of its own: styles do not leave it, and there is nothing in it that acts.
window.addEventListener("beforeprint", () => {
  if (!current || !current.frame || !current.frame.contentDocument) return;
  const copy = h("div", { class: "printed" });
  copy.attachShadow({ mode: "open" }).append(document.importNode(current.frame.contentDocument.documentElement, true));
  main.querySelector(".bench").before(copy);
});
window.addEventListener("afterprint", () => main.querySelectorAll(".printed").forEach((one) => one.remove()));

go();
