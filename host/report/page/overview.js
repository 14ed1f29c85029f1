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
    element("h2", {}, "What failed" + (bad ? `: ${count(bad, "case")}` : "")),
  );
  list.forEach((f, i) => section.append(failureOf(f, i === 0 || list.length <= 3)));
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

function failureOf(f, open) {
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

function linkTo(id) {
  const link = element("a", {href: "#" + encodeURIComponent(id)}, element("code", {}, id));
  link.onclick = event => {
    event.preventDefault();
    show(id);
  };
  return link;
}

// show opens a case in the table, without a filter that hides it.
function show(id) {
  if (!state.shown.includes(byID.get(id))) clearFilters();
  toggle(id, true);
  rowOf(byID.get(id)).scrollIntoView({block: "start"});
}

// drawMatrix draws a row for each scenario and a column for each target. A cell filters the table.
function drawMatrix() {
  const targets = [...new Set(run.cases.map(c => c.target))],
    scenarios = new Map();
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
  for (const [scenario, row] of scenarios) {
    body.append(
      element(
        "tr",
        {},
        element("th", {scope: "row"}, scenario),
        ...targets.map(t => element("td", {}, cellOf(scenario, t, row.get(t) || []))),
      ),
    );
  }
  table.append(body);
  const title = `${count(scenarios.size, "scenario")} on ${count(targets.length, "target")}`;
  $("overview").append(
    element(
      "details",
      {id: "matrixpart", open: scenarios.size <= 80 && ""},
      element("summary", {}, title),
      element("div", {class: "scroll"}, table),
    ),
  );
}

// shortTarget leaves out the parts that all targets have.
function shortTarget(target, targets) {
  const all = targets.map(t => t.split("/"));
  const parts = target.split("/").filter((part, i) => i === 1 || all.some(other => other[i] !== part));
  return parts.join(" ");
}

function cellOf(scenario, target, cases) {
  if (!cases.length) return "";
  const counts = {bad: 0, flaky: 0, passed: 0, known: 0, skipped: 0};
  for (const c of cases) counts[kindOf(c)]++;
  const words = {bad: "not passed", flaky: "flaky", passed: "ok", known: "known failure", skipped: "skip"};
  const button = element("button", {type: "button", class: "cell"});
  for (const kind of Object.keys(counts)) {
    if (!counts[kind]) continue;
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

function clearFilters() {
  state.only = null;
  state.outcome = state.scenario = $("search").value = $("scheme").value = $("target").value = "";
  for (const b of $("outcomes").children) b.setAttribute("aria-pressed", "false");
  list();
}
