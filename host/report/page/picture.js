// ---- the picture

const highest = t => Math.max(1, ...t.live.map(s => s[1]), ...t.handles.flatMap(h => h.map(s => s[1])));

// highestOf is the highest line of a case, also of the run before.
const highestOf = c => Math.max(...[c.timeline, c.before].filter(Boolean).map(t => highest(unpack(t))));

// scale gives the place of a moment: in proportion, or a step of equal width for each event.
function scale(t, from, to, byCall, end = t.end) {
  if (!byCall) return us => from + ((to - from) * us) / Math.max(end, 1e-9);
  const moments = [
    ...new Set([
      0,
      t.end,
      ...t.live.map(s => s[0]),
      ...t.handles.flatMap(h => h.map(s => s[0])),
      ...t.calls.flatMap(c => [c[0], c[0] + c[1]]),
      ...t.kernels.flatMap(k => (k[3] ? [k[2], k[3]] : [k[1]])),
      ...t.marks.map(m => m[0]),
    ]),
  ].sort((a, b) => a - b);
  return us => {
    let low = 0,
      high = moments.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (moments[middle] < us) low = middle + 1;
      else high = middle;
    }
    return from + ((to - from) * low) / Math.max(1, moments.length - 1);
  };
}

// stairs is the path of steps; the last one lasts to the end.
function stairs(steps, x, y, end, closed) {
  if (!steps.length) return "";
  let d = `M${x(steps[0][0]).toFixed(1)} ${closed ? y(0).toFixed(1) : y(steps[0][1]).toFixed(1)}`;
  for (const [at, n] of steps) d += `H${x(at).toFixed(1)}V${y(n).toFixed(1)}`;
  return d + `H${end.toFixed(1)}` + (closed ? `V${y(0).toFixed(1)}Z` : "");
}

// distribution draws how dense the times of a measured call are up to 95 %, with the median, and behind it the median
// of the baseline with its error.
function distribution(m) {
  const behind = m.baseline || [],
    times = m.quantiles.slice(0, -1),
    least = Math.min(...times, ...behind),
    most = Math.max(...times, ...behind, least * 1.0001),
    x = s => 8 + (544 * (s - least)) / (most - least || 1);
  const densities = times.slice(1).map((t, i) => 1 / Math.max(t - times[i], (most - least) / 1e3)),
    top = Math.max(...densities),
    y = d => 74 - 66 * Math.sqrt(d / top);
  const image = svg("svg", {
    viewBox: "0 0 560 92",
    class: "distribution",
    role: "img",
    "aria-label": `distribution of the times of ${m.name}: ${m.about}`,
  });
  const line = (s, kind) => svg("line", {x1: x(s), x2: x(s), y1: 4, y2: 76, class: kind});
  const label = (s, anchor, text) => svg("text", {x: x(s), y: 88, "text-anchor": anchor}, text);
  if (behind.length) {
    const [low, usual, high] = behind;
    image.append(
      svg("rect", {x: x(low), y: 4, width: Math.max(x(high) - x(low), 1), height: 72, class: "before"}),
      line(usual, "before"),
      svg("text", {x: x(usual), y: 14, "text-anchor": x(usual) > 280 ? "end" : "start"}, "baseline"),
    );
  }
  let d = `M${x(times[0]).toFixed(1)} 74`;
  densities.forEach((density, i) => {
    d += `V${y(density).toFixed(1)}H${x(times[i + 1]).toFixed(1)}`;
  });
  image.append(
    svg("path", {class: "live", d: d + "V74Z"}),
    line(m.quantiles[10], "median"),
    label(least, "start", time(least * 1e6)),
    label(most, "end", time(most * 1e6)),
  );
  return image;
}

// drawEarlier draws the memory of the run before behind the lines of a case.
function drawEarlier(image, before, x, y, right) {
  for (const steps of before ? [before.live, ...before.handles] : [])
    image.append(
      svg("path", {class: "earlier", d: stairs(steps, x, y, right), "data-tip": `memory in ${run.compared[0]}`}),
    );
}

