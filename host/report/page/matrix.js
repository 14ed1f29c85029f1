// ---- the matrix of scenarios and targets

const targets = [...new Set(run.cases.map(c => c.target))];

// A matrix with more cells than this is drawn as a map: a row for each folder, a square for each scenario.
const mostCells = 500;

// drawMatrix draws a row for each scenario and a column for each target. A cell filters the table.
function drawMatrix() {
  const scenarios = new Map();
  for (const c of run.cases) {
    if (!scenarios.has(c.scenario)) scenarios.set(c.scenario, new Map());
    const row = scenarios.get(c.scenario);
    if (!row.has(c.target)) row.set(c.target, []);
    row.get(c.target).push(c);
  }
  if (scenarios.size * targets.length < 2) return;
  const table = element(
    "table",
    {id: "matrix"},
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        element("th", {scope: "col"}, "scenario"),
        ...targets.map(t => element("th", {scope: "col"}, shortTarget(t, targets))),
      ),
    ),
  );
  const body = element("tbody");
  const isMap = scenarios.size * targets.length > mostCells;
  let folder = "";
  for (const [scenario, row] of scenarios) {
    const its = folderOf({scenario});
    if (its !== folder) {
      folder = its;
      if (isMap || folder) body.append(folderLine(folder, isMap));
    }
    if (isMap) {
      if (!body.lastChild) body.append(folderLine(folder, isMap));
      targets.forEach((t, i) => {
        const cases = row.get(t) || [];
        if (cases.length) body.lastChild.children[i + 1].append(cellOf(scenario, t, cases, true));
      });
      continue;
    }
    body.append(
      element(
        "tr",
        {},
        element("th", {scope: "row"}, ...breakable(folder ? scenario.slice(folder.length + 1) : scenario)),
        ...targets.map(t => element("td", {}, cellOf(scenario, t, row.get(t) || []))),
      ),
    );
  }
  table.append(body);
  if (isMap) table.className = "map";
  table.addEventListener("keydown", moveInMatrix);
  const first = table.querySelector("button");
  first.tabIndex = 0;
  const title = `${count(scenarios.size, "scenario")} on ${count(targets.length, "target")}`;
  $("overview").append(
    element(
      "details",
      {id: "matrixpart", open: (isMap || scenarios.size <= 80) && ""},
      element("summary", {}, title),
      element("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": title}, table),
    ),
  );
}

// folderLine is the row of a folder: a heading, or in a map a cell for each target.
function folderLine(folder, isMap) {
  const name = folder ? folder + "/" : "other scenarios";
  const cells = targets.map(() => element("td"));
  if (isMap) return element("tr", {}, element("th", {scope: "row"}, ...breakable(name)), ...cells);
  const heading = element("th", {scope: "rowgroup", colspan: String(targets.length + 1)}, name);
  return element("tr", {class: "folder"}, heading);
}

// moveInMatrix moves the focus with the arrow keys; the matrix is one stop of the tab key.
function moveInMatrix(event) {
  const step = {ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1]}[event.key];
  if (!step || !event.target.matches("button")) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = event.target.getBoundingClientRect();
  let best = null,
    least = Infinity;
  for (const b of buttons) {
    const to = b.getBoundingClientRect();
    const dx = to.x - at.x,
      dy = to.y - at.y;
    const along = step[0] * dx + step[1] * dy,
      across = Math.abs(step[1] * dx) + Math.abs(step[0] * dy);
    const cost = along + 20 * across;
    if (along > 1 && cost < least) [best, least] = [b, cost];
  }
  if (!best) return;
  event.target.tabIndex = -1;
  best.tabIndex = 0;
  best.focus();
}

// shortTarget leaves out the parts that all targets have.
function shortTarget(target, targets) {
  const all = targets.map(t => t.split("/"));
  const parts = target.split("/").filter((part, i) => i === 1 || all.some(other => other[i] !== part));
  return parts.join(" ");
}

function cellOf(scenario, target, cases, isSquare) {
  if (!cases.length) return "";
  const counts = {bad: 0, flaky: 0, passed: 0, known: 0, skipped: 0};
  for (const c of cases) counts[kindOf(c)]++;
  const words = {bad: "not passed", flaky: "flaky", passed: "ok", known: "known failure", skipped: "skip"};
  const button = element("button", {type: "button", class: "cell", tabindex: "-1"});
  const present = Object.keys(counts).filter(kind => counts[kind]);
  if (isSquare) {
    button.classList.add("square", present[0]);
    button.title = `${scenario}: ${present.map(kind => `${counts[kind]} ${words[kind]}`).join(", ")}`;
    button.setAttribute("aria-label", button.title);
  }
  for (const kind of isSquare ? [] : present) {
    const text = cases.length === 1 ? onlyText(cases[0], kind, words) : `${counts[kind]} ${words[kind]}`;
    button.append(element("span", {class: "outcome " + kind}, text), " ");
  }
  button.onclick = () => {
    clearFilters();
    state.scenario = scenario;
    $("target").value = target;
    list();
    $("controls").scrollIntoView();
  };
  return button;
}

// onlyText shows a case that passed by its first metric, like the text report.
function onlyText(c, kind, words) {
  if (kind === "bad") return c.outcome;
  if (c.note) return `ok, ${c.note}`;
  return kind === "passed" && c.metrics ? `ok ${short(c.metrics[0])}` : words[kind];
}

