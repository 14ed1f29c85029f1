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
    const section = element("section", {id: title.toLowerCase()}, element("h2", {}, title),
      tableOf(title, names, list.slice(0, rowsShown)));
    if (list.length > rowsShown) {
      const more = element("button", {type: "button"}, `show ${list.length - rowsShown} more`);
      more.onclick = () => more.previousSibling.replaceWith(tableOf(title, names, list)) || more.remove();
      section.append(more);
    }
    $("overview").append(section);
  }
}