function thumbnail(t, top, before) {
  const x = scale(t, 1, 259, true),
    y = n => 74 - (70 * n) / top;
  const picture = svg("svg", {
    viewBox: "0 0 260 92",
    role: "img",
    "aria-label": `device memory up to ${bytes(highest(t))}`,
  });
  picture.append(svg("path", {class: "live", d: stairs(t.live, x, y, 259, true)}));
  drawEarlier(picture, before, before && scale(before, 1, 259, true), y, 259);
  t.handles.forEach((steps, i) =>
    picture.append(svg("path", {class: `handle n${i % 4}`, d: stairs(steps, x, y, 259)})),
  );
  for (const c of t.calls)
    if (names[c[5]] === "growth" && !names[c[2]].startsWith("hipFree")) picture.append(sign("growth", x(c[0]), 8));
  for (const m of t.marks) picture.append(sign("failed", x(m[0]), 8));
  const label = (px, py, anchor, text) => svg("text", {x: px, y: py, "text-anchor": anchor}, text);
  picture.append(
    svg("line", {class: "grid", x1: 1, x2: 259, y1: y(0), y2: y(0)}),
    svg("line", {class: "grid", x1: 1, x2: 259, y1: y(top), y2: y(top)}),
    label(2, 88, "start", `0 to ${bytes(top)}`),
    label(258, 88, "end", `for ${time(t.end)}`),
  );
  return picture;
}

function picture(c, width, byCall) {
  const t = timelineOf(c),
    left = t.devices.length ? 150 : 78,
    right = Math.max(width, 220) - 12,
    signs = 24,
    top = 38,
    bottom = 200,
    track = 22;
  const streams = [...new Set(t.kernels.map(k => k[0]))].sort((a, b) => a - b);
  const tracks = 1 + streams.length,
    height = bottom + 12 + tracks * track + 26;
  const before = unpack(c.before),
    end = Math.max(t.end, before ? before.end : 0),
    x = scale(t, left, right, byCall, end),
    most = highestOf(c);
  const step = 2 ** Math.ceil(Math.log2(most / 4)),
    ceiling = Math.max(step, Math.ceil(most / step) * step);
  const y = n => bottom - ((bottom - top) * n) / ceiling;
  const image = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": `memory and kernels of ${c.id} over time`,
    style: `height:${height}px`,
  });
  for (let n = 0; n <= ceiling; n += step) {
    image.append(
      svg("line", {class: "grid", x1: left, x2: right, y1: y(n), y2: y(n)}),
      svg("text", {x: left - 6, y: y(n) + 4, "text-anchor": "end"}, bytes(n)),
    );
  }
  if (t.capacity && t.capacity <= ceiling) {
    image.append(
      svg("line", {class: "capacity", x1: left, x2: right, y1: y(t.capacity), y2: y(t.capacity)}),
      svg("text", {x: right, y: y(t.capacity) - 4, "text-anchor": "end"}, `capacity ${bytes(t.capacity)}`),
    );
  } else if (t.capacity) {
    image.append(
      svg("text", {x: right, y: 11, "text-anchor": "end"}, `capacity ${bytes(t.capacity)}, above the picture ↑`),
    );
  }
  image.append(
    svg("path", {
      class: "live",
      d: stairs(t.live, x, y, right, true),
      "data-tip": `allocated ${t.devices.length ? "memory of all devices" : "device memory"}\nat most ` + exact(c.peak),
    }),
  );
  drawEarlier(image, before, before && scale(before, left, right, byCall, end), y, right);
  t.devices.forEach(({capacity, live}, i) =>
    image.append(
      svg("path", {
        class: `device n${i % 4}`,
        d: stairs(live, x, y, right),
        "data-tip":
          `allocated memory of device ${i}\n` +
          `at most ${exact(Math.max(...live.map(s => s[1])))}, of ${exact(capacity)}`,
      }),
    ),
  );
  t.handles.forEach((steps, i) =>
    image.append(
      svg("path", {
        class: `handle n${i % 4}`,
        d: stairs(steps, x, y, right),
        "data-tip":
          `memory of handle ${t.numbers[i]}${t.devices.length ? ` on device ${t.handleDevices[i]}` : ""}\n` +
          steps
            .slice(0, 12)
            .map(s => `${time(s[0])}: ${exact(s[1])}`)
            .join("\n"),
      }),
    ),
  );
  if (t.handles.length > 1) labelHandles(image, t, x, y, right);
  drawTracks(image, t, streams, x, {left, right, signs, bottom, track, y});
  drawAxis(image, end, x, byCall, left, right, height);
  return image;
}

