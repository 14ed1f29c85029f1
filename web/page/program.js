// Program runs the program in web workers: a fresh instance for each call, of the module that is compiled once. One
// worker is always started ahead, so that the next call begins at once.
class Program {
  #url;
  #module;  // promise of the compiled module
  #spare;   // promise of a worker with an instance
  #running; // {worker, reject}

  // url is the compressed program. progress is called with the part that is loaded, from 0 to 1.
  constructor(url, progress) {
    this.#url = url;
    this.progress = progress;
  }

  // prepare loads the program and starts an instance.
  prepare() {
    const spare = this.#spare ??= this.#start();
    spare.catch(() => { if (this.#spare === spare) this.#spare = undefined; });
    return spare;
  }

  #load() {
    return this.#module ??= this.#compile().catch(error => {
      this.#module = undefined;
      throw error;
    });
  }

  async #compile() {
    if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function")
      throw new Error("this browser has no WebAssembly or no DecompressionStream; use a current version of Chrome, " +
        "Edge, Firefox or Safari, or the program for the command line");
    const response = await fetch(this.#url);
    if (!response.ok)
      throw new Error(`the program cannot be loaded: ${this.#url}: ${response.status} ${response.statusText}`);
    const total = Number(response.headers.get("Content-Length"));
    let loaded = 0;
    const counted = response.body.pipeThrough(new TransformStream({transform: (bytes, out) => {
      loaded += bytes.length;
      if (total) this.progress(Math.min(loaded / total, 1));
      out.enqueue(bytes);
    }}));
    const headers = {"Content-Type": "application/wasm"};
    // Some servers mark the file as encoded, and the browser then decodes it.
    const isPlain = response.headers.get("Content-Encoding") === "gzip";
    const module = await WebAssembly.compileStreaming(
      new Response(isPlain ? counted : counted.pipeThrough(new DecompressionStream("gzip")), {headers}));
    this.progress(1);
    return module;
  }

  // #start starts a worker with an instance. The worker starts while the program loads.
  async #start() {
    const worker = new Worker(this.script);
    try {
      await new Promise((resolve, reject) => {
        worker.onerror = event => reject(new Error("the program cannot start: " + event.message));
        worker.onmessage = ({data}) => data.ready ? resolve() : reject(new Error(data.failed));
        this.#load().then(module => worker.postMessage({module})).catch(reject);
      });
      return worker;
    } catch (error) {
      worker.terminate();
      throw error;
    }
  }

  // run makes a call. files has bytes by absolute path, print is called with a descriptor and bytes. The result has the
  // exit code and the files that the call wrote to /out. After seconds the call is stopped.
  async run({files = {}, args, print, seconds}) {
    this.stop();
    const spare = this.prepare();
    this.#spare = undefined;
    let limit;
    const running = this.#running = {};
    try {
      running.stopped = new Promise((_, reject) => { running.reject = reject; });
      running.stopped.catch(() => {});
      const worker = running.worker = await Promise.race([spare, running.stopped]);
      return await Promise.race([running.stopped, new Promise((resolve, reject) => {
        limit = setTimeout(() => reject(new Stopped(`stopped after ${seconds} s`)), seconds * 1000);
        worker.onerror = event => reject(new Error("the program ended: " + event.message));
        worker.onmessage = ({data}) => {
          if (data.printed) for (const [fd, bytes] of data.printed) print(fd, bytes);
          else if (data.failed) reject(new Error("the program ended: " + data.failed));
          else resolve(data);
        };
        worker.postMessage({files, args});
      })]);
    } finally {
      clearTimeout(limit);
      running.worker?.terminate();
      if (this.#running === running) this.#running = undefined;
      this.prepare();
    }
  }

  // stop ends the call that runs.
  stop() { this.#running?.reject(new Stopped("stopped")); }
}

// Stopped is the error of a call that was ended on purpose.
class Stopped extends Error {}

// Printed collects what a call prints as text, up to a bound: more would make the page slow.
class Printed {
  static most = 2 << 20;
  #decoders = {1: new TextDecoder(), 2: new TextDecoder()};
  text = "";
  errors = "";
  full = false;

  add(fd, bytes) {
    if (this.full) return;
    const text = this.#decoders[fd].decode(bytes, {stream: true});
    if (fd === 2) this.errors += text;
    else this.text += text;
    if (this.text.length + this.errors.length > Printed.most) {
      this.full = true;
      this.text = this.text.slice(0, Printed.most) + "\n... more than 2 MiB were printed; the rest is not shown\n";
    }
  }
}
