// Manual: the search in its pages, and its examples, which run where they stand.
async function openManual() {
  const field = document.getElementById("search");
  const found = document.getElementById("found");
  let index = [];
  field.addEventListener("focus", async () => {
    if (!index.length) index = await (await fetch("index.json")).json();
    search();
  }, {once: true});

  // rank says how well a page fits the words: 0 for not at all.
  function rank(page, words) {
    let sum = 0;
    for (const word of words) {
      const names = page.n.toLowerCase().split(" ");
      const title = page.t.toLowerCase();
      const best = names.includes(word) || title === word ? 100
        : names.some(name => name.endsWith("." + word) || name.endsWith(":" + word)) ? 80
        : title.includes(word) || names.some(name => name.startsWith(word)) ? 50
        : names.some(name => name.includes(word)) ? 30
        : page.a.toLowerCase().includes(word) ? 20
        : (" " + page.w).includes(" " + word) ? 10
        : 0;
      if (!best) return 0;
      sum += best;
    }
    return sum;
  }

  function search() {
    const words = field.value.toLowerCase().replace(/\(.*/, "").split(/\s+/).filter(word => word);
    const pages = index
      .map((page, order) => ({page, order, rank: words.length ? rank(page, words) : 0}))
      .filter(one => one.rank)
      .sort((a, b) => b.rank - a.rank || a.order - b.order)
      .slice(0, 12);
    found.replaceChildren(...pages.map(({page}) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = page.f;
      link.append(Object.assign(document.createElement("b"), {textContent: page.t}), " ", page.a);
      item.append(link);
      return item;
    }));
    if (words.length && !pages.length) {
      found.append(Object.assign(document.createElement("li"), {textContent: "no page has these words"}));
    }
    found.hidden = !words.length;
  }

  // move sets the focus to the next or the previous result, or to the field.
  function move(step) {
    const stops = [field, ...found.querySelectorAll("a")];
    const next = stops[stops.indexOf(document.activeElement) + step];
    if (next) next.focus();
  }

  field.addEventListener("input", search);
  document.addEventListener("keydown", event => {
    if (event.key === "/" && document.activeElement !== field) {
      event.preventDefault();
      field.focus();
    } else if (event.key === "Escape") {
      found.hidden = true;
      field.focus();
    } else if (!found.hidden && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && document.activeElement === field) {
      const first = found.querySelector("a");
      if (first && !found.hidden) location.href = first.href;
    }
  });
  for (const current of document.querySelectorAll("nav [aria-current]")) current.scrollIntoView({block: "center"});

  // What scrolls can be reached by keys.
  for (const block of document.querySelectorAll("main pre, main table"))
    if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;

  const program = new Program("../roclua.wasm.gz", part => {
    state.textContent = `loading ${Math.round(100 * part)} %`;
  });
  program.script = script;
  let state; // of the example that runs
  for (const block of document.querySelectorAll("main pre > code")) {
    const text = block.textContent;
    const isScript = block.className.includes("language-lua") && /\brequire\b/.test(text);
    const calls = isScript ? [["run", "example.lua", "--jobs", "1", "--quiet"]]
      : [...text.matchAll(/^\$ roclua ((?:size|docs|defects|plan) .*)$/gm)].map(match => words(match[1]));
    if (!calls.length) continue;
    const row = Object.assign(document.createElement("p"), {className: "row"});
    const run = Object.assign(document.createElement("button"), {type: "button", textContent: "Run"});
    const stop = Object.assign(document.createElement("button"), {type: "button", textContent: "Stop", hidden: true});
    const open = Object.assign(document.createElement("a"), {textContent: "Open in the page",
      href: "../index.html#" + encode({tab: "script", text})});
    const status = document.createElement("output");
    const shown = Object.assign(document.createElement("pre"), {hidden: true, tabIndex: 0});
    open.hidden = !isScript;
    row.append(run, " ", stop, " ", open, " ", status);
    block.parentElement.after(row, shown);
    stop.onclick = () => program.stop();
    run.onclick = async () => {
      const printed = new Printed();
      state = status;
      stop.hidden = false;
      try {
        for (const args of calls) {
          const {code} = await program.run({files: {"/work/example.lua": new TextEncoder().encode(text)}, args,
            seconds: 60, print: (fd, bytes) => printed.add(fd, bytes)});
          status.textContent = "exit code " + code;
        }
      } catch (error) {
        status.textContent = error.message;
      }
      stop.hidden = true;
      shown.hidden = false;
      shown.textContent = printed.text + printed.errors;
    };
  }
}
