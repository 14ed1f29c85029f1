// Worker: one call of the program. It gets the compiled module first and makes an instance while it waits for the call,
// {files, args}, whose paths are absolute. It posts what the program prints, {fd, bytes}, and then {code, files}: the
// files in /out. The page ends it to stop the call.
function work() {
  importScripts("wasm_exec.js");
  let instance, go, ready;
  const printed = [];
  let size = 0;
  const flush = () => {
    if (printed.length) postMessage({printed: printed.splice(0)});
    size = 0;
  };
  onmessage = ({data}) => {
    if (data.module) {
      ready = start(data.module);
    } else {
      ready.then(() => call(data)).catch(error => postMessage({failed: String(error)}));
    }
  };

  async function start(module) {
    go = new Go();
    instance = await WebAssembly.instantiate(module, go.importObject);
    postMessage({ready: true});
  }

  async function call({files, args}) {
    let code = 0;
    const fs = globalThis.fs = new Files(files, (fd, bytes) => {
      printed.push([fd, bytes]);
      if ((size += bytes.length) > 16384) flush();
    });
    globalThis.path = {resolve: path => fs.resolve(path)};
    Object.assign(process, {pid: 1, ppid: 0, cwd: () => fs.folder, chdir: path => { fs.folder = fs.resolve(path); },
      umask: () => 0o22, getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => []});
    go.argv = ["roclua", ...args];
    go.env = {HOME: "/", TMPDIR: "/tmp", GOMEMLIMIT: "1GiB"};
    go.exit = status => {
      code = status;
      for (const timer of go._scheduledTimeouts.values()) clearTimeout(timer); // of goroutines that have ended now
    };
    await go.run(instance);
    flush();
    postMessage({code, files: fs.all("/out")});
  }
}
