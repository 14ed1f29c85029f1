// ---- the table

// handleText is the history of the memory of a handle, without the times at which it had none: "32 MiB → 1 MiB".
function handleText(c) {
  const sizes = (c.handle_sizes || []).filter(n => n > 0);
  if (c.no_timeline) return "–";
  if (!sizes.length) return bytes(c.handle_peak);
  return (sizes.length > 3 ? [bytes(sizes[0]), "…", bytes(sizes[sizes.length - 1])] : sizes.map(bytes)).join(" → ");
}

// untold is whether cases of compared runs have no calls over time, and so no memory, growths and waits.
const untold = run.compared && run.cases.every(c => c.no_timeline);

const columns = [
  {
    name: "scenario",
    of: c => c.scenario + " " + c.label,
    show: c => [
      ...breakable(c.scenario),
      c.label && element("span", {class: "label"}, " " + c.label),
      element("span", {class: "label narrow"}, " " + c.target),
    ],
  },
  {name: "scheme", of: c => c.scheme, show: c => [c.scheme || "–"]},
  {name: "target", tight: true, wide: true, absent: !run.cases.some(c => c.target), of: c => c.target,
    show: c => [c.target]},
  {
    name: "outcome",
    of: c => (c.bad ? "0" : "1") + c.outcome,
    show: c => [
      element("span", {class: "outcome " + kindOf(c)}, c.outcome),
      c.note && element("span", {class: "label"}, " " + c.note),
    ],
  },
  {
    name: run.compared ? "worst change" : "first metric",
    wide: true,
    of: c => (c.metrics ? Number(c.metrics[0].value) || 0 : -1),
    show: c => [c.metrics ? `${c.metrics[0].name} ${short(c.metrics[0])}` : ""],
  },
  {
    name: "handle",
    absent: untold,
    number: true,
    wide: true,
    of: c => c.handle_peak,
    show: c => [handleText(c)],
    about: "the memory of the handle over time; the most that several handles held",
  },
  {
    name: "device",
    absent: untold,
    number: true,
    wide: true,
    of: c => c.peak,
    show: c => [bytes(c.peak)],
    about: "the most device memory held at one time",
  },
  {
    name: "growths",
    absent: untold,
    number: true,
    wide: true,
    of: c => c.growths,
    show: c => [c.no_timeline ? "–" : String(c.growths)],
    about: "times a handle's memory grew in the middle of a call",
  },
  {
    name: "syncs",
    absent: untold,
    number: true,
    wide: true,
    of: c => c.syncs,
    show: c => [String(c.syncs)],
    about: "calls for which the host waited for the device",
  },
  {name: "HIP calls", absent: untold, number: true, wide: true, of: c => c.calls, show: c => [String(c.calls)]},
  {name: "seconds", number: true, wide: true, of: c => c.seconds, show: c => [c.seconds.toFixed(3)]},
].filter(column => !column.absent);

const state = {
  order: null,
  descending: false,
  outcome: "",
  scenario: "",
  only: null,
  failure: null, // index of the failure whose cases are shown
  current: "", // id of the case that was opened last
  open: new Set(),
  folders: new Map(), // whether folders are open, by name
  shown: [], // the rows that match the filter
  items: [], // the rows and folders of the list
  inTable: 0, // how many of them the table has
};
const rows = run.cases.map((c, i) => ({c, i, text: c.id.toLowerCase(), row: null, detail: null, byCall: !!c.before}));
const folders = Map.groupBy(rows, r => folderOf(r.c));
const byID = new Map(rows.map(r => [r.c.id, r]));

const classOf = column =>
  [column.number ? "number" : column.tight && "tight", column.wide && "wide"].filter(Boolean).join(" ") || undefined;

