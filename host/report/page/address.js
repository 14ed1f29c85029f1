// ---- the address: what is open, the filter and the order

// fields are the controls whose values are in the address.
const fields = {q: "search", scheme: "scheme", target: "target"};

// writeAddress makes the address show the page as it is now.
function writeAddress() {
  const at = new URLSearchParams();
  if (state.current) at.set("case", state.current);
  if (state.failure !== null) at.set("failure", String(state.failure + 1));
  for (const [name, id] of Object.entries(fields)) if ($(id).value) at.set(name, $(id).value);
  if (state.outcome) at.set("outcome", state.outcome);
  if (state.scenario) at.set("scenario", state.scenario);
  if (state.order) at.set("sort", (state.descending ? "-" : "") + state.order.name);
  const hash = at.toString();
  if (hash !== location.hash.slice(1)) history.replaceState(null, "", hash ? "#" + hash : location.pathname);
}

// readAddress shows what the address says.
function readAddress() {
  const hash = location.hash.slice(1);
  const plain = decodeURIComponent(hash);
  const at = byID.has(plain) ? new URLSearchParams([["case", plain]]) : new URLSearchParams(hash);
  for (const [name, id] of Object.entries(fields)) $(id).value = at.get(name) || "";
  state.outcome = at.get("outcome") || "";
  state.scenario = at.get("scenario") || "";
  const failure = (run.failures || [])[Number(at.get("failure")) - 1];
  state.failure = failure ? Number(at.get("failure")) - 1 : null;
  state.only = failure && failure.cases.length ? new Set(failure.cases) : null;
  const sort = at.get("sort") || "";
  state.order = columns.find(column => column.name === sort.replace(/^-/, "")) || null;
  state.descending = sort.startsWith("-");
  state.current = "";
  showControls();
  list();
  if (failure) openFailure(state.failure);
  if (byID.has(at.get("case"))) show(at.get("case"));
}

// showControls marks the chosen outcome and the sorted column.
function showControls() {
  for (const b of $("outcomes").children)
    b.setAttribute("aria-pressed", String(b.dataset.outcome === state.outcome));
  document.querySelectorAll("#cases > thead th").forEach((th, i) => {
    if (columns[i] === state.order) th.setAttribute("aria-sort", state.descending ? "descending" : "ascending");
    else th.removeAttribute("aria-sort");
  });
}

// nextFailure opens the next failed case in the table, or the previous one.
function nextFailure(step) {
  const bad = rows.filter(r => r.c.bad);
  if (!bad.length) return;
  const now = bad.findIndex(r => r.c.id === state.current);
  const next = now < 0 ? (step > 0 ? 0 : bad.length - 1) : (now + step + bad.length) % bad.length;
  if (now >= 0) toggle(state.current, false);
  show(bad[next].c.id);
  rowOf(bad[next]).focus({preventScroll: true});
}
