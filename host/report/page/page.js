// ---- the page

function begin() {
  $("subtitle").textContent = run.subtitle;
  $("summary").textContent = run.summary;
  $("summary").classList.toggle("bad", !run.passed);
  $("machine").textContent = run.machine || "";
  $("command").textContent = run.command;
  for (const build of run.builds || []) $("builds").append(element("p", {}, build));
  for (const check of run.overall || [])
    $("overall").append(
      element(
        "li",
        {},
        element("span", {class: "outcome " + (check.passed ? "passed" : "bad")}, check.passed ? "ok " : "failed "),
        `${check.text}: ${check.have}`,
      ),
    );
  const choose = (id, all, values) => {
    $(id).append(
      element("option", {value: ""}, all),
      ...[...new Set(values)]
        .filter(Boolean)
        .sort()
        .map(v => element("option", {value: v}, v)),
    );
    $(id).onchange = list;
  };
  choose(
    "scheme",
    "all schemes",
    run.cases.map(c => c.scheme),
  );
  choose(
    "target",
    "all targets",
    run.cases.map(c => c.target),
  );
  const counts = new Map();
  for (const c of run.cases) counts.set(c.outcome, (counts.get(c.outcome) || 0) + 1);
  const bad = run.cases.filter(c => c.bad).length,
    offers = [...counts];
  if (bad && bad !== counts.get("failed")) offers.unshift(["not passed", bad]);
  for (const [outcome, n] of offers) {
    const button = element(
      "button",
      {type: "button", "aria-pressed": "false", "data-outcome": outcome},
      `${outcome} ${n}`,
    );
    button.onclick = () => {
      state.outcome = state.outcome === outcome ? "" : outcome;
      showControls();
      list();
    };
    $("outcomes").append(button, " ");
  }
  document.querySelector("#cases > thead").append(
    element(
      "tr",
      {},
      ...columns.map(column => {
        const th = element(
          "th",
          {class: classOf(column), title: column.about, scope: "col", tabindex: "0"},
          column.name,
        );
        th.onclick = () => {
          state.descending = state.order === column ? !state.descending : !!column.number;
          state.order = column;
          showControls();
          list();
        };
        return th;
      }),
    ),
  );
  $("search").oninput = list;
  $("clear").onclick = clearFilters;
  $("more").onclick = addMore;
  new IntersectionObserver(seen => seen.some(entry => entry.isIntersecting) && addMore(), {
    rootMargin: "1000px",
  }).observe($("more"));
  addEventListener("beforeprint", () => addRows(Infinity));
  drawFailures();
  drawNews();
  drawTables();
  drawCurves();
  drawMemory();
  drawMatrix();
  const openFrom = event => {
    const at = event.target.closest("tr.case, .scheme[data-id]");
    if (!at) return;
    if (at.matches(".scheme")) {
      toggle(at.dataset.id, true);
      rowOf(byID.get(at.dataset.id)).scrollIntoView({block: "start"});
    } else toggle(at.dataset.id);
  };
  $("cases").addEventListener("click", event => {
    if (!getSelection().toString()) openFrom(event);
  });
  $("cases").addEventListener("keydown", event => {
    if (event.key === "Enter" || (event.key === " " && event.target.matches("tr.case"))) {
      event.preventDefault();
      if (event.target.matches("th")) event.target.click();
      else openFrom(event);
    }
  });
  document.addEventListener("mousemove", event => {
    const tip = $("tip"),
      at = event.target.closest && event.target.closest("[data-tip]");
    tip.hidden = !at;
    if (!at) return;
    tip.textContent = at.dataset.tip;
    tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + "px";
    tip.style.top =
      (event.clientY + 18 + tip.offsetHeight > innerHeight
        ? event.clientY - tip.offsetHeight - 10
        : event.clientY + 18) + "px";
  });
  let waiting = 0;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => state.open.forEach(id => draw(byID.get(id))), 150);
  });
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
    if (event.key === "n") nextFailure(1);
    else if (event.key === "p") nextFailure(-1);
  });
  addEventListener("hashchange", readAddress);
  readAddress();
  if (rows.length === 1) toggle(rows[0].c.id, true);
}
begin();
document.documentElement.dataset.ready = "true";
