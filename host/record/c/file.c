// The file of a recording: its header, and the chunks of threads.
#include "recorder.h"
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>

static __thread struct thread *me __attribute__((tls_model("initial-exec")));

enum state { UNUSED, OPEN, OFF };
static int state;             // of the file
static uint8_t *header;       // mapped
static char path[PATH_MAX];   // of the file
static char pattern[PATH_MAX]; // of paths; empty if nothing is recorded
static char text[PATH_MAX];   // of the thread that opens the file, whose stack may be small
static char list[PATH_MAX];   // the file to which processes add the paths of recordings; empty if there is none
static uint64_t begun[2];     // when the process began, by CLOCK_MONOTONIC and since 1970
static dev_t device_of;       // of the file, because a program can replace it
static ino_t inode_of;

// What threads write is not in a cache line with what each call reads.
static struct {
  uint64_t chunks;            // that were taken
  uint32_t threads;           // that were numbered
  int writing, opening;       // locks of what happens rarely
} shared __attribute__((aligned(64)));

static uint8_t facts_known[LAYER]; // libraries that facts describe
static uint32_t generation;   // of the process: 0 for the first, one more after each fork

// A page that the kernel clears in a child: a process whose page is clear has not begun its own recording.
static uint64_t *alive;
static uint64_t alive_without; // where the kernel cannot

static void lock(int *l) {
  while (__atomic_exchange_n(l, 1, __ATOMIC_ACQUIRE)) __builtin_ia32_pause();
}

static void unlock(int *l) { store(l, 0); }

static uint64_t now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int write_all(int fd, const char *const *parts, int n) {
  struct iovec all[8];
  for (int i = 0; i < n; i++) all[i] = (struct iovec){(void *)parts[i], strlen(parts[i])};
  return writev(fd, all, n) < 0;
}

static int say(const char *what, const char *why) {
  const char *const parts[] = {"roclua record: ", what, ": ", why, "; calls are not recorded from here on\n"};
  return write_all(2, parts, 5);
}

// Ends the recording of the process, with one message.
static void stop(int error, uint32_t flag) {
  if (__atomic_exchange_n(&state, OFF, __ATOMIC_ACQ_REL) == OFF) return;
  if (header) __atomic_fetch_or((uint32_t *)(header + 36), flag, __ATOMIC_RELAXED);
  say(path[0] ? path : pattern, error == ESTALE ? "another program cut the file" : strerror(error));
}

// Whether a file of this size is larger than the process may write, which would be ended by SIGXFSZ.
static int beyond_limit(uint64_t bytes) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && bytes > limit.rlim_cur;
}

// Allocates the space of a part of the file before it is mapped: where the disk is full, a write to the mapping would
// end the process.
static int allocate(int fd, uint64_t offset, uint64_t bytes) {
  if (beyond_limit(offset + bytes)) return EFBIG;
  if (syscall(SYS_fallocate, fd, 0, offset, bytes) == 0) return 0;
  if (errno != EOPNOTSUPP && errno != ENOSYS) return errno;
  static const uint8_t zeros[4096];
  for (uint64_t at = 0, n; at < bytes; at += n) {
    n = bytes - at < sizeof zeros ? bytes - at : sizeof zeros;
    if (pwrite(fd, zeros, n, offset + at) != (ssize_t)n) return errno ? errno : ENOSPC;
  }
  return 0;
}

static uint8_t *map(int fd, uint64_t offset, uint64_t bytes) {
  uint8_t *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
  if (p == MAP_FAILED) return NULL;
  madvise(p, bytes, MADV_DONTFORK); // a child never writes the file of its parent
  return p;
}

// Writes the path with the number of the process for %p and the host for %h.
static int expand(char *to, size_t room) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  size_t n = 0;
  int numbered = 0;
  for (const char *from = pattern; *from && n + 300 < room; from++) {
    if (from[0] == '%' && from[1] == 'p') {
      n += snprintf(to + n, room - n, "%d", (int)getpid()), from++, numbered = 1;
    } else if (from[0] == '%' && from[1] == 'h') {
      n += snprintf(to + n, room - n, "%s", host), from++;
    } else {
      if (from[0] == '%' && from[1] == '%') from++;
      to[n++] = *from;
    }
  }
  to[n] = 0;
  return numbered;
}