function rowOf(r) {
  if (r.row) return r.row;
  r.row = element(
    "tr",
    {class: "case", tabindex: "0", "data-id": r.c.id, title: r.c.id},
    ...columns.map(column =>
      element(
        "td",
        {class: classOf(column)},
        ...(column.number && r.c.outcome === "skipped" ? ["–"] : column.show(r.c)),
      ),
    ),
  );
  return r.row;
}

function matches(c, text, i) {
  return (
    (!state.only || state.only.has(i)) &&
    (!state.scenario || c.scenario === state.scenario) &&
    (!state.outcome || (state.outcome === "not passed" ? c.bad : c.outcome === state.outcome)) &&
    (!$("scheme").value || c.scheme === $("scheme").value) &&
    (!$("target").value || c.target === $("target").value) &&
    $("search")
      .value.toLowerCase()
      .split(/\s+/)
      .every(word => text.includes(word))
  );
}

function list() {
  const shown = rows.filter(r => matches(r.c, r.text, r.i));
  if (state.order) {
    const sign = state.descending ? -1 : 1,
      of = state.order.of;
    shown.sort((a, b) => {
      const x = of(a.c),
        y = of(b.c);
      return sign * (x < y ? -1 : x > y ? 1 : 0) || a.i - b.i;
    });
  }
  else shown.sort((a, b) => !!b.c.bad - !!a.c.bad);
  state.shown = shown;
  state.items = inFolders(shown);
  state.inTable = 0;
  document.querySelector("#cases > tbody").replaceChildren();
  addRows(rowsTogether);
  $("none").hidden = shown.length > 0;
  $("count").textContent =
    shown.length === rows.length ? count(rows.length, "case") : `${shown.length} of ${count(rows.length, "case")}`;
  $("clear").hidden = shown.length === rows.length;
  writeAddress();
}

// A list of fewer cases is not divided into folders.
const wholeList = 20;

// inFolders puts a heading before the rows of each folder. Folders without failures are closed, unless a filter
// chooses their rows.
function inFolders(shown) {
  if (state.order || folders.size < 2 || rows.length < wholeList) return shown;
  const items = [];
  for (const [folder, list] of Map.groupBy(shown, r => folderOf(r.c))) {
    const isOpen = state.folders.get(folder) ?? (shown.length < rows.length || list.some(r => r.c.bad));
    items.push({folder, list, isOpen});
    if (isOpen) items.push(...list);
  }
  return items;
}

// folderRow is the heading of a folder, which opens and closes it.
function folderRow(item) {
  const counts = Map.groupBy(item.list, r => r.c.outcome);
  const button = element(
    "button",
    {type: "button", "aria-expanded": String(item.isOpen)},
    item.folder ? item.folder + "/" : "other scenarios",
  );
  button.onclick = () => {
    state.folders.set(item.folder, !item.isOpen);
    list();
  };
  return element(
    "tr",
    {class: "folder"},
    element(
      "th",
      {colspan: String(columns.length), scope: "rowgroup"},
      button,
      ...[...counts].map(([outcome, list]) =>
        element("span", {class: "outcome " + kindOf(list[0].c)}, ` ${list.length} ${outcome}`),
      ),
    ),
  );
}

// rowsTogether is how many rows are put into the table at once: a browser needs a minute for 100,000.
const rowsTogether = 1000;

// addRows puts the next rows into the table, until it has those up to a position of the list.
function addRows(until) {
  const fragment = document.createDocumentFragment();
  for (; state.inTable < Math.min(until, state.items.length); state.inTable++) {
    const r = state.items[state.inTable];
    if (r.folder !== undefined) {
      fragment.append(folderRow(r));
      continue;
    }
    fragment.append(rowOf(r));
    if (state.open.has(r.c.id)) fragment.append(detailOf(r));
  }
  document.querySelector("#cases > tbody").append(fragment);
  const left = state.items.length - state.inTable;
  $("more").hidden = left === 0;
  $("more").textContent = `show more of ${count(left, "other case")}`;
}

const addMore = () => addRows(state.inTable + rowsTogether);

