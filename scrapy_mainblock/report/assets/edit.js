// The editor: a change is looked at on all pages first, and saved only then.

async function ask(name, request) {
  const answer = await fetch(name, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request || {}) });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error);
  return found;
}

const ACTIONS = { drop: "Drop it", keep: "Keep it", main: "This is the main block", headline: "This is the headline", date: "This is the date", author: "This is the author", pin: "Pin the rule as it is" };
let note = "";

// The places around a part, the innermost first: which of them is meant, a person chooses.
function placesAround(segment) {
  const steps = (current.detail.places[current.detail.segments[segment][0]] || "").split(" > ").filter(Boolean);
  return steps.map((_, place) => steps.slice(0, steps.length - place).join(" > "));
}

// All parts at a place and under it, on this page: what a change of that place is for.
function showPlace(place) {
  const { detail: found, marks } = current;
  marks.forEach((some, segment) => {
    const own = found.places[found.segments[segment][0]] || "";
    const isThere = own === place || own.startsWith(`${place} > `);
    some.forEach((mark) => mark.classList.toggle("here", isThere));
  });
}

function editTab() {
  const undo = data.undo.length ? h("p", {}, h("button", { type: "button", id: "undo", onclick: () => run(() => ask("undo"), (found) => `Undone: ${found.undone}.`) }, `Undo: ${data.undo[data.undo.length - 1]}`)) : null;
  const result = h("div", { id: "result", "aria-live": "polite" });
  if (current.said) result.append(h("p", { class: "notice" }, current.said));
  current.said = null;
  const segment = current.part;
  if (segment === undefined) return [h("p", {}, "Choose a part of the page: click on it, or select it in Parts."), undo, result].filter(Boolean);
  const why = whyOf(segment);
  const around = placesAround(segment);
  const place = h("select", { id: "place", onchange: () => showPlace(place.value) }, around.map((one, at) => h("option", { value: one }, at ? `all of ${one.split(" > ").pop()}` : one.split(" > ").pop())));
  async function preview(action) {
    const request = { page: current.page.number, segment, text: current.text, action, place: place.value };
    result.replaceChildren(h("p", { class: "muted" }, "Checking all pages…"));
    try {
      const found = await ask("preview", request);
      const words = h("textarea", { id: "note", rows: 2, style: "width:100%", oninput: (event) => (note = event.target.value) }, note);
      result.replaceChildren(h("h2", {}, found.words),
        h("p", { id: "changes" }, found.changed ? `${whole(found.changed)} of ${plural(found.pages, "page")} change.` : `None of ${plural(found.pages, "page")} changes.`),
        found.missed ? h("p", { id: "missed" }, `${whole(found.missed)} of ${plural(found.pages, "page")} ${found.missed === 1 ? "has" : "have"} no value there: the field is then read from the page alone.`) : "",
        h("label", {}, "Reason (saved with the rule)", words),
        h("p", {}, h("button", { type: "button", id: "save", onclick: () => run(() => ask("save", { ...request, note }), (saved) => `Saved and pinned: ${saved.saved}.`) }, "Save")),
        ...found.shown.map((one) => h("details", { open: one.page === current.page.number }, h("summary", {}, h("bdi", {}, cut(titleOf(pages[one.page]), 90))),
          one.lines.map(([sign, text]) => h("p", { dir: "auto" }, h(sign === "+" ? "ins" : "del", {}, cut(text, 400)))))));
    } catch (error) {
      result.replaceChildren(h("p", { class: "notice", role: "alert" }, error.message));
    }
  }
  return [
    h("p", {}, h("b", {}, why.kept ? "Kept: " : "Dropped: "), why.reason),
    h("blockquote", { class: "small", dir: "auto" }, cut(textOf(segment), 200)),
    h("p", {}, h("label", { for: "place" }, "Selected part "), place),
    h("p", { class: "loose" }, Object.entries(ACTIONS).map(([action, text]) => h("button", { type: "button", "data-action": action, onclick: () => preview(action) }, text))),
    result, undo,
  ].filter(Boolean);
}

// After a change: the page is read again, by the rules as they are now.
async function run(work, words) {
  const result = document.getElementById("result");
  try {
    const found = await work();
    data.undo = found.undo;
    note = "";
    chosenTab = "edit";
    const { page, part, text } = current;
    await pageView(page.number);
    if (shownPage !== page) return;
    current.said = words(found);
    if (part !== undefined) showPart(part, text); else chooseTab("edit");
    say(words(found));
  } catch (error) {
    if (result) result.replaceChildren(h("p", { class: "notice", role: "alert" }, error.message));
  }
}
