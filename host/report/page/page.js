const run = JSON.parse(document.getElementById("run").textContent);
const $ = id => document.getElementById(id);
const names = run.names || [];

// element("td", {class: "number"}, "text", child): an element with attributes and children; texts are never markup.
const element = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined && value !== false) node.setAttribute(name, value);
  node.append(...children.filter(child => child !== undefined && child !== "" && child !== 0));
  return node;
}

const units = [[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"]];
function bytes(n) {
  for (const [size, unit] of units) if (n >= size) return `${+(n / size).toFixed(n / size < 10 ? 2 : 1)} ${unit}`;
  return `${n} B`;
}
const exact = n => n < 1024 ? `${n} bytes` : `${n} bytes (${bytes(n)})`;
const time = us => us >= 1e6 ? `${+(us / 1e6).toPrecision(4)} s` : us >= 1000 ? `${+(us / 1000).toPrecision(4)} ms` : `${+us.toPrecision(3)} µs`;
const short = m => m.unit === "bytes" ? bytes(Number(m.value)) : `${Number.isInteger(Number(m.value)) || isNaN(m.value) ? m.value : Number(m.value).toPrecision(3)} ${m.unit || ""}`;
const count = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;
const kindOf = c => c.bad ? "bad" : c.outcome === "passed" ? "passed" : c.outcome === "skipped" ? "skipped" : "known";

// ---- the table

// handleText is the history of the memory of a handle, without the times at which it had none: "32 MiB → 1 MiB".
function handleText(c) {
  const sizes = (c.handle_sizes || []).filter(n => n > 0);
  if (c.no_timeline) return "–";
  if (!sizes.length) return bytes(c.handle_peak);
  return (sizes.length > 3 ? [bytes(sizes[0]), "…", bytes(sizes[sizes.length - 1])] : sizes.map(bytes)).join(" → ");
}

const columns = [
  {name: "scenario", of: c => c.scenario + " " + c.label, show: c => [c.scenario, c.label && element("span", {class: "label"}, " " + c.label), element("span", {class: "label narrow"}, " " + c.target)]},
  {name: "scheme", of: c => c.scheme, show: c => [c.scheme || "–"]},
  {name: "target", tight: true, wide: true, of: c => c.target, show: c => [c.target]},
  {name: "outcome", of: c => (c.bad ? "0" : "1") + c.outcome, show: c => [element("span", {class: "outcome " + kindOf(c)}, c.outcome)]},
  {name: "first metric", wide: true, of: c => c.metrics ? Number(c.metrics[0].value) || 0 : -1, show: c => [c.metrics ? `${c.metrics[0].name} ${short(c.metrics[0])}` : ""]},
  {name: "handle", number: true, wide: true, of: c => c.handle_peak, show: c => [handleText(c)], about: "the memory of the handle over time; the most that several handles held"},
  {name: "device", number: true, wide: true, of: c => c.peak, show: c => [bytes(c.peak)], about: "the most device memory held at one time"},
  {name: "growths", number: true, wide: true, of: c => c.growths, show: c => [c.no_timeline ? "–" : String(c.growths)], about: "times a handle's memory grew in the middle of a call"},
  {name: "syncs", number: true, wide: true, of: c => c.syncs, show: c => [String(c.syncs)], about: "calls for which the host waited for the device"},
  {name: "HIP calls", number: true, wide: true, of: c => c.calls, show: c => [String(c.calls)]},
  {name: "seconds", number: true, wide: true, of: c => c.seconds, show: c => [c.seconds.toFixed(3)]},
];

const state = {order: null, descending: false, outcome: "", scenario: "", only: null, open: new Set()};
const rows = run.cases.map((c, i) => ({c, i, text: c.id.toLowerCase(), row: null, detail: null}));
const byID = new Map(rows.map(r => [r.c.id, r]));

const classOf = column => [column.number ? "number" : column.tight && "tight", column.wide && "wide"].filter(Boolean).join(" ") || undefined;

function rowOf(r) {
  if (r.row) return r.row;
  r.row = element("tr", {class: "case", tabindex: "0", "data-id": r.c.id, title: r.c.id},
    ...columns.map(column => element("td", {class: classOf(column)}, ...(column.number && r.c.outcome === "skipped" ? ["–"] : column.show(r.c)))));
  return r.row;
}

function matches(c, text, i) {
  return (!state.only || state.only.has(i)) && (!state.scenario || c.scenario === state.scenario) && (!state.outcome || (state.outcome === "not passed" ? c.bad : c.outcome === state.outcome)) && (!$("scheme").value || c.scheme === $("scheme").value)
    && (!$("target").value || c.target === $("target").value) && $("search").value.toLowerCase().split(/\s+/).every(word => text.includes(word));
}

function list() {
  const shown = rows.filter(r => matches(r.c, r.text, r.i));
  if (state.order) {
    const sign = state.descending ? -1 : 1, of = state.order.of;
    shown.sort((a, b) => { const x = of(a.c), y = of(b.c); return sign * (x < y ? -1 : x > y ? 1 : 0) || a.i - b.i; });
  }
  const fragment = document.createDocumentFragment();
  for (const r of shown) {
    fragment.append(rowOf(r));
    if (state.open.has(r.c.id)) fragment.append(detailOf(r));
  }
  document.querySelector("#cases > tbody").replaceChildren(fragment);
  $("none").hidden = shown.length > 0;
  $("count").textContent = shown.length === rows.length ? count(rows.length, "case") : `${shown.length} of ${count(rows.length, "case")}`;
  $("clear").hidden = shown.length === rows.length;
}

function toggle(id, open = !state.open.has(id)) {
  const r = byID.get(id);
  if (!r) return;
  if (open) state.open.add(id); else state.open.delete(id);
  rowOf(r).classList.toggle("open", open);
  if (open) { rowOf(r).after(detailOf(r)); draw(r); } else if (r.detail) r.detail.remove();
}

// ---- what a case opens to

function detailOf(r) {
  if (r.detail) return r.detail;
  const c = r.c, about = run.scenarios[c.scenario] || {};
  const cell = element("td", {colspan: String(columns.length)});
  cell.append(element("p", {class: "about"}, element("code", {}, c.id), element("br"), about.about || "", about.source ? element("span", {class: "label"}, ` (${about.source})`) : ""));
  if (c.why) cell.append(element("pre", {class: "why" + (c.bad ? "" : " skipped")}, c.why));
  if (c.metrics) cell.append(element("ul", {class: "metrics"}, ...c.metrics.map(m => element("li", {}, m.name + " ", element("b", {}, m.value), " " + (m.unit || "")))));
  if (c.outcome !== "skipped") cell.append(element("ul", {class: "metrics numbers"}, ...columns.filter(column => column.number).map(column => element("li", {title: column.about}, column.name + " ", element("b", {}, ...column.show(c))))));
  if (c.no_timeline) cell.append(element("p", {class: "about"}, c.no_timeline));
  if (c.timeline) {
    cell.append(legend(r), r.picture = element("div", {class: "picture"}));
    const siblings = schemesOf(c);
    if (siblings.length > 1) cell.append(element("h3", {}, "The schemes side by side"), r.schemes = element("div", {class: "schemes"}));
    r.siblings = siblings;
  }
  if (c.log) cell.append(element("h3", {}, "Log"), element("pre", {class: "log"}, c.log));
  r.detail = element("tr", {class: "detail"}, cell);
  return r.detail;
}

const schemesOf = c => run.cases.filter(o => o.timeline && o.scenario === c.scenario && o.label === c.label && o.target === c.target);

function legend(r) {
  const key = (what, text) => element("span", {class: "key"}, what, text);
  const small = (...shapes) => svg("svg", {viewBox: "0 0 22 12", style: "width:22px;height:12px"}, ...shapes);
  const byCall = element("button", {type: "button", class: "switch", "aria-pressed": "false"}, "a step for each event");
  byCall.onclick = () => { r.byCall = !r.byCall; byCall.setAttribute("aria-pressed", String(r.byCall)); draw(r); };
  return element("div", {class: "bar"},
    key(small(svg("path", {class: "live", d: "M1 11V5H21V11"})), "device memory held"),
    key(small(svg("path", {class: "handle", d: "M1 6H21"})), "the handle's memory"),
    key(small(svg("path", {class: "capacity", d: "M1 6H21"})), "capacity"),
    key(small(svg("rect", {class: "kernel", x: 1, y: 2, width: 20, height: 8})), "kernel"),
    key(small(sign("growth", 11, 6)), "growth"), key(small(sign("sync", 11, 6)), "the host waits"), key(small(sign("failed", 11, 6)), "failure"),
    (r.c.timeline.hazards || []).length && key(small(sign("hazard", 11, 6)), "hazard"), byCall);
}

// sign draws one of the three signs of the time axis around a point.
function sign(kind, x, y) {
  const shapes = {hazard: `M${x} ${y - 6}L${x + 6} ${y + 5}H${x - 6}ZM${x} ${y - 2}V${y + 1}M${x} ${y + 2.4}V${y + 3.4}`, growth: `M${x - 5} ${y + 4}L${x} ${y - 5}L${x + 5} ${y + 4}Z`, sync: `M${x - 4} ${y}L${x} ${y - 4}L${x + 4} ${y}L${x} ${y + 4}Z`, failed: `M${x - 4} ${y - 4}L${x + 4} ${y + 4}M${x + 4} ${y - 4}L${x - 4} ${y + 4}`};
  return svg("path", {class: "sign " + kind, d: shapes[kind]});
}

function draw(r) {
  if (!r.picture) return;
  r.picture.replaceChildren(picture(r.c, r.picture.clientWidth || 1000, !!r.byCall));
  if (!r.schemes) return;
  const top = Math.max(...r.siblings.map(c => highest(c.timeline)));
  r.schemes.replaceChildren(...r.siblings.map(c => {
    const panel = element("div", {class: "scheme" + (c === r.c ? " here" : ""), "data-id": c.id},
      element("h4", {}, c.scheme || "–", element("span", {class: "outcome " + kindOf(c)}, c.outcome)), thumbnail(c.timeline, top));
    const row = (name, value) => [element("dt", {}, name), element("dd", {}, value)];
    panel.append(element("dl", {}, ...row("the handle", handleText(c)), ...row("the device's most", bytes(c.peak)), ...row("growths", String(c.growths)),
      ...row("the host waits", String(c.syncs)), ...row("HIP calls", String(c.calls)), ...row("time", time(c.seconds * 1e6))));
    return panel;
  }));
}

// ---- the picture

const highest = t => Math.max(1, ...t.live.map(s => s[1]), ...t.handles.flatMap(h => h.map(s => s[1])));

// scale gives the place of a moment: in proportion, or a step of equal width for each event.
function scale(t, from, to, byCall) {
  if (!byCall) return us => from + (to - from) * us / Math.max(t.end, 1e-9);
  const moments = [...new Set([0, t.end, ...t.live.map(s => s[0]), ...t.handles.flatMap(h => h.map(s => s[0])), ...(t.calls || []).flatMap(c => [c[0], c[0] + c[1]]),
    ...(t.kernels || []).flatMap(k => k[3] ? [k[2], k[3]] : [k[1]]), ...(t.marks || []).map(m => m[0])])].sort((a, b) => a - b);
  return us => {
    let low = 0, high = moments.length - 1;
    while (low < high) { const middle = (low + high) >> 1; if (moments[middle] < us) low = middle + 1; else high = middle; }
    return from + (to - from) * low / Math.max(1, moments.length - 1);
  };
}

// stairs is the path of steps; the last one lasts to the end.
function stairs(steps, x, y, end, closed) {
  if (!steps.length) return "";
  let d = `M${x(steps[0][0]).toFixed(1)} ${closed ? y(0).toFixed(1) : y(steps[0][1]).toFixed(1)}`;
  for (const [at, n] of steps) d += `H${x(at).toFixed(1)}V${y(n).toFixed(1)}`;
  return d + `H${end.toFixed(1)}` + (closed ? `V${y(0).toFixed(1)}Z` : "");
}

function thumbnail(t, top) {
  const x = scale(t, 1, 259, true), y = n => 74 - 70 * n / top;
  const picture = svg("svg", {viewBox: "0 0 260 76", role: "img", "aria-label": `device memory up to ${bytes(highest(t))}`});
  picture.append(svg("path", {class: "live", d: stairs(t.live, x, y, 259, true)}));
  t.handles.forEach((steps, i) => picture.append(svg("path", {class: `handle n${i % 4}`, d: stairs(steps, x, y, 259)})));
  for (const c of t.calls || []) if (names[c[5]] === "growth" && !names[c[2]].startsWith("hipFree")) picture.append(sign("growth", x(c[0]), 8));
  for (const m of t.marks || []) picture.append(sign("failed", x(m[0]), 8));
  return picture;
}

function picture(c, width, byCall) {
  const t = c.timeline, left = 78, right = Math.max(width, 220) - 12, signs = 24, top = 38, bottom = 200, track = 22;
  const streams = [...new Set((t.kernels || []).map(k => k[0]))].sort((a, b) => a - b);
  const tracks = 1 + streams.length, height = bottom + 12 + tracks * track + 26;
  const x = scale(t, left, right, byCall), most = highest(t);
  const step = 2 ** Math.ceil(Math.log2(most / 4)), ceiling = Math.max(step, Math.ceil(most / step) * step);
  const y = n => bottom - (bottom - top) * n / ceiling;
  const image = svg("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `memory and kernels of ${c.id} over time`, style: `height:${height}px`});
  for (let n = 0; n <= ceiling; n += step) {
    image.append(svg("line", {class: "grid", x1: left, x2: right, y1: y(n), y2: y(n)}), svg("text", {x: left - 6, y: y(n) + 4, "text-anchor": "end"}, bytes(n)));
  }
  if (t.capacity && t.capacity <= ceiling) {
    image.append(svg("line", {class: "capacity", x1: left, x2: right, y1: y(t.capacity), y2: y(t.capacity)}), svg("text", {x: right, y: y(t.capacity) - 4, "text-anchor": "end"}, `capacity ${bytes(t.capacity)}`));
  } else if (t.capacity) {
    image.append(svg("text", {x: right, y: 11, "text-anchor": "end"}, `capacity ${bytes(t.capacity)}, above the picture ↑`));
  }
  image.append(svg("path", {class: "live", d: stairs(t.live, x, y, right, true), "data-tip": "allocated device memory\nat most " + exact(c.peak)}));
  t.handles.forEach((steps, i) => image.append(svg("path", {class: `handle n${i % 4}`, d: stairs(steps, x, y, right), "data-tip": `memory of handle ${i + 1}\n` + steps.slice(0, 12).map(s => `${time(s[0])}: ${exact(s[1])}`).join("\n")})));
  drawTracks(image, t, streams, x, {left, right, signs, bottom, track});
  drawAxis(image, t, x, byCall, left, right, height);
  if (t.left) image.append(svg("text", {x: left, y: 11}, `${t.left} later calls and kernels are not drawn`));
  return image;
}

function callTip(c) {
  const [at, lasted, name, size, stream, cause, origin, sync, result] = c;
  return [names[name] + (size >= 0 ? ` of ${exact(size)}` : "") + (stream >= 0 ? ` in stream ${stream}` : ""), `at ${time(at)}, took ${time(lasted)}`,
    names[cause] === "script" ? "" : `because of ${names[cause]}`, names[origin], sync ? "the host waits for the device" : "", names[result] ? `failed: ${names[result]}` : ""].filter(Boolean).join("\n");
}

function drawTracks(image, t, streams, x, at) {
  const track = i => at.bottom + 14 + i * at.track, bar = at.track - 7;
  const note = (kind, us, tip) => {
    const px = x(us), mark = sign(kind, px, at.signs);
    mark.setAttribute("data-tip", tip);
    image.append(svg("line", {class: "guide " + kind, x1: px, x2: px, y1: at.signs + 6, y2: track(0) + bar}), mark);
  };
  ["host", ...streams.map(s => s ? `stream ${s}` : "null stream")].forEach((name, i) => image.append(svg("text", {x: at.left - 6, y: track(i) + 12, "text-anchor": "end"}, name),
    svg("line", {class: "grid", x1: at.left, x2: at.right, y1: track(i) + bar + 3, y2: track(i) + bar + 3})));
  for (const c of t.calls || []) {
    const growth = names[c[5]] === "growth", failed = names[c[8]] !== "", start = x(c[0]);
    image.append(svg("rect", {class: "hipcall" + (failed ? " failed" : growth ? " growth" : c[7] ? " sync" : ""), x: start, y: track(0), width: Math.max(2, x(c[0] + c[1]) - start), height: bar, "data-tip": callTip(c)}));
    if (failed) note("failed", c[0], callTip(c)); else if (growth && !names[c[2]].startsWith("hipFree")) note("growth", c[0], callTip(c)); else if (c[7]) note("sync", c[0], callTip(c));
  }
  for (const [stream, queued, start, end, name, origin] of t.kernels || []) {
    const row = track(1 + streams.indexOf(stream)), from = x(end ? start : queued), wide = end ? Math.max(2, x(end) - from) : 2;
    const tip = `${names[name]} in ${stream ? `stream ${stream}` : "the null stream"}\nqueued at ${time(queued)}` + (end ? `, ran ${time(start)} to ${time(end)}, for ${time(end - start)}` : "; the platform does not report when it ran") + `\n${names[origin]}`;
    image.append(svg("rect", {class: "kernel", x: from, y: row, width: wide, height: bar, rx: 2, "data-tip": tip}));
    const short = names[name].replace(/^roc(blas|solver)_/, "");
    if (wide > short.length * 7 + 8) image.append(svg("text", {class: "onbar", x: from + 5, y: row + 11.5}, short));
  }
  drawHazards(image, t, streams, x, track, bar, note);
  for (const m of t.marks || []) note("failed", m[0], `${names[m[1]]}\nat ${time(m[0])}\n${names[m[2]]}`);
}

// drawHazards joins the two uses of memory that are not ordered, and marks the later one.
function drawHazards(image, t, streams, x, track, bar, note) {
  const place = (name, stream, origin, until) => {
    const kernels = (t.kernels || []).filter(k => names[k[4]] === name && k[0] === stream && names[k[5]] === origin && k[1] <= until);
    if (kernels.length) { const k = kernels[kernels.length - 1]; return [x(k[3] ? k[2] : k[1]), track(1 + streams.indexOf(stream)) + bar / 2]; }
    const calls = (t.calls || []).filter(c => names[c[2]] === name && names[c[6]] === origin && c[0] <= until);
    return calls.length ? [x(calls[calls.length - 1][0]), track(0) + bar / 2] : undefined;
  };
  for (const [at, text, ...uses] of t.hazards || []) {
    const later = place(names[uses[3]], uses[4], names[uses[5]], at), earlier = place(names[uses[0]], uses[1], names[uses[2]], at);
    if (earlier && later) image.append(svg("path", {class: "hazardlink", d: `M${earlier[0]} ${earlier[1]}L${later[0]} ${later[1]}`, "data-tip": names[text]}));
    note("hazard", at, `${names[text]}\nat ${time(at)}`);
  }
}

function drawAxis(image, t, x, byCall, left, right, height) {
  if (byCall) {
    image.append(svg("text", {x: left, y: height - 8}, "every event has the same width; hover for its time"), svg("text", {x: right, y: height - 8, "text-anchor": "end"}, time(t.end)));
    return;
  }
  const raw = t.end / Math.max(2, Math.min(8, (right - left) / 90)), unit = 10 ** Math.floor(Math.log10(Math.max(raw, 1e-3))), step = [1, 2, 5, 10].find(n => n * unit >= raw) * unit;
  for (let us = 0; us <= t.end; us += step) image.append(svg("line", {class: "grid", x1: x(us), x2: x(us), y1: height - 26, y2: height - 21}), svg("text", {x: x(us), y: height - 8, "text-anchor": x(us) > right - 30 ? "end" : "middle"}, us ? time(us) : "0"));
}

// ---- the page

function begin() {
  $("subtitle").textContent = run.subtitle;
  $("summary").textContent = run.summary;
  $("summary").classList.toggle("bad", !run.passed);
  $("machine").textContent = run.machine || "";
  for (const check of run.overall || []) $("overall").append(element("li", {}, element("span", {class: "outcome " + (check.passed ? "passed" : "bad")}, check.passed ? "ok " : "failed "), `${check.text}: ${check.have}`));
  const choose = (id, all, values) => { $(id).append(element("option", {value: ""}, all), ...[...new Set(values)].filter(Boolean).sort().map(v => element("option", {value: v}, v))); $(id).onchange = list; };
  choose("scheme", "all schemes", run.cases.map(c => c.scheme));
  choose("target", "all targets", run.cases.map(c => c.target));
  const counts = new Map();
  for (const c of run.cases) counts.set(c.outcome, (counts.get(c.outcome) || 0) + 1);
  const bad = run.cases.filter(c => c.bad).length, offers = [...counts];
  if (bad && bad !== counts.get("failed")) offers.unshift(["not passed", bad]);
  for (const [outcome, n] of offers) {
    const button = element("button", {type: "button", "aria-pressed": "false", "data-outcome": outcome}, `${outcome} ${n}`);
    button.onclick = () => {
      state.outcome = state.outcome === outcome ? "" : outcome;
      for (const b of $("outcomes").children) b.setAttribute("aria-pressed", String(b.dataset.outcome === state.outcome));
      list();
    };
    $("outcomes").append(button, " ");
  }
  document.querySelector("#cases > thead").append(element("tr", {}, ...columns.map(column => {
    const th = element("th", {class: classOf(column), title: column.about, scope: "col", tabindex: "0"}, column.name);
    th.onclick = () => {
      state.descending = state.order === column ? !state.descending : !!column.number;
      state.order = column;
      for (const other of th.parentNode.children) other.removeAttribute("aria-sort");
      th.setAttribute("aria-sort", state.descending ? "descending" : "ascending");
      list();
    };
    return th;
  })));
  $("search").oninput = list;
  $("clear").onclick = clearFilters;
  drawFailures();
  drawMatrix();
  const openFrom = event => {
    const at = event.target.closest("tr.case, .scheme[data-id]");
    if (!at) return;
    if (at.matches(".scheme")) { toggle(at.dataset.id, true); rowOf(byID.get(at.dataset.id)).scrollIntoView({block: "start"}); } else toggle(at.dataset.id);
  };
  $("cases").addEventListener("click", event => { if (!getSelection().toString()) openFrom(event); });
  $("cases").addEventListener("keydown", event => { if (event.key === "Enter" || event.key === " " && event.target.matches("tr.case")) { event.preventDefault(); if (event.target.matches("th")) event.target.click(); else openFrom(event); } });
  document.addEventListener("mousemove", event => {
    const tip = $("tip"), at = event.target.closest && event.target.closest("[data-tip]");
    tip.hidden = !at;
    if (!at) return;
    tip.textContent = at.dataset.tip;
    tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + "px";
    tip.style.top = (event.clientY + 18 + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 10 : event.clientY + 18) + "px";
  });
  let waiting = 0;
  addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(() => state.open.forEach(id => draw(byID.get(id))), 150); });
  list();
  const linked = decodeURIComponent(location.hash.slice(1));
  if (byID.has(linked)) { toggle(linked, true); rowOf(byID.get(linked)).scrollIntoView(); } else if (rows.length === 1) toggle(rows[0].c.id, true);
}
begin();
document.documentElement.dataset.ready = "true";
