// tabs has, for each tab: a sentence, the text that it starts with, what its arguments are, and what it shows.
const tabs = {
  script: {
    about: "A Lua script calls rocBLAS, rocSOLVER and HIP on a simulated device. Run shows the report.",
    lua: true, schemes: true, flags: "such as --axis n=64,128",
    args: text => ({files: {"/work/script.lua": text}, args: ["run", "script.lua", "--jobs", "1", "--quiet"]}),
  },
  size: {
    about: "The workspace of calls, to the byte: a call in each line, NAME PARAMETER=VALUE...",
    text: "dgetrf m=1024 n=1024\nzheevd n=500 evect=original uplo=lower\ndtrsm side=left uplo=upper m=4096 n=64\n",
    flags: "such as --sweep n=64:8192:x2",
    args: text => ({args: ["size", ...rows(text)]}),
  },
  log: {
    about: "What a program needs, from its log (rocBLAS, rocSOLVER, hipBLAS, rocprof) or from a recording of roclua " +
      "record. Drop the file on this page. A recording can be run call by call on another release.",
    files: true, commands: ["log", "run"], flags: "such as --workspace 32MiB",
    text: "rocblas-bench -f gemm -r f32_r --transposeA N --transposeB T -m 1024 -n 1024 -k 512 " +
      "--lda 1024 --ldb 1024 --ldc 1024\n",
    args: (text, files, command) => ({files: named(text, files), args: [command, ...names(text, files)]}),
  },
  plan: {
    about: "The memory of all handles of a program: calls, a line each, or a log or a recording.",
    text: "dgetrf m=4096 n=4096\ndgetrs n=4096 nrhs=16\n", files: true, flags: "such as --handles 48 --budget 512MiB",
    args: (text, files) => files.size ? {files: named("", files), args: ["plan", ...names("", files)]}
      : {args: ["plan", ...rows(text)]},
  },
  gemm: {
    about: "Which kernel each GEMM uses and the workspace that it needs: shapes TRANSA TRANSB:MxNxK, a line each, " +
      "or a log. The choice is in rocBLAS's tuning files: drop a pack (roclua tuning pack) on this page.",
    text: "TN:128x128x65536\nNN:4096x512x14336\n", files: true, flags: "such as --workspace 0,32MiB",
    args: (text, files) => {
      const packs = [...files.keys()].filter(name => name.endsWith(".zip"));
      const logs = [...files.keys()].filter(name => !name.endsWith(".zip"));
      return {files: named("", files), args: ["gemm", ...(logs.length ? logs : rows(text)),
        ...packs.flatMap(name => ["--tuning", name])]};
    },
  },
};

const rows = text => text.split("\n").map(line => line.trim()).filter(line => line && line[0] !== "#");
const names = (text, files) => files.size ? [...files.keys()] : ["text.log"];
const named = (text, files) => files.size
  ? Object.fromEntries([...files].map(([name, bytes]) => ["/work/" + name, bytes])) : {"/work/text.log": text};

