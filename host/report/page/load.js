// ---- the picture of a workload: latencies above memory, with one axis of time

// loadPicture draws the latencies of each interval, the memory of the device and of handles, growths and waits.
function loadPicture(c, width) {
  const load = c.load,
    list = load.intervals,
    left = 78,
    right = Math.max(width, 220) - 12,
    end = list[list.length - 1].end || 1e-9;
  const panels = {latency: [38, 170], memory: [196, 296], waits: [310, 340]};
  const x = s => left + ((right - left) * Math.min(s, end)) / end; // handles can outlive the last interval
  const image = svg("svg", {
    viewBox: `0 0 ${width} 372`,
    role: "img",
    "aria-label": `latencies and memory of ${c.id} over time`,
    style: "height:372px",
  });
  drawLoadLatencies(image, list, x, panels.latency, left, right);
  drawLoadMemory(image, load, x, panels.memory, left, right);
  drawLoadWaits(image, list, x, panels.waits, left);
  for (const i of list) {
    if (!i.growths) continue;
    const mark = sign("growth", x((i.start + i.end) / 2), 14);
    mark.setAttribute("data-tip", `${count(i.growths, "growth")} of workspaces\n${intervalTip(i)}`);
    const at = x((i.start + i.end) / 2);
    image.append(svg("line", {class: "guide growth", x1: at, x2: at, y1: 20, y2: panels.memory[1]}), mark);
  }
  drawAxis(image, end * 1e6, us => x(us / 1e6), false, left, right, 372);
  return image;
}

const intervalTip = i =>
  [
    `${time(i.start * 1e6)} to ${time(i.end * 1e6)}`,
    count(i.events, "event") + (i.errors ? `, ${i.errors} failed` : "") + (i.dropped ? `, ${i.dropped} dropped` : ""),
    `p50 ${time(i.p50 * 1e6)}, p99 ${time(i.p99 * 1e6)}, longest ${time(i.max * 1e6)}`,
    exact(i.held) + " of device memory",
  ].join("\n");

// drawLoadLatencies draws the median, the 99 % quantile and the longest latency on a logarithmic scale.
function drawLoadLatencies(image, list, x, [top, bottom], left, right) {
  image.append(svg("text", {class: "strong", x: 0, y: 12}, "latency"));
  const seen = list.filter(i => i.events),
    low = Math.floor(Math.log10(Math.min(1, ...seen.map(i => i.p50 || 1)))),
    high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(1e-9, ...seen.map(i => i.max))))),
    y = s => bottom - ((bottom - top) * (Math.log10(Math.max(s, 10 ** low)) - low)) / (high - low);
  for (let n = low; n <= high; n++)
    image.append(
      svg("line", {class: "grid", x1: left, x2: right, y1: y(10 ** n), y2: y(10 ** n)}),
      svg("text", {x: left - 6, y: y(10 ** n) + 4, "text-anchor": "end"}, time(10 ** n * 1e6)),
    );
  [["max", "longest"], ["p99", "p99"], ["p50", "p50"]].forEach(([name, text], place) => {
    // A line ends where no event ended: the next one starts with the next event.
    const d = list.map((i, k) => {
      if (!i.events) return "";
      const start = x(i.start).toFixed(1), end = x(i.end).toFixed(1), at = y(i[name]).toFixed(1);
      return `${k && list[k - 1].events ? "L" : "M"}${start} ${at}H${end}`;
    });
    image.append(svg("path", {class: "latency " + name, d: d.join("")}));
    image.append(svg("text", {class: "latency " + name, x: right - 60 * place, y: 12, "text-anchor": "end"}, text));
  });
  for (const i of seen)
    image.append(svg("rect", {class: "interval", x: x(i.start), width: Math.max(1, x(i.end) - x(i.start)), y: top,
      height: bottom - top, "data-tip": intervalTip(i)}));
}

// drawLoadMemory draws the allocated memory of the device, and the memory of each handle.
function drawLoadMemory(image, load, x, [top, bottom], left, right) {
  const list = load.intervals,
    most = Math.max(1, ...list.map(i => i.held), ...(load.handles || []).map(h => h.bytes)),
    y = n => bottom - ((bottom - top) * n) / most;
  image.append(svg("text", {class: "strong", x: left - 6, y: (top + bottom) / 2, "text-anchor": "end"}, "memory"));
  for (const n of [0, most])
    image.append(
      svg("line", {class: "grid", x1: left, x2: right, y1: y(n), y2: y(n)}),
      svg("text", {x: left - 6, y: y(n) + 4, "text-anchor": "end"}, bytes(n)),
    );
  image.append(svg("path", {class: "live", d: stairs(list.map(i => [i.start, i.held]), x, y, right, true),
    "data-tip": "allocated device memory"}));
  const byHandle = new Map();
  for (const h of load.handles || []) byHandle.set(h.handle, [...(byHandle.get(h.handle) || []), [h.seconds, h.bytes]]);
  [...byHandle].slice(0, 32).forEach(([handle, steps], i) =>
    image.append(svg("path", {class: `handle n${i % 4}`, d: stairs(steps, x, y, right),
      "data-tip": `memory of handle ${handle}\n` +
        steps.slice(0, 12).map(s => `${time(s[0] * 1e6)}: ${exact(s[1])}`).join("\n")})),
  );
}

