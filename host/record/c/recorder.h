// The recorder: a library that a program loads before its own (LD_PRELOAD). It has a wrapper for each function of the
// tables, which calls the function and writes what it was called with to a file.
#ifndef RECORDER_H
#define RECORDER_H
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define hidden __attribute__((visibility("hidden")))
#define load(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define store(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#define add(p, v) __atomic_fetch_add(p, v, __ATOMIC_RELAXED)

static int swap(uint64_t *p, uint64_t from, uint64_t to) {
  return __atomic_compare_exchange_n(p, &from, to, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

// A function of the table. Its number is also the one of its wrapper.
struct function {
  uint32_t name, signature; // places in texts
  uint8_t library;          // enum library
  uint8_t words;            // arguments that are passed in memory
  uint8_t special;          // enum special
  uint8_t kind;             // enum call
};
enum library { HIP, ROCBLAS, ROCSOLVER, LAYER };
// A quiet call is not recorded. A wait or a copy inside a routine is counted. Of these, and of the calls that ask for an error, those that fail are recorded; of those that launch a kernel, those with an event.
enum call { QUIET, CALL, ROUTINE, WAIT, COPY, LAUNCH, FAILURE };
enum special { NOTHING, CREATE, GROW, SET_STREAM, SET_POINTER_MODE, DESTROY, SET_DEVICE, CONTEXT, GET_PROC_ADDRESS, VARIADIC };

// table.h, which the program makes, has FUNCTIONS, functions, texts and hash table of names.
#include "table.h"

// ALIASES wrappers more are for functions that several loaded libraries have.
// The compiler is given ALIASES.

// What calls inside of a call depend on.
struct level {
  uint8_t depth;   // enclosing calls that are recorded
  uint8_t record;  // whether the call is recorded
  uint8_t failure; // whether it is recorded if it fails
  uint8_t hip;     // whether it is one of HIP
  uint8_t inside;  // whether it or an enclosing call is one of rocBLAS or rocSOLVER
  uint8_t routine; // whether it or an enclosing call is a routine
};

// What thunk.S saves of a call. The offsets are used there.
struct frame {
  uint64_t integers[6];     // 0
  double reals[8];          // 48
  uint32_t wrapper, words;  // 112, 116
  uint64_t result;          // 120
  uint64_t *stack;          // 128: arguments in memory, after the return address
  struct thread *thread;    // NULL if the call is not recorded
  const struct function *function;
  uint64_t start;
  uint64_t object;          // number of the handle that is the first argument, or of the object that the call destroys
  struct object *handle;    // that is the first argument; NULL for none
  uint32_t waits, copies;   // inside
  struct level level;
  uint8_t levels;           // enclosing calls
};

_Static_assert(sizeof(struct frame) <= 208, "FRAME in thunk.S");

#define LEVELS 32
enum count { CALLS, HANDLES_CREATED, GROWTHS, COUNTS };

// A call that has not ended, in the header of a chunk.
struct running {
  uint32_t function, handle; // the number of the function, from 1; 0 for none
  uint64_t start;
};

#define SEEN 1024
#define ADDRESSES 16 // arguments of a function, at most
struct seen {
  uint32_t hash, place;
};

// The state of a thread.
struct thread {
  uint8_t *chunk; // mapped; NULL before the first and after a failure
  uint32_t used;
  uint32_t number;        // of the thread
  uint32_t slot;          // of the threads that share chunks, one after the other
  uint32_t sequence, generation;
  int taken;              // from a thread that ended: the chunk does not have the number yet
  uint64_t clock;         // end of the latest call in the chunk
  struct thread *next;    // in the list of those whose threads ended
  uint8_t levels;         // calls that have not ended
  struct level level[LEVELS];
  struct frame *frames[LEVELS]; // their frames. One that was left by an exception or longjmp is not valid.
  int busy;               // in the recorder itself: calls are not recorded
  int device;             // the current device
  uint64_t pages[8];      // pages that were read
  uint32_t known[(FUNCTIONS + 31) / 32]; // functions of which the chunk has a record
  struct seen shapes[SEEN];
  uint64_t addresses[SEEN][ADDRESSES]; // of the latest call of each shape
};

#define NOT_READY 600 // hipErrorNotReady

enum kind { HANDLES, STREAMS, EVENTS, GRAPHS, KINDS };

hidden void *real_function(const struct frame *f, uintptr_t caller);
#endif