// words splits a line of flags as a shell does, with quotes.
function words(line) {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)]
    .map(([word]) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

// quoted writes arguments as a shell reads them.
const quoted = args => args.map(arg =>
  /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`).join(" ");

const checked = group => [...group.querySelectorAll(":checked")].map(input => input.value);

class Page {
  static largest = 256 << 20; // bytes of all dropped files
  static outputs = {html: ["Page", "text/html"], text: ["Text", "text/plain"], json: ["JSON", "application/json"]};

  constructor() {
    for (const element of document.querySelectorAll("[id]")) this[element.id.replaceAll("-", "")] = element;
    this.known = JSON.parse(this.data.textContent);
    this.texts = Object.fromEntries(Object.entries(tabs).map(([name, tab]) => [name, tab.text ?? this.known.script]));
    this.taken = new Map();
    this.edited = new Editor(this.text, this.lines, this.colours);
    this.program = new Program("roclua.wasm.gz", part => {
      this.progress.value = part;
      this.progress.hidden = part === 1;
    });
    this.program.script = script;
    // It loads while the page is filled.
    this.program.prepare().catch(error => this.#say(error.message));
    this.#fill();
    this.#listen();
    this.#openLink();
  }

  #fill() {
    const box = (group, name, on) => {
      const label = document.createElement("label");
      const input = Object.assign(document.createElement("input"), {type: "checkbox", value: name, checked: on});
      label.append(input, " ", name);
      group.append(label);
    };
    for (const name of this.known.profiles) box(this.profiles, name, name === this.known.profile);
    for (const name of this.known.archs) box(this.archs, name, name === this.known.arch);
    this.archs.onchange = () => { this.chosen.textContent = checked(this.archs).join(", "); };
    this.archs.onchange();
    this.scheme.append(new Option("all", ""), ...this.known.schemes.map(name => new Option(name, name)));
    this.example.append(new Option("a script of roclua", ""));
    for (const [group, list] of Object.entries(this.known.examples)) {
      const part = Object.assign(document.createElement("optgroup"), {label: group});
      part.append(...list.map(name => new Option(name, group + "/" + name)));
      this.example.append(part);
    }
  }

  #listen() {
    for (const button of this.tabs.children) button.onclick = () => this.#select(button.dataset.tab);
    this.#arrows(this.tabs);
    this.#arrows(this.views);
    this.form.onsubmit = event => { event.preventDefault(); this.#run(); };
    this.text.addEventListener("keydown", event => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#run();
    });
    this.stop.onclick = () => this.program.stop();
    this.link.onclick = () => this.#copyLink();
    this.files.onchange = () => this.#take(this.files.files);
    this.example.onchange = () => this.#open(this.example.value);
    addEventListener("dragover", event => event.preventDefault());
    addEventListener("drop", event => { event.preventDefault(); this.#take(event.dataTransfer.files); });
    addEventListener("hashchange", () => this.#openLink());
  }

  // #arrows moves between the tabs of a list with the arrow keys.
  #arrows(list) {
    list.addEventListener("keydown", event => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (!step) return;
      const all = [...list.children];
      const next = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
      next.focus();
      next.click();
    });
  }

  #select(name) {
    if (this.tab) this.texts[this.tab] = this.edited.text;
    this.tab = name;
    const tab = tabs[name];
    for (const button of this.tabs.children) {
      button.ariaSelected = button.dataset.tab === name;
      button.tabIndex = button.dataset.tab === name ? 0 : -1;
    }
    this.panel.setAttribute("aria-labelledby", "tab-" + name);
    this.about.textContent = tab.about;
    this.choose.hidden = !tab.lua;
    this.drop.hidden = !tab.files;
    this.schemelabel.hidden = !tab.schemes;
    this.commandlabel.hidden = !tab.commands;
    this.command.replaceChildren(...(tab.commands ?? []).map(command => new Option(command, command)));
    this.flags.placeholder = tab.flags;
    this.edited.isLua = !!tab.lua;
    this.edited.text = this.texts[name];
  }

  async #open(path) {
    if (!path) return;
    try {
      const response = await fetch("scripts/" + path);
      if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
      this.edited.text = await response.text();
      this.folder = path.slice(0, path.lastIndexOf("/"));
    } catch (error) {
      this.#say(`${path} cannot be opened: ${error.message}`);
    }
  }

  // #take takes files: a Lua script into the editor, others for the commands that read files.
  async #take(list) {
    const size = [...list].reduce((sum, file) => sum + file.size, 0);
    if (size > Page.largest) {
      this.#say(`the files have ${size} bytes; a page can read ${Page.largest} (256 MiB): ` +
        "use the program for the command line");
      return;
    }
    if (list.length === 1 && list[0].name.endsWith(".lua")) {
      this.#select("script");
      this.edited.text = await list[0].text();
      return;
    }
    if (!tabs[this.tab].files) this.#select("log");
    this.taken = new Map();
    for (const file of list) this.taken.set(file.name, new Uint8Array(await file.arrayBuffer()));
    this.dropped.textContent = [...this.taken].map(([name, bytes]) => `${name} (${bytes.length} bytes)`).join(", ");
    this.#say("");
  }

  // #call returns the arguments and files of the call that the page describes.
  async #call() {
    const call = tabs[this.tab].args(this.edited.text, this.taken, this.command.value);
    call.args.push(...words(this.flags.value));
    for (const [flag, list] of [["--profile", checked(this.profiles)], ["--arch", checked(this.archs)]])
      if (list.length) call.args.push(flag, list.join(","));
    if (tabs[this.tab].schemes && this.scheme.value) call.args.push("--filter", "scheme=" + this.scheme.value);
    call.shown = quoted(call.args);
    call.args.push("--out", "text", "--out", "html=/out/html", "--out", "json=/out/json");
    const encoder = new TextEncoder();
    call.files = Object.fromEntries(Object.entries(call.files ?? {}).map(([path, text]) =>
      [path, typeof text === "string" ? encoder.encode(text) : text]));
    // A script of a folder may load modules of this folder, whose names start with _.
    if (this.tab === "script" && this.folder)
      for (const name of this.known.modules[this.folder] ?? []) {
        const response = await fetch(`scripts/${this.folder}/${name}`);
        call.files["/work/" + name] = new Uint8Array(await response.arrayBuffer());
      }
    return call;
  }

  async #run() {
    const printed = new Printed();
    this.stop.disabled = false;
    this.run.disabled = true;
    this.#say("running");
    const began = performance.now();
    try {
      const call = await this.#call();
      this.line.textContent = "roclua " + call.shown;
      const {code, files} = await this.program.run({...call, seconds: Number(this.limit.value),
        print: (fd, bytes) => printed.add(fd, bytes)});
      const seconds = ((performance.now() - began) / 1000).toFixed(2);
      this.#say(`${seconds} s, exit code ${code}${code ? ": " + (this.known.exits[code] ?? "") : ""}`);
      this.#show(printed, files);
    } catch (error) {
      this.#say(error.message);
      if (!(error instanceof Stopped)) printed.errors += error.message + "\n";
      this.#show(printed, {});
    } finally {
      this.stop.disabled = true;
      this.run.disabled = false;
    }
  }

  // #show shows the forms of the result: the page if there is one, else the text.
  #show(printed, files) {
    const text = printed.text + (printed.text && printed.errors ? "\n" : "") + printed.errors;
    const all = {...files, text: new TextEncoder().encode(text)};
    const at = [...text.matchAll(/^.*?script\.lua:(\d+)/gm)].map(match => Number(match[1]));
    this.edited.mark(this.tab === "script" ? at : []);
    this.views.replaceChildren();
    for (const [name, [title]] of Object.entries(Page.outputs)) {
      if (!all[name]?.length) continue;
      const button = Object.assign(document.createElement("button"), {type: "button", textContent: title});
      button.role = "tab";
      button.id = "view-" + name;
      button.setAttribute("aria-controls", "view");
      button.onclick = () => this.#view(name, all[name], at);
      this.views.append(button);
    }
    this.result.hidden = false;
    this.result.scrollIntoView({block: "nearest"});
    this.views.firstChild?.click();
  }

  #view(name, bytes, at) {
    for (const button of this.views.children) {
      button.ariaSelected = button.id === "view-" + name;
      button.tabIndex = button.id === "view-" + name ? 0 : -1;
    }
    this.view.setAttribute("aria-labelledby", "view-" + name);
    const type = Page.outputs[name][1];
    const link = Object.assign(document.createElement("a"), {textContent: "Download",
      download: "roclua." + (name === "text" ? "txt" : name), href: URL.createObjectURL(new Blob([bytes], {type}))});
    const text = new TextDecoder().decode(bytes);
    if (name === "html") {
      const frame = Object.assign(document.createElement("iframe"), {title: "Report", srcdoc: text});
      frame.sandbox = "allow-scripts allow-popups";
      this.view.replaceChildren(link, frame);
      return;
    }
    const block = Object.assign(document.createElement("pre"), {textContent: text});
    const errors = name === "text" ? at.slice(0, 1).map(line => Object.assign(document.createElement("button"),
      {type: "button", textContent: `line ${line}`, onclick: () => this.edited.show(line)})) : [];
    this.view.replaceChildren(link, ...errors, block);
  }

  #say(text) { this.state.textContent = text; }

  // A link has the tab, the text and the flags, and nothing of files.
  async #copyLink() {
    location.hash = encode({tab: this.tab, text: this.edited.text, flags: this.flags.value});
    try {
      await navigator.clipboard.writeText(location.href);
      this.#say("the link is copied");
    } catch {
      this.#say("the link is in the address of this page");
    }
  }

  #openLink() {
    const {tab, text, flags} = decode(location.hash) ?? {};
    this.#select(tabs[tab] ? tab : this.tab ?? "script");
    if (typeof text === "string") this.edited.text = text;
    if (typeof flags === "string") this.flags.value = flags;
  }
}

// encode and decode are the part of an address after "#": JSON in base64url.
function encode(value) {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const text = btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function decode(hash) {
  try {
    const text = atob(hash.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(text, c => c.charCodeAt(0))));
  } catch {
    return undefined;
  }
}