// drawLoadWaits draws a bar for the waits that libraries made in each interval.
function drawLoadWaits(image, list, x, [top, bottom], left) {
  const most = Math.max(...list.map(i => i.waits || 0));
  if (!most) return;
  image.append(svg("text", {x: left - 6, y: bottom, "text-anchor": "end"}, "waits"));
  for (const i of list) {
    if (!i.waits) continue;
    const height = Math.max(2, ((bottom - top) * i.waits) / most);
    const wide = Math.max(1.5, x(i.end) - x(i.start) - 0.5);
    image.append(svg("rect", {class: "hipcall sync", x: x(i.start), width: wide, y: bottom - height, height,
      "data-tip": `${count(i.waits, "wait")} of the host in libraries\n${intervalTip(i)}`}));
  }
}

// ---- the histogram of a workload: all events, then each kind, on one axis of time

function latencyHistogram(load, width) {
  const kinds = [["all", load.latency], ...(load.named || []).map(n => [n.name, n.latency])]
      .filter(([, q]) => q.histogram),
    left = 78,
    right = Math.max(width, 220) - 12,
    ratio = 1.13, // of the widest bucket
    buckets = kinds.flatMap(([, q]) => q.histogram),
    low = Math.min(...buckets.map(b => b.most)) / ratio,
    high = Math.max(...buckets.map(b => b.most)),
    x = s => left + ((right - left) * Math.log(s / low)) / Math.log(high / low),
    each = 142,
    height = each * kinds.length + 24;
  const image = svg("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", style: `height:${height}px`,
    "aria-label": "histogram of latencies: events over seconds, on a logarithmic axis"});
  kinds.forEach(([name, q], i) => {
    const top = each * i + 66, bottom = each * (i + 1) - 4,
      most = Math.max(...q.histogram.map(b => b.events)),
      y = n => bottom - ((bottom - top) * n) / most;
    image.append(svg("text", {class: "strong", x: 0, y: top - 54}, `events, ${name}`));
    for (const n of [0, most])
      image.append(svg("line", {class: "grid", x1: left, x2: right, y1: y(n), y2: y(n)}),
        svg("text", {x: left - 6, y: y(n) + 4, "text-anchor": "end"}, n.toLocaleString("en")));
    q.histogram.forEach((b, k) => {
      const from = k ? q.histogram[k - 1].most : b.most / ratio;
      if (b.events) image.append(svg("rect", {class: "kernel", x: x(from), width: Math.max(1, x(b.most) - x(from) - 1),
        y: Math.min(y(b.events), bottom - 1), height: Math.max(1, bottom - y(b.events)),
        "data-tip": `${count(b.events, "event")} of ${time(from * 1e6)} to ${time(b.most * 1e6)}`}));
    });
    const ends = [-Infinity, -Infinity, -Infinity];
    for (const [label, s] of [["p50", q.p50], ["p90", q.p90], ["p99", q.p99], ["p99.9", q.p999], ["longest", q.max]]) {
      const at = x(s), text = `${label} ${time(s * 1e6)}`, wide = 6.2 * text.length;
      const start = Math.min(Math.max(at - wide / 2, left), right - wide);
      const row = ends.findIndex(end => end < start - 8);
      image.append(svg("line", {class: "median", x1: at, x2: at, y1: top - 6, y2: bottom, "data-tip": text}));
      if (row < 0) continue;
      ends[row] = start + wide;
      image.append(svg("text", {x: start, y: top - 10 - 14 * row}, text));
    }
  });
  let last = -Infinity;
  for (let power = 10 ** Math.floor(Math.log10(low)); power <= high; power *= 10)
    for (const n of [1, 1.5, 2, 3, 4, 5, 6, 8]) {
      const at = x(n * power);
      if (at < left || at > right || at - last < 56) continue;
      last = at;
      image.append(svg("line", {class: "grid", x1: at, x2: at, y1: height - 24, y2: height - 18}),
        svg("text", {x: at, y: height - 6, "text-anchor": at > right - 28 ? "end" : "middle"}, time(n * power * 1e6)));
    }
  return image;
}
