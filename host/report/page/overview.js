// ---- the first screen: what failed, and the matrix of scenarios and targets

const failuresShown = 6;

// drawFailures lists the problems; each opens to its text and its cases.
function drawFailures() {
  const list = run.failures || [];
  if (!list.length) return;
  const bad = run.cases.filter(c => c.bad).length;
  const section = element(
    "section",
    {id: "failures"},
    element("h2", {}, (run.compared ? "What changed" : "What failed") + (bad ? `: ${count(bad, "case")}` : "")),
    bad > 1 &&
      element(
        "p",
        {class: "label keys"},
        "The worst problem is first. The keys n and p open the next and the previous failed case.",
      ),
  );
  list.forEach((f, i) => section.append(failureOf(f, i, i === 0 || list.length <= 3)));
  const hidden = [...section.querySelectorAll("details")].slice(failuresShown);
  if (hidden.length > 1) {
    hidden.forEach(d => {
      d.hidden = true;
    });
    const more = element("button", {type: "button"}, `show ${hidden.length} more`);
    more.onclick = () => {
      hidden.forEach(d => {
        d.hidden = false;
      });
      more.remove();
    };
    section.append(more);
  }
  $("overview").append(section);
}

function failureOf(f, i, open) {
  const one = f.cases.length === 1 && run.cases[f.cases[0]].id;
  const cases = element(
    "p",
    {class: "names"},
    ...f.names.flatMap(name => [one ? linkTo(one) : element("code", {}, name), element("br")]),
  );
  if (f.cases.length > 1) {
    const button = element("button", {type: "button"}, `show the ${f.cases.length} cases in the table`);
    button.onclick = () => {
      clearFilters();
      state.only = new Set(f.cases);
      state.failure = i;
      list();
      $("controls").scrollIntoView();
    };
    cases.append(button);
  }
  return element(
    "details",
    {class: "failure", open: open && ""},
    element(
      "summary",
      {},
      element("span", {class: "outcome bad"}, f.outcome),
      " ",
      element("span", {}, f.headline),
      " ",
      element("span", {class: "label"}, f.cases.length && count(f.cases.length, "case")),
    ),
    element("pre", {class: "why"}, f.text),
    cases,
  );
}

// openFailure shows a failure of the list.
function openFailure(i) {
  const one = document.querySelectorAll("#failures > details")[i];
  one.hidden = false;
  one.open = true;
  one.scrollIntoView({block: "nearest"});
}

function linkTo(id) {
  const link = element("a", {href: "#" + new URLSearchParams({case: id})}, element("code", {}, id));
  link.onclick = event => {
    event.preventDefault();
    show(id);
  };
  return link;
}

// show opens a case in the table, without a filter that hides it.
function show(id) {
  const r = byID.get(id);
  if (!state.shown.includes(r)) clearFilters();
  if (!state.items.includes(r)) {
    state.folders.set(folderOf(r.c), true);
    list();
  }
  toggle(id, true);
  rowOf(byID.get(id)).scrollIntoView({block: "start"});
}

function clearFilters() {
  state.only = state.failure = null;
  state.outcome = state.scenario = $("search").value = $("scheme").value = $("target").value = "";
  showControls();
  list();
}

// picturesShown is how many cases the first screen draws when none failed.
const picturesShown = 6;

// drawMemory draws the memory of the cases with most growths and memory, one for each scenario, when no case failed.
// If two runs are compared, it draws the cases that differ first.
function drawMemory() {
  if (!run.compared && run.cases.some(c => c.bad)) return;
  const drawn = run.cases.filter(c => c.timeline && c.peak > 0);
  drawn.sort((a, b) => !!b.bad - !!a.bad || b.growths - a.growths || b.peak - a.peak);
  const seen = new Set();
  const chosen = drawn.filter(c => !seen.has(c.scenario) && seen.add(c.scenario)).slice(0, picturesShown);
  if (rows.length === 1 || !chosen.length) return;
  const panels = chosen.map(c => {
    const link = linkTo(c.id);
    link.className = "scheme";
    const facts = [shortTarget(c.target, targets), `at most ${bytes(c.peak)}`, count(c.growths, "growth")];
    link.replaceChildren(
      element("h3", {}, ...breakable(c.scenario), element("span", {class: "label"}, c.scheme || "")),
      thumbnail(timelineOf(c), highestOf(c), unpack(c.before)),
      element("span", {class: "label"}, facts.filter(Boolean).join(" · ")),
    );
    return link;
  });
  $("overview").append(
    element(
      "section",
      {id: "memory"},
      element("h2", {}, "Memory over time"),
      element("div", {class: "schemes"}, ...panels),
    ),
  );
}

// drawNews lists the cases that passed after they had failed.
function drawNews() {
  const flaky = run.cases.filter(c => kindOf(c) === "flaky");
  if (!flaky.length) return;
  $("overview").append(
    element("section", {}, element("h2", {}, `Flaky: ${count(flaky.length, "case")}`),
      element("p", {class: "names"}, ...flaky.slice(0, 20).flatMap(c => [linkTo(c.id), element("br")]))),
  );
}

