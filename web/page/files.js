// Files is the file system of the program, in memory, in the form in which Go's runtime calls Node's.
class Files {
  folder = "/work"; // the current one
  constants = {O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536};

  #root = this.#folder();
  #open = new Map(); // descriptor: {file, path, flags, at}
  #next = 3;

  // print is called with the bytes that the program writes to descriptors 1 and 2.
  constructor(print) {
    this.print = print;
    this.#mkdir("/work");
    this.#mkdir("/tmp");
    this.#mkdir("/out");
    for (const fd of [0, 1, 2]) this.#open.set(fd, {file: this.#file(), at: 0, flags: 0});
    const here = this;
    for (const name of ["open", "close", "read", "write", "stat", "lstat", "fstat", "readdir", "mkdir", "unlink",
      "rmdir", "rename", "truncate", "ftruncate", "chmod", "fchmod", "chown", "fchown", "lchown", "utimes", "fsync",
      "readlink", "link", "symlink"]) {
      this[name] = function(...args) {
        const done = args.pop();
        let result;
        try {
          result = here["$" + name](...args);
        } catch (error) {
          return done(error);
        }
        done(null, result);
      };
    }
  }

  // add adds files by their absolute paths.
  add(files) {
    for (const [path, bytes] of Object.entries(files)) {
      this.#mkdir(path.slice(0, path.lastIndexOf("/")) || "/");
      const file = this.#file();
      file.bytes = bytes;
      file.size = bytes.length;
      this.#put(path, file);
    }
  }

  // all returns the files below a folder.
  all(folder) {
    const found = {};
    const walk = (node, path) => {
      for (const [name, child] of node.children)
        if (child.children) walk(child, path + name + "/");
        else found[path + name] = child.bytes.slice(0, child.size);
    };
    walk(this.#find(folder), "");
    return found;
  }

  writeSync(fd, bytes) {
    if (fd === 1 || fd === 2) {
      this.print(fd, bytes.slice());
      return bytes.length;
    }
    return this.$write(fd, bytes, 0, bytes.length, null);
  }

  #folder() { return {children: new Map(), mode: 0o40755, time: Date.now(), number: Files.#count++}; }
  #file() { return {bytes: new Uint8Array(0), size: 0, mode: 0o100644, time: Date.now(), number: Files.#count++}; }
  static #count = 1;

  #error(code) { return Object.assign(new Error(code), {code}); }

  // resolve returns the absolute form of a path.
  resolve(path) {
    const parts = [];
    for (const part of (path.startsWith("/") ? path : this.folder + "/" + path).split("/"))
      if (part === "..") parts.pop();
      else if (part && part !== ".") parts.push(part);
    return "/" + parts.join("/");
  }

  // #parent returns the folder of a path and the name in it.
  #parent(path) {
    const parts = this.resolve(path).split("/").filter(part => part);
    const name = parts.pop();
    let node = this.#root;
    for (const part of parts) {
      node = node.children?.get(part);
      if (!node) throw this.#error("ENOENT");
      if (!node.children) throw this.#error("ENOTDIR");
    }
    return [node, name];
  }