function toggle(id, open = !state.open.has(id)) {
  const r = byID.get(id);
  if (!r) return;
  if (open) state.open.add(id);
  else state.open.delete(id);
  state.current = open ? id : "";
  rowOf(r).classList.toggle("open", open);
  if (open) {
    if (!r.row.isConnected) addRows(state.items.indexOf(r) + 1);
    r.row.after(detailOf(r));
    draw(r);
  } else if (r.detail) r.detail.remove();
  writeAddress();
}

// ---- what a case opens to

// inTables reports whether a metric is in the table of measurements or workloads.
const inTables = (c, name) =>
  (c.measured || []).some(m => name.startsWith(m.name + ".")) ||
  (c.loads || []).some(([of]) => [of + ".", ""].some(of => /^(latency\.|events)/.test(
    name.startsWith(of) ? name.slice(of.length) : "")));

function detailOf(r) {
  if (r.detail) return r.detail;
  const c = r.c,
    about = run.scenarios[c.scenario] || {};
  const cell = element("div");
  cell.append(
    element(
      "p",
      {class: "about"},
      element("code", {}, c.id),
      element("br"),
      about.about || "",
      about.source ? element("span", {class: "label"}, ` (${about.source})`) : "",
    ),
  );
  if (c.note) cell.append(element("p", {class: "about"}, c.note));
  if (c.why) cell.append(element("pre", {class: "why" + (c.bad ? "" : " skipped")}, c.why));
  const metrics = (c.metrics || []).filter(m => !inTables(c, m.name));
  if (metrics.length)
    cell.append(
      element(
        "ul",
        {class: "metrics"},
        ...metrics.map(m =>
          element("li", {title: `${m.value} ${m.unit || ""}`}, m.name + " ", element("b", {}, short(m)))),
      ),
    );
  for (const [title, names, of] of rows.length > 1 ? tables : []) // a single case has them above
    if (of(c).length) cell.append(element("h3", {}, title), tableOf(`${title} of the case`, names, of(c)));
  for (const m of c.measured || [])
    cell.append(
      element("p", {class: "about"}, element("b", {}, m.name), ": times on the device up to 95 %" +
        (m.about ? `; ${m.about}` : "")),
      distribution(m),
    );
  if (c.outcome !== "skipped")
    cell.append(
      element(
        "ul",
        {class: "metrics numbers"},
        ...columns
          .filter(column => column.number)
          .map(column => element("li", {title: column.about}, column.name + " ", element("b", {}, ...column.show(c)))),
      ),
    );
  if (c.load)
    cell.append(
      element("h3", {}, "Latencies and memory" +
        (c.load.model ? " (modelled times of the device)" :
          c.load.simulated ? " (times of the machine that simulates the device)" : "")),
      (r.load = element("div", {class: "picture"})),
      c.load.events > 0 && element("h3", {}, "Histogram of latencies"),
      (r.histogram = element("div", {class: "histogram"})),
    );
  if (c.no_timeline) cell.append(element("p", {class: "about"}, c.no_timeline));
  if (c.timeline) {
    cell.append(legend(r), (r.picture = element("div", {class: "picture"})));
    if (c.timeline.left)
      cell.append(element("p", {class: "about"}, `without ${count(c.timeline.left, "later call")} and kernels`));
    const siblings = schemesOf(c);
    if (siblings.length > 1)
      cell.append(element("h3", {}, "The schemes side by side"), (r.schemes = element("div", {class: "schemes"})));
    r.siblings = siblings;
  }
  if (c.log) cell.append(element("h3", {}, "Log"), element("pre", {class: "log"}, c.log));
  r.detail = element("tr", {class: "detail"}, element("td", {colspan: String(columns.length)}, cell));
  return r.detail;
}

const schemesOf = c =>
  run.cases.filter(o => o.timeline && o.scenario === c.scenario && o.label === c.label && o.target === c.target);

