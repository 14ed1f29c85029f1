const run = JSON.parse(document.getElementById("run").textContent);
const $ = id => document.getElementById(id);
const names = run.names || [];

// entries([1, 2, 3, 4], 2): [[1, 2], [3, 4]].
const entries = (list, width) =>
  Array.from({length: (list || []).length / width}, (_, i) => list.slice(i * width, (i + 1) * width));

// timelineOf returns the timeline of a case with a list for each entry.
const timelineOf = c => unpack(c.timeline);
function unpack(t) {
  if (!t || t.unpacked) return t;
  const calls = entries(t.calls, 4).map(([at, lasted, size, kind]) => {
    const [name, stream, cause, origin, sync, result, handle] = run.kinds.slice(kind * 7, kind * 7 + 7);
    return [at, lasted, name, size, stream, cause, origin, sync, result, handle];
  });
  return Object.assign(t, {
    live: entries(t.live, 2),
    handles: t.handles.map(list => entries(list.slice(2), 2)),
    handleDevices: t.handles.map(list => list[0]),
    numbers: t.handles.map(list => list[1]),
    devices: (t.devices || []).map(list => ({capacity: list[0], live: entries(list.slice(2), 2)})),
    calls,
    kernels: entries(t.kernels, 6),
    marks: entries(t.marks, 4),
    hazards: entries(t.hazards, 9),
    unpacked: true,
  });
}

// streamName names a stream by its place: 2 ** 20 for each device before its own, and its number.
function streamName(place) {
  const device = Math.floor(place / 2 ** 20),
    stream = place % 2 ** 20;
  return (stream ? `stream ${stream}` : "null stream") + (device ? ` of device ${device}` : "");
}

// element("td", {class: "number"}, "text", child): an element with attributes and children; texts are never markup.
const element = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) node.setAttribute(name, value);
  node.append(...children.filter(child => child !== undefined && child !== "" && child !== 0 && child !== false));
  return node;
}

const units = [
  [2 ** 40, "TiB"],
  [2 ** 30, "GiB"],
  [2 ** 20, "MiB"],
  [2 ** 10, "KiB"],
];
function bytes(n) {
  for (const [size, unit] of units) if (n >= size) return `${+(n / size).toFixed(n / size < 10 ? 2 : 1)} ${unit}`;
  return `${n} B`;
}
const exact = n => (n < 1024 ? `${n} bytes` : `${n} bytes (${bytes(n)})`);
const time = us =>
  us >= 1e6
    ? `${+(us / 1e6).toPrecision(4)} s`
    : us >= 1000
      ? `${+(us / 1000).toPrecision(4)} ms`
      : us >= 1 || us <= 0
        ? `${+us.toPrecision(3)} µs`
        : `${+(us * 1000).toPrecision(3)} ns`;
// short is a metric with four digits and a unit that suits it.
function short(m) {
  const n = Number(m.value);
  if (m.unit === "bytes") return bytes(n);
  if (m.unit === "s" && n > 0) return time(n * 1e6);
  const asWritten = Number.isInteger(n) || isNaN(m.value);
  return `${asWritten ? m.value : +n.toPrecision(4)} ${m.unit || ""}`;
}
const count = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
const kinds = {passed: "passed", same: "passed", skipped: "skipped", "not run": "skipped", flaky: "flaky"};
// folderOf is the folder of a scenario: "query" of query/minimum_size.
const folderOf = c => c.scenario.slice(0, Math.max(0, c.scenario.lastIndexOf("/")));

// breakable is a name that may be broken after its marks, never inside a word.
const breakable = name => name.split(/(?<=[/_.-])/).flatMap((part, i) => (i ? [element("wbr"), part] : [part]));

const kindOf = c => (c.bad ? "bad" : kinds[c.outcome] || "known");