// tableOf is a table of rows, each with the case that it is about if there are several.
function tableOf(label, names, list) {
  const several = list.some(([c]) => c !== list[0][0]);
  const cell = (tag, text, i, attributes) =>
    element(tag, {class: i >= 1 ? "number" : undefined, ...attributes}, text);
  return element(
    "div",
    {class: "scroll", tabindex: "0", role: "region", "aria-label": label},
    element(
      "table",
      {class: "answer"},
      element("thead", {}, element("tr", {}, several && element("th", {scope: "col"}, "case"),
        ...names.map((name, i) => cell("th", name, i, {scope: "col"})))),
      element("tbody", {}, ...list.map(([c, row]) =>
        element("tr", {}, several && element("td", {}, linkTo(c.id)), ...row.map((text, i) => cell("td", text, i))))),
    ),
  );
}

// tables are what workloads and measurements found: a title, the columns, and the rows of a case.
const tables = [
  ["Workloads", run.loads, c => (c.loads || []).map(row => [c, row])],
  ["Measurements", run.measured, c => (c.measured || []).map(m => [c, m.row])],
];

// rowsShown is how many rows the tables of the first screen have at first.
const rowsShown = 12;

// drawTables lists what workloads and measurements found.
function drawTables() {
  for (const [title, names, of] of tables) {
    const list = run.cases.flatMap(of);
    if (!list.length) continue;
    const model = list.some(([c]) => c.load && c.load.model);
    const section = element("section", {id: title.toLowerCase()},
      element("h2", {}, title + (model ? " (on cpu: modelled times of the device)" : "")),
      tableOf(title, names, list.slice(0, rowsShown)));
    if (list.length > rowsShown) {
      const more = element("button", {type: "button"}, `show ${list.length - rowsShown} more`);
      more.onclick = () => more.previousSibling.replaceWith(tableOf(title, names, list)) || more.remove();
      section.append(more);
    }
    $("overview").append(section);
  }
}

// curvesShown is how many lines a picture of curves has.
const curvesShown = 8;

// drawCurves draws the median of each measured call over the parameter with most numbers: a line for each release,
// scheme and other parameter, and one for the medians of a baseline.
function drawCurves() {
  const points = run.cases.flatMap(c =>
    (c.measured || []).map(m => ({c, m, at: new Map(c.label.split(" ").map(p => p.split("=")))})));
  const numbers = new Map();
  for (const {at} of points)
    for (const [name, value] of at)
      if (value > 0) numbers.set(name, (numbers.get(name) || new Set()).add(Number(value)));
  const [axis, values] = [...numbers].sort((a, b) => b[1].size - a[1].size)[0] || [];
  if (!axis || values.size < 3) return;
  const lines = new Map();
  const add = (name, x, y) => y > 0 && lines.set(name, [...(lines.get(name) || []), [x, y]]);
  for (const {c, m, at} of points) {
    const others = [...at].filter(([name]) => name !== axis).map(p => p.join("="));
    const name = [m.name, shortTarget(c.target, targets), c.scheme, ...others].filter(Boolean).join(" ");
    add(name, Number(at.get(axis)), m.quantiles[10]);
    if (m.baseline) add(name + ", baseline", Number(at.get(axis)), m.baseline[1]);
  }
  $("measurements").append(curves(axis, [...values].sort((a, b) => a - b), [...lines].slice(0, curvesShown)));
}

// curves is the picture of lines of seconds over numbers, on logarithmic scales.
function curves(axis, values, lines) {
  const width = Math.min($("overview").clientWidth || 800, 800), left = 66, right = width - 16, bottom = 240;
  const all = lines.flatMap(([, list]) => list.map(p => p[1]));
  const low = Math.floor(Math.log10(Math.min(...all))),
    high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...all))));
  const x = n => left + ((right - left) * Math.log(n / values[0])) / Math.log(values.at(-1) / values[0]);
  const y = s => bottom - ((bottom - 26) * (Math.log10(s) - low)) / (high - low);
  const height = bottom + 44 + 18 * lines.length;
  const label = `median time on the device over ${axis}`;
  const image = svg("svg", {viewBox: `0 0 ${width} ${height}`, class: "curves", role: "img", "aria-label": label,
    style: `width:${width}px`});
  image.append(svg("text", {class: "strong", x: 0, y: 12}, label));
  for (let n = low; n <= high; n++)
    image.append(svg("line", {class: "grid", x1: left, x2: right, y1: y(10 ** n), y2: y(10 ** n)}),
      svg("text", {x: left - 6, y: y(10 ** n) + 4, "text-anchor": "end"}, time(10 ** n * 1e6)));
  let last = -Infinity;
  for (const n of values) {
    if (x(n) - last < 44) continue;
    last = x(n);
    image.append(svg("line", {class: "grid", x1: last, x2: last, y1: bottom, y2: bottom + 5}),
      svg("text", {x: last, y: bottom + 18, "text-anchor": n === values.at(-1) ? "end" : "middle"}, String(n)));
  }
  lines.forEach(([name, list], i) => {
    list.sort((a, b) => a[0] - b[0]);
    const key = bottom + 40 + 18 * i;
    const d = list.map(([n, s], k) => `${k ? "L" : "M"}${x(n).toFixed(1)} ${y(s).toFixed(1)}`).join("");
    image.append(svg("path", {class: `curve c${i}`, d}),
      svg("path", {class: `curve c${i}`, d: `M${left} ${key - 4}h26`}),
      svg("text", {x: left + 34, y: key}, name));
    for (const [n, s] of list)
      image.append(svg("circle", {class: `curve c${i}`, cx: x(n), cy: y(s), r: 3,
        "data-tip": `${name}\n${axis} = ${n}: ${time(s * 1e6)}`}));
  });
  return image;
}