// handlesLabelled is how many lines of handles get a label, those with most memory.
const handlesLabelled = 12;

// labelHandles writes the names of handles where they first have most memory, as far as there is room.
function labelHandles(image, t, x, y, right) {
  const peaks = t.handles.map((steps, i) => {
    const [at, most] = steps.reduce((best, s) => (s[1] > best[1] ? s : best), [steps.length ? steps[0][0] : 0, 0]);
    return {text: `handle ${t.numbers[i]}`, most, x: Math.min(x(at) + 4, right - 60), y: y(most) - 5};
  });
  const placed = [];
  for (const p of peaks.sort((a, b) => b.most - a.most).slice(0, handlesLabelled)) {
    while (placed.some(q => Math.abs(q.x - p.x) < 62 && Math.abs(q.y - p.y) < 12)) p.y += 13;
    if (p.y > y(0) && placed.length) continue; // it would cover the tracks
    placed.push(p);
    image.append(svg("text", {class: "strong", x: p.x, y: p.y}, p.text));
  }
}

// rounding is the most by which the end of a call may lie before the step that it caused, in microseconds.
const rounding = 0.2;

// lineOf returns the height of a handle's line at a moment, if several handles have lines.
function lineOf(t, number, us, y) {
  const i = t.handles.length > 1 ? t.numbers.indexOf(number) : -1;
  if (i < 0) return undefined;
  const before = t.handles[i].filter(s => s[0] <= us + rounding);
  return y(before.length ? before[before.length - 1][1] : 0);
}

function callTip(c) {
  const [at, lasted, name, size, stream, cause, origin, sync, result, handle] = c;
  return [
    names[name] + (size >= 0 ? ` of ${exact(size)}` : "") + (stream >= 0 ? ` in ${streamName(stream)}` : ""),
    `at ${time(at)}, took ${time(lasted)}`,
    names[cause] === "script" ? "" : `because of ${names[cause]}` + (handle ? ` of handle ${handle}` : ""),
    names[origin],
    sync ? "the host waits for the device" : "",
    names[result] ? `failed: ${names[result]}` : "",
  ]
    .filter(Boolean)
    .join("\n");
}

