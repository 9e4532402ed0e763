// The report's views. Everything that came from a page is put in as text, never as HTML; the one
// exception is the copy of a page, which is written by the report and shown in a frame of its own
// without scripts.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const main = document.getElementById("main");
const METHODS = ["rule", "page", "none"];
const METHOD_WORDS = { rule: "by rule", page: "page alone", none: "nothing found" };
const CHUNK = 100;

// --- small tools --------------------------------------------------------------------------------

function h(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((one) => one !== null && one !== undefined && one !== ""));
  return made;
}

function svg(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const whole = (number) => Math.round(number).toLocaleString("en");
const percent = (share) => `${Math.round(100 * share)} %`;
const plural = (number, word) => `${whole(number)} ${word}${number === 1 ? "" : "s"}`;
const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
// An address as a person reads it: letters of any script in place of their octets.
const shownUrl = (url) => (url || "").replace(/(?:%[89A-F][0-9A-F])+/gi, (octets) => { try { return decodeURIComponent(octets); } catch { return octets; } });
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

function say(text) {
  document.getElementById("live").textContent = text;
}

// --- the data -----------------------------------------------------------------------------------

const pages = data.rows.map((row, number) => {
  const page = { number };
  data.columns.forEach((name, place) => (page[name] = row[place]));
  page.method = METHODS[page.method];
  return page;
});
const clusters = data.clusters;
const sites = data.sites.map((name, number) => ({ name, number, pages: [], clusters: [] }));
clusters.forEach((cluster, number) => {
  cluster.number = number;
  cluster.members = [];
  sites[cluster.site].clusters.push(cluster);
});
pages.forEach((page) => {
  sites[clusters[page.cluster].site].pages.push(page);
  clusters[page.cluster].members.push(page);
});
const doubtful = [...pages].sort((a, b) => b.doubt - a.doubt || a.number - b.number);
const titleOf = (page) => page.headline || shownUrl(page.url) || page.id || `Page ${page.number + 1}`;
const clusterName = (cluster) => cluster.name || "no known template";

let list = doubtful; // what j and k go along
let shownPage = null;

// A detail is deflated and in base64, in an element of its own, which stands behind this script.
async function detail(name) {
  if (data.edit) {
    const answer = await fetch(`detail/${name}`);
    return answer.ok ? answer.json() : null;
  }
  let element = document.getElementById(name);
  if (!element && document.readyState === "loading") {
    await new Promise((done) => document.addEventListener("DOMContentLoaded", done, { once: true }));
    element = document.getElementById(name);
  }
  if (!element) return null;
  const packed = Uint8Array.from(atob(element.textContent.trim()), (one) => one.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

// --- pieces -------------------------------------------------------------------------------------

function counts(some) {
  return METHODS.map((method) => some.filter((page) => page.method === method).length);
}

function shareBar(numbers, thin) {
  const all = sum(numbers) || 1;
  const words = METHODS.map((one, place) => `${percent(numbers[place] / all)} ${METHOD_WORDS[one]}`);
  return h("div", { class: thin ? "share thin" : "share", role: "img", "aria-label": words.join(", "), title: words.join(", ") },
    METHODS.map((method, place) => numbers[place] ? h("i", { class: `of-${method}`, style: `flex:${numbers[place]}` }) : null));
}

function legend() {
  return h("p", { class: "legend" },
    h("span", {}, h("i", { class: "of-rule" }), "by the rule of a template"),
    h("span", {}, h("i", { class: "of-page" }), "from the page alone"),
    h("span", {}, h("i", { class: "of-none" }), "nothing found"));
}

function sureness(page) {
  const grade = page.probability >= 0.8 ? "good" : page.probability >= 0.5 ? "fair" : "poor";
  return h("span", { class: `sure ${grade}`, style: `--sure:${Math.round(100 * page.probability)}%`,
    title: "probability that the decision is right" }, page.probability.toFixed(2));
}

function pageItem(page) {
  const cluster = clusters[page.cluster];
  return h("li", {}, sureness(page),
    h("a", { class: "title", href: `#/page/${page.number}`, dir: "auto" }, cut(titleOf(page), 160)),
    h("span", { class: "how" }, METHOD_WORDS[page.method]),
    h("span", { class: "where" }, h("bdi", {}, page.headline && page.url ? cut(shownUrl(page.url), 200) : sites[cluster.site].name || "no site"),
      ` · ${whole(page.kept)} of ${whole(page.chars)} characters`, page.drawn ? "" : " · not drawn"),
    page.reviewReasons.length ? h("span", { class: "chips" }, page.reviewReasons.map((why) => h("span", { class: "chip" }, data.reviewReasons[why]))) : null);
}

function pageList(some, label) {
  const items = h("ol", { class: "pages", "aria-label": label });
  const more = h("button", { type: "button", class: "more", onclick: () => grow(true) });
  let shown = 0;
  function grow(byHand) {
    const first = shown;
    items.append(...some.slice(shown, shown + CHUNK).map(pageItem));
    shown = Math.min(shown + CHUNK, some.length);
    more.hidden = shown >= some.length;
    more.textContent = `Show more (${whole(some.length - shown)} left)`;
    if (byHand && items.children[first]) items.children[first].querySelector("a").focus();
  }
  items.addEventListener("click", () => (list = some));
  grow(false);
  return h("div", {}, some.length ? items : h("p", { class: "muted" }, "None."), more);
}

function view(title, ...children) {
  main.replaceChildren(...children.flat().filter(Boolean));
  document.title = `${title} – mainblock`;
}

// --- charts -------------------------------------------------------------------------------------

function probabilityChart(some) {
  const bins = Array.from({ length: 10 }, () => [0, 0, 0]);
  some.forEach((page) => (bins[Math.min(9, Math.floor(page.probability * 10))][METHODS.indexOf(page.method)] += 1));
  const most = Math.max(1, ...bins.map(sum));
  const chart = svg("svg", { class: "chart", viewBox: "0 0 480 210", role: "img",
    "aria-label": `Pages by probability: ${bins.map((one, place) => `${sum(one)} from ${place / 10}`).join(", ")}` });
  bins.forEach((bin, place) => {
    let top = 178;
    METHODS.forEach((method, kind) => {
      const height = (bin[kind] / most) * 156;
      top -= height;
      if (height) chart.append(svg("rect", { class: `bar-${method}`, x: 22 + place * 45, y: top, width: 38, height }));
    });
    if (sum(bin)) chart.append(svg("text", { x: 41 + place * 45, y: top - 5, "text-anchor": "middle" }, whole(sum(bin))));
    chart.append(svg("text", { x: 22 + place * 45, y: 196, "text-anchor": "middle" }, (place / 10).toFixed(1)));
  });
  chart.append(svg("line", { class: "axis", x1: 20, x2: 470, y1: 178.5, y2: 178.5 }), svg("text", { x: 472, y: 196, "text-anchor": "middle" }, "1"));
  return chart;
}

function sizesChart(some) {
  const sizes = some.map((cluster) => cluster.pages).sort((a, b) => b - a);
  const x = (rank) => 34 + (Math.log10(rank) / Math.max(Math.log10(sizes.length || 1), 0.3)) * 420;
  const most = Math.log10(Math.max(sizes[0] || 1, 10));
  const y = (size) => 178 - (Math.log10(size) / most) * 150;
  const chart = svg("svg", { class: "chart", viewBox: "0 0 480 210", role: "img",
    "aria-label": `Sizes of ${sizes.length} clusters, the largest of ${sizes[0] || 0} pages` });
  for (let power = 0; power <= most + 1e-9; power += 1) {
    chart.append(svg("line", { class: "axis", x1: 30, x2: 470, y1: y(10 ** power), y2: y(10 ** power) }),
      svg("text", { x: 26, y: y(10 ** power) + 4, "text-anchor": "end" }, String(10 ** power)));
  }
  sizes.forEach((size, place) => chart.append(svg("circle", { class: "dot", cx: x(place + 1), cy: y(size), r: 4 })));
  chart.append(svg("text", { x: 34, y: 202 }, "largest"), svg("text", { x: 454, y: 202, "text-anchor": "end" }, `smallest of ${sizes.length}`));
  return chart;
}

// --- views --------------------------------------------------------------------------------------

function overview() {
  const numbers = counts(pages);
  const known = clusters.filter((cluster) => cluster.name);
  const tile = (value, text) => h("div", { class: "tile" }, h("b", {}, value), h("span", {}, text));
  const worth = doubtful.filter((page) => page.reviewReasons.length);
  list = doubtful;
  const first = (worth.length ? worth : doubtful).slice(0, 10);
  const table = h("tbody", {});
  const rows = [...sites].sort((a, b) => b.pages.length - a.pages.length);
  const more = h("button", { type: "button", class: "more", onclick: () => grow() });
  let shown = 0;
  function grow() {
    table.append(...rows.slice(shown, shown + 50).map((site) => h("tr", {},
      h("td", {}, h("a", { href: `#/site/${site.number}` }, h("bdi", {}, site.name || "no site")), shareBar(counts(site.pages), true)),
      h("td", { class: "number", "data-label": "pages" }, whole(site.pages.length)),
      h("td", { class: "number", "data-label": "templates" }, whole(site.clusters.filter((one) => one.name).length)),
      h("td", { class: "number", "data-label": "by rule" }, percent(counts(site.pages)[0] / site.pages.length)),
      h("td", { class: "number", "data-label": "mean probability" }, (sum(site.pages.map((page) => page.probability)) / site.pages.length).toFixed(2)),
      h("td", { class: "number", "data-label": "worth a look" }, whole(site.pages.filter((page) => page.reviewReasons.length).length)))));
    shown = Math.min(shown + 50, rows.length);
    more.hidden = shown >= rows.length;
    more.textContent = `Show more (${rows.length - shown} left)`;
  }
  grow();
  view("Overview",
    h("h1", {}, data.title),
    h("p", { class: "lead" }, data.lead),
    h("div", { class: "tiles" }, tile(whole(pages.length), pages.length === 1 ? "page" : "pages"), tile(whole(sites.length), sites.length === 1 ? "site" : "sites"),
      tile(whole(known.length), "templates"), tile(percent(numbers[0] / (pages.length || 1)), "by rule"),
      tile(pages.length ? (sum(pages.map((page) => page.probability)) / pages.length).toFixed(2) : "–", "mean probability"), tile(whole(worth.length), "worth a look")),
    shareBar(numbers), legend(),
    h("section", {}, h("h2", {}, "Look at these first"),
      h("p", { class: "muted" }, "The pages with the lowest confidence, and the most unusual ones. ", h("kbd", {}, "n"), " goes from one to the next."),
      h("div", { class: "first" }, pageList(first, "Pages to look at first")),
      h("p", { class: "more" }, h("a", { href: "#/pages" }, `All ${plural(pages.length, "page")}`))),
    h("section", { class: "pair" },
      h("div", {}, h("h2", {}, "Confidence"), h("p", { class: "muted" }, "Pages by the probability that the decision is right."), probabilityChart(pages)),
      h("div", {}, h("h2", {}, "Sizes of templates"), h("p", { class: "muted" }, "Pages of each cluster, the largest first; both axes are logarithmic."), sizesChart(known))),
    h("section", {}, h("h2", {}, "Sites"),
      h("div", { class: "wide" }, h("table", { class: "stack" }, h("caption", { class: "hidden" }, "Sites with their pages"),
        h("thead", {}, h("tr", {}, ["Site", "Pages", "Templates", "By rule", "Mean probability", "Worth a look"].map((name, place) => h("th", { scope: "col", class: place ? "number" : null }, name)))),
        table)), more));
}

function allPages() {
  const place = h("div", {});
  const words = h("input", { type: "search", name: "words", oninput: show });
  const method = h("select", { name: "method", onchange: show }, h("option", { value: "" }, "any"), METHODS.map((one) => h("option", { value: one }, METHOD_WORDS[one])));
  const why = h("select", { name: "why", onchange: show }, h("option", { value: "" }, "any"), Object.entries(data.reviewReasons).map(([key, text]) => h("option", { value: key }, text)));
  const order = h("select", { name: "order", onchange: show }, h("option", { value: "doubt" }, "most doubtful first"), h("option", { value: "number" }, "input order"));
  const count = h("p", { class: "muted", role: "status" });
  function show() {
    const wanted = words.value.toLowerCase();
    const some = (order.value === "doubt" ? doubtful : pages).filter((page) =>
      (!method.value || page.method === method.value) && (!why.value || page.reviewReasons.includes(why.value)) &&
      (!wanted || `${page.headline || ""} ${page.url || ""} ${page.id || ""}`.toLowerCase().includes(wanted)));
    list = some;
    count.textContent = plural(some.length, "page");
    place.replaceChildren(pageList(some, "Pages"));
  }
  show();
  view("Pages", h("h1", {}, "Pages"),
    h("div", { class: "filters" }, h("label", {}, "Words in title or URL", words), h("label", {}, "Method", method), h("label", {}, "Worth a look because", why), h("label", {}, "Order", order)),
    count, place);
}

function trail(...steps) {
  return h("p", { class: "trail" }, steps.flatMap((step, place) => (place ? [" › ", step] : [step])));
}

const siteLink = (site) => h("a", { href: `#/site/${site.number}` }, h("bdi", {}, site.name || "no site"));
const clusterLink = (cluster) => h("a", { href: `#/cluster/${cluster.number}` }, clusterName(cluster));

function siteView(number) {
  const site = sites[number];
  if (!site) return missing();
  const rows = [...site.clusters].sort((a, b) => b.pages - a.pages);
  const some = [...site.pages].sort((a, b) => b.doubt - a.doubt);
  list = some;
  view(site.name, trail(h("a", { href: "#/" }, "Overview")), h("h1", {}, h("bdi", {}, site.name || "no site")),
    h("p", { class: "lead" }, `${plural(site.pages.length, "page")} of ${plural(rows.filter((one) => one.name).length, "template")}`),
    shareBar(counts(site.pages)), legend(),
    h("section", {}, h("h2", {}, "Templates"), h("div", { class: "wide" }, h("table", { class: "stack" }, h("caption", { class: "hidden" }, "Templates of the site"),
      h("thead", {}, h("tr", {}, ["Template", "Rule", "Pages", "By rule"].map((name, place) => h("th", { scope: "col", class: place > 1 ? "number" : null }, name)))),
      h("tbody", {}, rows.map((cluster) => h("tr", {}, h("td", {}, clusterLink(cluster), shareBar(counts(cluster.members), true)),
        h("td", { class: "mono whole" }, cluster.rule ? ruleWords(cluster.rule) : h("span", { class: "muted" }, "no rule")),
        h("td", { class: "number", "data-label": "pages" }, whole(cluster.pages)),
        h("td", { class: "number", "data-label": "by rule" }, percent(counts(cluster.members)[0] / (cluster.members.length || 1))))))))),
    h("section", {}, h("h2", {}, "Sizes of templates"), h("div", { class: "pair" }, h("div", {}, sizesChart(rows.filter((one) => one.name))))),
    h("section", {}, h("h2", {}, "Pages"), h("p", { class: "muted" }, "The most doubtful first."), pageList(some, "Pages of the site")));
}

function ruleWords(rule) {
  return ["id", "class", "path"].filter((kind) => rule[kind]).map((kind) => `${kind}=${rule[kind]}`).join("  ");
}

function clusterView(number) {
  const cluster = clusters[number];
  if (!cluster) return missing();
  const site = sites[cluster.site];
  const some = [...cluster.members].sort((a, b) => b.doubt - a.doubt);
  list = some;
  const fact = (name, ...value) => [h("dt", {}, name), h("dd", {}, ...value)];
  const bar = (share) => [h("span", { class: "bar", "aria-hidden": "true" }, h("i", { style: `width:${Math.round(100 * share)}%` })), percent(share)];
  const rule = cluster.rule;
  view(clusterName(cluster), trail(h("a", { href: "#/" }, "Overview"), siteLink(site)),
    h("h1", {}, cluster.name ? `Template ${cluster.name}` : "Pages without a known template"),
    h("p", { class: "lead" }, `${plural(cluster.pages, "page")}, ${percent(counts(cluster.members)[0] / (cluster.members.length || 1))} by rule`),
    rule ? h("div", { class: "rule" }, h("dl", { class: "facts" },
      ["id", "class", "path"].filter((kind) => rule[kind]).flatMap((kind) => fact(kind, h("code", {}, rule[kind]))),
      fact("version", `${cluster.version}${cluster.pinned ? ", pinned by hand" : ""}`),
      fact("learned from", cluster.learned ? `${plural(cluster.learned, "page")}, ${percent(cluster.agreement)} of which voted for this block` : "nothing: it was written by hand"),
      ["keep", "drop", "dropLines", "known"].filter((key) => (rule[key] || []).length).flatMap((key) => fact({ keep: "keeps only", drop: "drops", dropLines: "drops lines", known: "always content" }[key],
        h("details", {}, h("summary", {}, plural(rule[key].length, key === "dropLines" ? "line" : "place")), rule[key].map((one) => h("div", {}, h("code", { dir: "auto" }, one)))))))) : null,
    rule ? h("section", {}, h("h2", {}, "What the rule leaves out"), h("p", { class: "muted" }, "Parts of its main block that the rule drops, by reason."),
      cluster.left.length ? h("div", { class: "wide" }, h("table", {}, h("caption", { class: "hidden" }, "What the rule leaves out"),
        h("thead", {}, h("tr", {}, ["Reason", "On pages", "Parts", "Characters"].map((name, place) => h("th", { scope: "col", class: place ? "number" : null }, name)))),
        h("tbody", {}, cluster.left.map(([reason, on, parts, chars]) => h("tr", {}, h("td", { dir: "auto" }, reason),
          h("td", { class: "number" }, `${whole(on)} of ${whole(cluster.pages)}`), h("td", { class: "number" }, whole(parts)), h("td", { class: "number" }, whole(chars))))))) : h("p", { class: "muted" }, "Nothing: the whole block is kept.")) : null,
    h("section", {}, h("h2", {}, "The shared structure"), h("p", { class: "muted" }, "Each place, the share of pages that have it, and the share of these on which it is content."),
      h("div", { class: "wide" }, h("table", { class: "tree" }, h("caption", { class: "hidden" }, "Places of the template"),
        h("thead", {}, h("tr", {}, ["Place", "On pages", "Is content", "Characters per page"].map((name, place) => h("th", { scope: "col", class: place === 3 ? "number" : null }, name)))),
        placeRows(cluster, bar)))),
    h("section", {}, h("h2", {}, "Pages"), h("p", { class: "muted" }, "The most doubtful first."), pageList(some, "Pages of the template")));
}

// Below a place that is never content nothing is: such a branch is one row, until it is opened.
function placeRows(cluster, bar) {
  const rows = [];
  let closed = null;
  cluster.places.forEach(([depth, step, there, content, chars]) => {
    if (closed && depth <= closed.depth) closed = null;
    const place = h("td", { style: `--depth:${Math.min(depth, 14)}` }, h("bdi", {}, cut(step, 70)));
    const row = h("tr", { class: content === 0 ? "never" : content === there ? "always" : null, hidden: closed !== null }, place,
      h("td", {}, bar(there / cluster.pages)), h("td", { class: "content" }, bar(content / there)), h("td", { class: "number" }, whole(chars / there)));
    rows.push(row);
    if (closed) closed.below.push(row);
    else if (content === 0) closed = { depth, place, below: [] };
    if (closed && closed.below.length === 1) {
      const { place: top, below } = closed;
      const open = h("button", { type: "button", class: "open", "aria-expanded": "false", onclick: () => {
        const shown = open.getAttribute("aria-expanded") === "true";
        open.setAttribute("aria-expanded", String(!shown));
        below.forEach((one) => (one.hidden = shown));
      } });
      closed.open = open;
      top.append(" ", open);
    }
    if (closed && closed.open) closed.open.textContent = `${closed.below.length} below`;
  });
  return h("tbody", {}, rows);
}

async function figures() {
  view("Figures", h("h1", {}, "Figures"), h("p", { class: "lead" }, "Reading…"));
  const found = await detail("figures");
  if (location.hash !== "#/figures") return;
  const drawn = h("div", {});
  if (found) drawn.innerHTML = found.html; // the report's own drawing: numbers, no page's text
  view("Figures", h("h1", {}, "Link blocks of these pages"),
    h("p", { class: "lead" }, "Figures 4 to 8 of Wang, Wu, Huang and Gu (2014) for the pages that are drawn in full, next to the paper's findings."),
    drawn,
    h("section", { class: "figure" }, h("h2", {}, "Sizes of templates"), h("p", { class: "setting" }, "All clusters of all sites, the largest first; both axes are logarithmic."),
      h("div", { class: "plots" }, sizesChart(clusters.filter((one) => one.name)))));
}

function missing() {
  view("Not found", h("h1", {}, "Not found"), h("p", {}, "The report has no such view. ", h("a", { href: "#/" }, "To the overview")));
}

// --- where we are -------------------------------------------------------------------------------

let scrolls = {};
let before = "";

function go() {
  scrolls[before] = window.scrollY;
  before = location.hash;
  const [, kind, number] = location.hash.split("/");
  shownPage = null;
  document.querySelectorAll(".masthead nav a").forEach((link) => {
    const same = link.getAttribute("href") === `#/${kind || ""}` || (kind === "page" && link.getAttribute("href") === "#/pages");
    if (same) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  });
  const views = { pages: allPages, figures, site: () => siteView(+number), cluster: () => clusterView(+number), page: () => pageView(+number) };
  const done = (kind ? views[kind] || missing : overview)();
  window.scrollTo(0, kind === "page" ? 0 : scrolls[location.hash] || 0);
  return done;
}

function openPage(page) {
  if (page) location.hash = `#/page/${page.number}`;
}

function step(by) {
  const at = shownPage ? list.indexOf(shownPage) : -1;
  const next = list[at + by];
  if (next) openPage(next); else say(by > 0 ? "This is the last page of the list." : "This is the first page of the list.");
}

function nextDoubtful() {
  const worth = doubtful.filter((page) => page.reviewReasons.length);
  const at = shownPage ? worth.indexOf(shownPage) : -1;
  if (worth[at + 1]) openPage(worth[at + 1]); else say("No more doubtful pages.");
}

const KEYS = {
  j: () => step(1), k: () => step(-1), n: nextDoubtful, o: () => (location.hash = "#/"),
  m: () => turn("method"), t: () => turn("tab"),
  c: () => shownPage && (location.hash = `#/cluster/${shownPage.cluster}`),
  "?": () => document.getElementById("keys").showModal(),
};

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  if (document.getElementById("keys").open) return;
  const does = KEYS[event.key];
  if (does) { event.preventDefault(); does(); }
}

document.addEventListener("keydown", pressed);
document.getElementById("help").addEventListener("click", KEYS["?"]);
document.getElementById("about").textContent = data.about;
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
window.addEventListener("hashchange", go);