  #find(path) {
    const [folder, name] = this.#parent(path);
    const node = name === undefined ? folder : folder.children.get(name);
    if (!node) throw this.#error("ENOENT");
    return node;
  }

  #put(path, node) {
    const [folder, name] = this.#parent(path);
    folder.children.set(name, node);
    folder.time = Date.now();
  }

  #mkdir(path) {
    let at = "";
    for (const part of path.split("/").filter(part => part)) {
      at += "/" + part;
      const [folder, name] = this.#parent(at);
      if (!folder.children.has(name)) folder.children.set(name, this.#folder());
    }
  }

  #handle(fd) {
    const handle = this.#open.get(fd);
    if (!handle) throw this.#error("EBADF");
    return handle;
  }

  #resize(file, size) {
    if (size > file.bytes.length) {
      const bytes = new Uint8Array(Math.max(size, 2 * file.bytes.length, 4096));
      bytes.set(file.bytes.subarray(0, file.size));
      file.bytes = bytes;
    } else if (size < file.size) {
      file.bytes.fill(0, size, file.size);
    }
    file.size = size;
    file.time = Date.now();
  }

  #stat(node) {
    const size = node.children ? 0 : node.size;
    return {dev: 1, ino: node.number, mode: node.mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size, blksize: 4096,
      blocks: Math.ceil(size / 512), atimeMs: node.time, mtimeMs: node.time, ctimeMs: node.time,
      isDirectory: () => !!node.children};
  }

  $open(path, flags, mode) {
    const [folder, name] = this.#parent(path);
    let node = name === undefined ? folder : folder.children.get(name);
    const c = this.constants;
    if (node && flags & c.O_CREAT && flags & c.O_EXCL) throw this.#error("EEXIST");
    if (!node && !(flags & c.O_CREAT)) throw this.#error("ENOENT");
    if (!node) {
      node = this.#file();
      node.mode = 0o100000 | mode;
      this.#put(path, node);
    }
    if (node.children && flags & (c.O_WRONLY | c.O_RDWR)) throw this.#error("EISDIR");
    if (flags & c.O_TRUNC) this.#resize(node, 0);
    this.#open.set(this.#next, {file: node, flags, at: 0});
    return this.#next++;
  }

  $close(fd) { this.#handle(fd); this.#open.delete(fd); }

  $read(fd, buffer, offset, length, position) {
    const handle = this.#handle(fd);
    if (handle.file.children) throw this.#error("EISDIR");
    const from = position ?? handle.at;
    const bytes = handle.file.bytes.subarray(from, Math.min(from + length, handle.file.size));
    buffer.set(bytes, offset);
    if (position === null || position === undefined) handle.at += bytes.length;
    return bytes.length;
  }

  $write(fd, buffer, offset, length, position) {
    const bytes = buffer.subarray(offset, offset + length);
    if (fd === 1 || fd === 2) return this.writeSync(fd, bytes);
    const handle = this.#handle(fd), file = handle.file;
    const from = handle.flags & this.constants.O_APPEND ? file.size : position ?? handle.at;
    if (from + length > file.size) this.#resize(file, from + length);
    file.bytes.set(bytes, from);
    file.time = Date.now();
    if (position === null || position === undefined) handle.at = from + length;
    return length;
  }

  $stat(path) { return this.#stat(this.#find(path)); }
  $lstat(path) { return this.#stat(this.#find(path)); }
  $fstat(fd) { return this.#stat(this.#handle(fd).file); }
  $readdir(path) {
    const node = this.#find(path);
    if (!node.children) throw this.#error("ENOTDIR");
    return [...node.children.keys()];
  }
  $mkdir(path) {
    const [folder, name] = this.#parent(path);
    if (name === undefined || folder.children.has(name)) throw this.#error("EEXIST");
    folder.children.set(name, this.#folder());
  }
  $unlink(path) {
    const [folder, name] = this.#parent(path);
    const node = folder.children.get(name);
    if (!node) throw this.#error("ENOENT");
    if (node.children) throw this.#error("EISDIR");
    folder.children.delete(name);
  }
  $rmdir(path) {
    const [folder, name] = this.#parent(path);
    const node = folder.children.get(name);
    if (!node) throw this.#error("ENOENT");
    if (!node.children) throw this.#error("ENOTDIR");
    if (node.children.size) throw this.#error("ENOTEMPTY");
    folder.children.delete(name);
  }
  $rename(from, to) {
    const node = this.#find(from);
    const [folder, name] = this.#parent(from);
    this.#put(to, node);
    folder.children.delete(name);
  }
  $truncate(path, size) { this.#resize(this.#find(path), size); }
  $ftruncate(fd, size) { this.#resize(this.#handle(fd).file, size); }
  $chmod(path, mode) { const node = this.#find(path); node.mode = node.mode & ~0o777 | mode & 0o777; }
  $fchmod() {}
  $chown() {}
  $fchown() {}
  $lchown() {}
  $utimes(path, access, change) { this.#find(path).time = change * 1000; }
  $fsync() {}
  $readlink() { throw this.#error("EINVAL"); }
  $link() { throw this.#error("EPERM"); }
  $symlink() { throw this.#error("EPERM"); }
}