// Adds a line to the list: the number of the process, and the path or the state of its recording.
static void add_line(const char *what) {
  char process[16];
  int fd = list[0] ? open(list, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
  if (fd < 0) return;
  int n = snprintf(process, sizeof process, "%d ", (int)getpid()) + strlen(what) + 1;
  if (!beyond_limit(lseek(fd, 0, SEEK_END) + n) && write_all(fd, (const char *[]){process, what, "\n"}, 3))
    say(list, "cannot be written");
  close(fd);
}

static void fact(const char *name, const char *value) {
  lock(&shared.writing);
  uint32_t used = *(uint32_t *)(header + 56), room = HEADER_BYTES - FACTS - used;
  char *line = (char *)header + FACTS + used;
  uint32_t n = snprintf(line, room, "%s=%s", name, value);
  if (n < room) { // the line break takes the place of the zero byte
    for (uint32_t i = 0; i < n; i++)
      if (line[i] == '\n') line[i] = ' ';
    line[n] = '\n';
    store((uint32_t *)(header + 56), used + n + 1);
  } else {
    line[0] = 0;
    __atomic_fetch_or((uint32_t *)(header + 36), FLAG_FACTS, __ATOMIC_RELAXED);
  }
  unlock(&shared.writing);
}

// Reports whether another command replaces a new file, which must not be lost. The lock lasts as long as the mapping of
// the header: it keeps other commands from a file that is written.
static int replaced(int fd) {
  struct stat s;
  return flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK || syscall(SYS_fstat, fd, &s) == 0 && s.st_nlink == 0;
}

// Creates the file. The first process that records has the name itself; others append their numbers, and one that
// finds a file of its number appends another number.
static int create(void) {
  char suffix[40] = "";
  int numbered = expand(text, sizeof text - sizeof suffix), more = 0;
  for (int i = 0; i < 1000; i++) {
    stpcpy(stpcpy(path, text), suffix);
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 && replaced(fd)) close(fd);
    else if (fd >= 0 || errno != EEXIST) return fd;
    if (numbered || i > 0) more = more ? more + 1 : 2;
    int n = numbered ? 0 : snprintf(suffix, sizeof suffix, ".%d", (int)getpid());
    if (more) snprintf(suffix + n, sizeof suffix - n, "-%d", more);
  }
  return -1;
}

// Writes the begin of the header, before anything else: a process can end at any moment, and its file must not be taken
// for another kind of file.
static int begin_header(int fd) {
  static uint8_t first[FACTS] = "ROCLUA RECORDING";
  uint32_t numbers[] = {FORMAT_VERSION, HEADER_BYTES, CHUNK_BYTES, getpid(), getppid(), 0};
  memcpy(first + 16, numbers, sizeof numbers);
  memcpy(first + 40, begun, sizeof begun);
  if (beyond_limit(sizeof first)) return EFBIG;
  errno = 0;
  return pwrite(fd, first, sizeof first, 0) == sizeof first ? 0 : errno ? errno : ENOSPC;
}

static struct sigaction other_bus; // what SIGBUS did before

// Where another process made the file shorter, a write to its mapping raises SIGBUS. The recording ends then, and the
// mappings become private memory. Other addresses belong to the program.
static void on_bus(int signal, siginfo_t *info, void *context) {
  uint8_t *at = info->si_addr, *chunk = me ? me->chunk : NULL;
  if (info->si_code != BUS_ADRERR || !(header && at - header < HEADER_BYTES || chunk && at - chunk < CHUNK_BYTES)) {
    if (other_bus.sa_flags & SA_SIGINFO) return other_bus.sa_sigaction(signal, info, context);
    if (other_bus.sa_handler != SIG_DFL && other_bus.sa_handler != SIG_IGN) return other_bus.sa_handler(signal);
    sigaction(SIGBUS, &other_bus, NULL); // the access is repeated
    return;
  }
  int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  mmap(header, HEADER_BYTES, PROT_READ | PROT_WRITE, how, -1, 0);
  if (chunk) mmap(chunk, CHUNK_BYTES, PROT_READ | PROT_WRITE, how, -1, 0);
  stop(ESTALE, 0);
}

