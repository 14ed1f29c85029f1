// Worker: one call of the program. It gets the compiled module first, and starts the program, which waits for the call:
// {files, args}, whose paths are absolute. It posts what the program prints, {printed: [[fd, bytes], ...]}, and then
// {code, files}: the files in /out. The page ends it to stop the call.
function work() {
  importScripts("wasm_exec.js");
  const printed = [];
  let size = 0, code = 0, call;
  const flush = () => {
    if (printed.length) postMessage({printed: printed.splice(0)});
    size = 0;
  };
  const fs = globalThis.fs = new Files((fd, bytes) => {
    printed.push([fd, bytes]);
    if ((size += bytes.length) > 16384) flush();
  });
  globalThis.path = {resolve: path => fs.resolve(path)};
  Object.assign(process, {pid: 1, ppid: 0, cwd: () => fs.folder, chdir: path => { fs.folder = fs.resolve(path); },
    umask: () => 0o22, getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => []});
  // The program calls this when it has started, with the function that begins the call.
  globalThis.begin = given => {
    call = given;
    postMessage({ready: true});
  };

  async function start(module) {
    const go = new Go();
    go.argv = ["roclua"];
    // An instance makes one call: most need no garbage collection.
    go.env = {HOME: "/", TMPDIR: "/tmp", GOMEMLIMIT: "1GiB", GOGC: "400"};
    go.exit = status => {
      code = status;
      for (const timer of go._scheduledTimeouts.values()) clearTimeout(timer); // of goroutines that have ended now
    };
    await go.run(await WebAssembly.instantiate(module, go.importObject));
    flush();
    postMessage({code, files: fs.all("/out")});
  }

  onmessage = ({data}) => {
    if (data.module) {
      start(data.module).catch(error => postMessage({failed: String(error)}));
    } else {
      fs.add(data.files);
      call(...data.args);
    }
  };
}
