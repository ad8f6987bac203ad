"use strict";
// The page of `--html`: a table with filters; a click opens a test with its source, states, reasons and pictures.
const data = JSON.parse(document.getElementById("results").textContent);
const tip = document.getElementById("tip");

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (key === "text") made.textContent = value;
    else made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const rows = data.inputs.flatMap((input) => input.results.map((result) => ({ input, ...result })));
const columns = [
  { title: "name", value: (row) => row.name },
  { title: "model", value: (row) => row.model },
  { title: "verdict", value: (row) => row.verdict, kind: (row) => "verdict " + row.kind },
  { title: "expected", value: (row) => ({ true: "✓", false: "✗", null: "" })[row.expected],
    kind: (row) => ({ true: "good", false: "bad", null: "" })[row.expected] },
  { title: "states", value: (row) => row.states ?? "", number: true },
  { title: "time", value: (row) => row.seconds.toFixed(3) + " s", order: (row) => row.seconds, number: true },
  { title: "", value: (row) => row.reason, kind: () => "doubtful" },
].filter((column) => column.title === "name" || rows.some((row) => column.value(row) !== ""));

const filters = {
  text: document.getElementById("filter-text"),
  verdict: document.getElementById("filter-verdict"),
  model: document.getElementById("filter-model"),
  expected: document.getElementById("filter-expected"),
};

function fill(select, values) {
  for (const value of [...new Set(values)].sort()) select.append(element("option", { value, text: value }));
  if (select.options.length <= 2) select.hidden = true;
}
fill(filters.verdict, rows.map((row) => row.verdict));
fill(filters.model, rows.map((row) => row.model).filter((model) => model !== ""));
filters.expected.hidden = rows.every((row) => row.expected === null);

function matches(row) {
  const words = filters.text.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const text = (row.name + " " + row.input.input + " " + row.reason).toLowerCase();
  return words.every((word) => text.includes(word)) &&
    (filters.verdict.value === "" || filters.verdict.value === row.verdict) &&
    (filters.model.value === "" || filters.model.value === row.model) &&
    (filters.expected.value === "" || filters.expected.value === String(row.expected));
}

// --- One test -------------------------------------------------------------------------------------------

function sourceView(source) {
  const view = element("div", { class: "source" });
  source.text.replace(/\n$/, "").split("\n").forEach((text, index) =>
    view.append(element("div", { "data-line": index + 1 }, element("span", { class: "number", text: index + 1 }),
      element("span", { class: "text", text }))));
  return view;
}

function statesView(answer) {
  const names = Object.keys(answer.states[0].values);
  const counted = answer.states.some((state) => state.count !== null);
  const head = element("tr", {}, ...names.map((text) => element("th", { text })));
  if (counted) head.append(element("th", { text: "executions" }));
  const table = element("table", { class: "states" }, head);
  for (const state of answer.states) {
    const line = element("tr", state.matches ? { class: "matches", title: "satisfies the condition" } : {},
      ...names.map((name) => element("td", { text: state.values[name] })));
    if (counted) line.append(element("td", { text: state.count ?? "" }));
    table.append(line);
  }
  return table;
}

function mark(view, figures, line, isMarked) {
  for (const one of view ? view.querySelectorAll(`[data-line="${line}"]`) : []) one.classList.toggle("marked", isMarked);
  for (const figure of figures)
    for (const event of figure.querySelectorAll(`.event[data-line="${line}"]`)) event.classList.toggle("marked", isMarked);
}

function scrollTo(view, line) {
  const row = view.querySelector(`[data-line="${line}"]`);
  if (row) view.scrollTop = Math.max(0, row.offsetTop - view.offsetTop - view.clientHeight / 2);
}

/// Pointing at an event shows its line, in a tip and in the source; pointing at a line marks its events.
function link(figure, view, source) {
  const lines = source.text.split("\n");
  for (const event of figure.querySelectorAll(".event[data-line]")) {
    const line = Number(event.dataset.line);
    view.querySelector(`[data-line="${line}"]`)?.classList.add("used");
    event.addEventListener("mouseenter", () => {
      mark(view, [figure], line, true);
      scrollTo(view, line);
      tip.textContent = `${source.file}:${line}: ${(lines[line - 1] ?? "").trim()}`;
      tip.style.display = "block";
    });
    event.addEventListener("mousemove", (at) => {
      tip.style.left = Math.min(at.clientX + 14, window.innerWidth - tip.offsetWidth - 8) + "px";
      tip.style.top = at.clientY + 16 + "px";
    });
    event.addEventListener("mouseleave", () => {
      mark(view, [figure], line, false);
      tip.style.display = "none";
    });
  }
  for (const row of view.children) {
    row.addEventListener("mouseenter", () => mark(null, [figure], row.dataset.line, true));
    row.addEventListener("mouseleave", () => mark(null, [figure], row.dataset.line, false));
  }
}