function legend(r) {
  const key = (what, text) => element("span", {class: "key"}, what, text);
  const small = (...shapes) => svg("svg", {viewBox: "0 0 22 12", style: "width:22px;height:12px"}, ...shapes);
  const byCall = element(
    "button",
    {type: "button", class: "switch", "aria-pressed": String(r.byCall)},
    "a step for each event",
  );
  byCall.onclick = () => {
    r.byCall = !r.byCall;
    byCall.setAttribute("aria-pressed", String(r.byCall));
    draw(r);
  };
  return element(
    "div",
    {class: "bar"},
    key(small(svg("path", {class: "live", d: "M1 11V5H21V11"})), "device memory held"),
    key(small(svg("path", {class: "handle", d: "M1 6H21"})), "the handle's memory"),
    r.c.before &&
      key(small(svg("path", {class: "earlier", d: "M1 6H21"})), `memory in ${run.compared[0]}`),
    key(small(svg("path", {class: "capacity", d: "M1 6H21"})), "capacity"),
    key(small(svg("rect", {class: "kernel", x: 1, y: 2, width: 20, height: 8})), "kernel"),
    key(small(sign("growth", 11, 6)), "growth"),
    key(small(sign("sync", 11, 6)), "the host waits"),
    key(small(sign("failed", 11, 6)), "failure"),
    timelineOf(r.c).hazards.length && key(small(sign("hazard", 11, 6)), "hazard"),
    byCall,
  );
}

// sign draws one of the three signs of the time axis around a point.
function sign(kind, x, y) {
  const shapes = {
    hazard: `M${x} ${y - 6}L${x + 6} ${y + 5}H${x - 6}ZM${x} ${y - 2}V${y + 1}M${x} ${y + 2.4}V${y + 3.4}`,
    growth: `M${x - 5} ${y + 4}L${x} ${y - 5}L${x + 5} ${y + 4}Z`,
    sync: `M${x - 4} ${y}L${x} ${y - 4}L${x + 4} ${y}L${x} ${y + 4}Z`,
    failed: `M${x - 4} ${y - 4}L${x + 4} ${y + 4}M${x + 4} ${y - 4}L${x - 4} ${y + 4}`,
  };
  return svg("path", {class: "sign " + kind, d: shapes[kind]});
}

function draw(r) {
  if (r.load) r.load.replaceChildren(loadPicture(r.c, r.load.clientWidth || 1000));
  if (r.load && r.c.load.events) r.histogram.replaceChildren(latencyHistogram(r.c.load, r.load.clientWidth || 1000));
  if (!r.picture) return;
  r.picture.replaceChildren(picture(r.c, r.picture.clientWidth || 1000, r.byCall));
  if (!r.schemes) return;
  const top = Math.max(...r.siblings.map(c => highest(timelineOf(c))));
  r.schemes.replaceChildren(
    ...r.siblings.map(c => {
      const panel = element(
        "div",
        {class: "scheme" + (c === r.c ? " here" : ""), "data-id": c.id},
        element("h4", {}, c.scheme || "–", element("span", {class: "outcome " + kindOf(c)}, c.outcome)),
        thumbnail(timelineOf(c), top, unpack(c.before)),
      );
      const row = (name, value) => [element("dt", {}, name), element("dd", {}, value)];
      panel.append(
        element(
          "dl",
          {},
          ...row("the handle", handleText(c)),
          ...row("the device's most", bytes(c.peak)),
          ...timelineOf(c).devices.flatMap(({live}, i) =>
            row(`device ${i}'s most`, bytes(Math.max(...live.map(s => s[1])))),
          ),
          ...row("growths", String(c.growths)),
          ...row("the host waits", String(c.syncs)),
          ...row("HIP calls", String(c.calls)),
          ...row("time", time(c.seconds * 1e6)),
        ),
      );
      return panel;
    }),
  );
}