function drawTracks(image, t, streams, x, at) {
  const track = i => at.bottom + 14 + i * at.track,
    bar = at.track - 7;
  const note = (kind, us, tip, height = at.signs) => {
    const px = x(us),
      mark = sign(kind, px, height);
    mark.setAttribute("data-tip", tip);
    image.append(svg("line", {class: "guide " + kind, x1: px, x2: px, y1: height + 6, y2: track(0) + bar}), mark);
  };
  ["host", ...streams.map(streamName)].forEach((name, i) =>
    image.append(
      svg("text", {x: at.left - 6, y: track(i) + 12, "text-anchor": "end"}, name),
      svg("line", {class: "grid", x1: at.left, x2: at.right, y1: track(i) + bar + 3, y2: track(i) + bar + 3}),
    ),
  );
  for (const c of t.calls) {
    const growth = names[c[5]] === "growth",
      failed = names[c[8]] !== "",
      start = x(c[0]);
    image.append(
      svg("rect", {
        class: "hipcall" + (failed ? " failed" : growth ? " growth" : c[7] ? " sync" : ""),
        x: start,
        y: track(0),
        width: Math.max(2, x(c[0] + c[1]) - start),
        height: bar,
        "data-tip": callTip(c),
      }),
    );
    const kind = failed
      ? "failed"
      : growth && !names[c[2]].startsWith("hipFree")
        ? "growth"
        : c[7] && "sync";
    // The line of a handle rises when its call ends.
    const height = lineOf(t, c[9], c[0] + c[1], at.y);
    if (kind) note(kind, height === undefined ? c[0] : c[0] + c[1], callTip(c), height);
  }
  for (const [stream, queued, start, end, name, origin] of t.kernels) {
    const row = track(1 + streams.indexOf(stream)),
      from = x(end ? start : queued),
      wide = end ? Math.max(2, x(end) - from) : 2;
    const tip =
      `${names[name]} in ${streamName(stream)}\nqueued at ${time(queued)}` +
      (end
        ? `, ran ${time(start)} to ${time(end)}, for ${time(end - start)}`
        : "; the platform does not report when it ran") +
      `\n${names[origin]}`;
    image.append(svg("rect", {class: "kernel", x: from, y: row, width: wide, height: bar, rx: 2, "data-tip": tip}));
    const short = names[name].replace(/^roc(blas|solver)_/, "");
    if (wide > short.length * 7 + 8) image.append(svg("text", {class: "onbar", x: from + 5, y: row + 11.5}, short));
  }
  drawHazards(image, t, streams, x, at.y, track, bar, note);
  for (const m of t.marks) 
    note("failed", m[0], `${names[m[1]]}\nat ${time(m[0])}\n${names[m[2]]}`, lineOf(t, m[3], m[0], at.y));
}

// drawHazards joins the two uses of memory that are not ordered, and marks the later one, on the line of its handle.
function drawHazards(image, t, streams, x, y, track, bar, note) {
  const place = (name, stream, origin, until) => {
    const kernels = t.kernels.filter(
      k => names[k[4]] === name && k[0] === stream && names[k[5]] === origin && k[1] <= until,
    );
    if (kernels.length) {
      const k = kernels[kernels.length - 1];
      return [x(k[3] ? k[2] : k[1]), track(1 + streams.indexOf(stream)) + bar / 2];
    }
    const calls = t.calls.filter(c => names[c[2]] === name && names[c[6]] === origin && c[0] <= until);
    return calls.length ? [x(calls[calls.length - 1][0]), track(0) + bar / 2] : undefined;
  };
  for (const [at, text, handle, ...uses] of t.hazards) {
    const later = place(names[uses[3]], uses[4], names[uses[5]], at),
      earlier = place(names[uses[0]], uses[1], names[uses[2]], at);
    if (earlier && later)
      image.append(
        svg("path", {
          class: "hazardlink",
          d: `M${earlier[0]} ${earlier[1]}L${later[0]} ${later[1]}`,
          "data-tip": names[text],
        }),
      );
    note("hazard", at, `${names[text]}\nat ${time(at)}`, lineOf(t, handle, at, y));
  }
}

function drawAxis(image, end, x, byCall, left, right, height) {
  if (byCall) {
    image.append(
      svg("text", {x: left, y: height - 8}, "every event has the same width; hover for its time"),
      svg("text", {x: right, y: height - 8, "text-anchor": "end"}, time(end)),
    );
    return;
  }
  const raw = end / Math.max(2, Math.min(8, (right - left) / 90)),
    unit = 10 ** Math.floor(Math.log10(Math.max(raw, 1e-3))),
    step = [1, 2, 5, 10].find(n => n * unit >= raw) * unit;
  for (let us = 0; us <= end; us += step)
    image.append(
      svg("line", {class: "grid", x1: x(us), x2: x(us), y1: height - 26, y2: height - 21}),
      svg("text", {x: x(us), y: height - 8, "text-anchor": x(us) > right - 30 ? "end" : "middle"}, us ? time(us) : "0"),
    );
}