static void watch_truncation(void) {
  static int watched; // also by a child
  struct sigaction own = {.sa_sigaction = on_bus, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  if (!watched) watched = 1, sigaction(SIGBUS, &own, &other_bus);
}

static void refuse(int error) {
  add_line("refused");
  stop(error, 0);
}

// The list has the process before its file exists: one that ends before the file is complete is missed then.
static void open_file(void) {
  add_line("begins");
  int fd = create();
  if (fd < 0) return refuse(errno);
  struct stat s;
  int error = begin_header(fd);
  if (!error) error = allocate(fd, FACTS, HEADER_BYTES - FACTS);
  if (!error && syscall(SYS_fstat, fd, &s) < 0) error = errno;
  if (!error && !(header = map(fd, 0, HEADER_BYTES))) error = errno;
  close(fd);
  if (error) {
    unlink(path);
    return refuse(error);
  }
  device_of = s.st_dev, inode_of = s.st_ino;
  add_line(path);
  gethostname(text, 256);
  fact("host", text);
  ssize_t n = readlink("/proc/self/exe", text, sizeof text - 1);
  text[n > 0 ? n : 0] = 0;
  fact("program", text);
  watch_truncation();
  store(&state, OPEN);
}

// Gives a thread a new chunk. The file is opened by its name each time, because programs close descriptors that they
// do not know.
static int new_chunk(struct thread *t) {
  if (t->chunk) munmap(t->chunk, CHUNK_BYTES);
  t->chunk = NULL;
  if (load(&state) == UNUSED) {
    lock(&shared.opening);
    if (load(&state) == UNUSED) open_file();
    unlock(&shared.opening);
  }
  if (load(&state) == OFF) return 0;
  int fd = open(path, O_RDWR | O_CLOEXEC), error = errno;
  if (fd < 0) return stop(error, 0), 0;
  struct stat s;
  if (syscall(SYS_fstat, fd, &s) < 0 || s.st_ino != inode_of || s.st_dev != device_of || s.st_size < HEADER_BYTES) {
    close(fd);
    return stop(s.st_size < HEADER_BYTES ? ESTALE : ENOENT, 0), 0;
  }
  uint64_t offset = HEADER_BYTES + add(&shared.chunks, 1) * CHUNK_BYTES;
  error = allocate(fd, offset, CHUNK_BYTES);
  if (!error && !(t->chunk = map(fd, offset, CHUNK_BYTES))) error = errno;
  close(fd);
  if (error) return stop(error, error == ENOSPC || error == EDQUOT || error == EFBIG ? FLAG_DISK_FULL : 0), 0;
  if (t->number == 0 || t->taken) t->number = add(&shared.threads, 1) + 1;
  if (t->slot == 0) t->slot = t->number;
  t->taken = 0;
  uint32_t numbers[] = {CHUNK_HEADER, t->number, (uint32_t)syscall(SYS_gettid), t->sequence++, t->slot};
  memcpy(t->chunk + 4, numbers, sizeof numbers);
  memcpy(t->chunk + 24, &t->clock, sizeof t->clock);
  memcpy(t->chunk + RUNNING_THREAD, &t->number, sizeof t->number);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  memcpy(t->chunk, "RCHK", 4);
  t->used = CHUNK_HEADER;
  memset(t->known, 0, sizeof t->known);
  memset(t->shapes, 0, sizeof t->shapes);
  return 1;
}

// After fork: the child begins another file. Threads see the new generation and give up the chunks of their
// parent, which are not mapped in the child.
static void after_fork(void) {
  if (!swap(alive, 0, 2)) {
    while (load(alive) != 1) __builtin_ia32_pause();
    return;
  }
  memset(&shared, 0, sizeof shared); // a thread of the parent may have held the locks
  header = NULL, path[0] = 0, generation++;
  memset(facts_known, 0, sizeof facts_known);
  begun[0] = now(CLOCK_MONOTONIC), begun[1] = now(CLOCK_REALTIME);
  if (state == OPEN) state = UNUSED;
  store(alive, 1);
}

static void forked(void) {
  if (alive == &alive_without) alive_without = 0;
}

extern int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *);

static void watch_forks(void) {
  alive = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (alive == MAP_FAILED || madvise(alive, 4096, MADV_WIPEONFORK) < 0) { // before Linux 4.14
    alive = &alive_without;
    __register_atfork(NULL, NULL, forked, NULL);
  }
  *alive = 1;
  begun[0] = now(CLOCK_MONOTONIC), begun[1] = now(CLOCK_REALTIME);
}