function pictureView(picture) {
  const figure = element("figure", {}, element("figcaption", { text: picture.title }));
  const toggles = element("div", { class: "toggles" });
  for (const relation of picture.relations) {
    const box = element("input", { type: "checkbox", checked: "" });
    const swatch = element("i", { style: "color: " + relation.color });
    toggles.append(element("label", {}, box, swatch, relation.meaning));
    box.addEventListener("change", () => {
      for (const edge of figure.querySelectorAll(`.edge[data-relation="${relation.name}"]`))
        edge.classList.toggle("hidden", !box.checked);
    });
  }
  const drawing = element("div");
  drawing.innerHTML = picture.svg;  // made by ptxmc, with all text escaped
  // A wide picture shrinks as long as it can be read; then it scrolls.
  const svg = drawing.querySelector("svg");
  svg.style.minWidth = `${0.7 * svg.getAttribute("width")}px`;
  figure.append(toggles, drawing, element("div", { class: "footer", text: picture.footer }));
  return figure;
}

function detailOf(row) {
  const left = element("div"), right = element("div");
  const views = new Map();
  for (const source of row.input.sources) {
    views.set(source.file, { view: sourceView(source), source });
    left.append(element("h2", { text: source.file }), views.get(source.file).view);
  }
  if (row.input.sources.length === 0) left.append(element("p", { text: row.input.input }));
  if (row.answer.condition) right.append(element("h2", { text: "Condition" }),
    element("pre", { text: `${row.answer.quantifier} (${row.answer.condition})` }));
  if (row.answer.message) right.append(element("pre", { class: "bad", text: row.answer.message }));
  if (row.answer.states?.length > 0 && Object.keys(row.answer.states[0].values).length > 0)
    right.append(element("h2", { text: row.answer.complete ? "Final states" : "Final states that were found" }),
      statesView(row.answer));
  if (row.text) right.append(element("h2", { text: row.heading }), element("pre", { text: row.text }));
  if (row.pictures.length > 0) right.append(element("h2", { text: "Executions" }));
  for (const picture of row.pictures) {
    const figure = pictureView(picture);
    right.append(figure);
    if (views.has(picture.file)) link(figure, views.get(picture.file).view, views.get(picture.file).source);
  }
  return element("tr", {}, element("td", { class: "detail", colspan: columns.length }, element("div", {}, left, right)));
}

// --- The table --------------------------------------------------------------------------------------------

const body = element("tbody");
let order = null, descending = false;

function toggle(line, row) {
  const isOpen = line.classList.toggle("open");
  if (isOpen) line.after(detailOf(row));
  else line.nextSibling.remove();
}

function lineOf(row) {
  const line = element("tr", { class: "row", tabindex: 0 }, ...columns.map((column) => element("td", {
    class: (column.number ? "number " : "") + (column.kind ? column.kind(row) : ""), text: column.value(row) })));
  line.addEventListener("click", () => toggle(line, row));
  line.addEventListener("keydown", (key) => { if (key.key === "Enter") toggle(line, row); });
  return line;
}

function show() {
  const shown = rows.filter(matches);
  if (order) {
    const key = order.order ?? order.value;
    shown.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0) * (descending ? -1 : 1));
  }
  const most = 2000;  // rows in the page at a time
  body.replaceChildren(...shown.slice(0, most).map(lineOf));
  document.getElementById("count").textContent = `${shown.length} of ${rows.length}` +
    (shown.length > most ? `, the first ${most} are shown` : "");
  if (shown.length === 1) toggle(body.firstChild, shown[0]);
}

const head = element("tr", {}, ...columns.map((column) => {
  const cell = element("th", { class: column.number ? "number" : "", text: column.title, title: "sort" });
  cell.addEventListener("click", () => {
    descending = order === column && !descending;
    order = column;
    show();
  });
  return cell;
}));
document.querySelector("main").append(element("table", { class: "results" }, element("thead", {}, head), body));
for (const filter of Object.values(filters)) filter.addEventListener("input", show);
for (const sentence of data.missing) document.querySelector("header").append(element("p", { class: "missing", text: sentence }));
document.getElementById("question").textContent = data.question;
// page.html#name shows the tests with this name.
if (location.hash.length > 1) filters.text.value = decodeURIComponent(location.hash.slice(1));
show();
