// A HIP runtime without a GPU. With it the real rocBLAS and rocSOLVER create handles, answer size queries, check
// arguments and manage workspace as on a device. Device memory is host memory with a capacity, streams and events are
// only identifiers, and kernels do not run, except the ones in zeros.c. A log has the memory calls of the libraries.
//
// Environment: HIP_DEVICES is how many devices there are. Of each, HIP_ARCH is the architecture, HIP_CAPACITY the bytes
// of memory and HIP_COMPUTE_UNITS the compute units; the first two are lists by device if they have commas. HIP_RELEASE
// is the major version of HIP, for differences between releases.
#define _GNU_SOURCE
#include "types.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#ifndef HIP_RELEASE
#define HIP_RELEASE 7
#endif

// lock protects everything that threads share. Each function that programs call takes it first, unless it uses nothing
// that is shared, or only calls another one. Functions that are static expect that the caller has it, but those that
// launches call take it themselves, where they need it.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void unlock(char *unused) { pthread_mutex_unlock(&lock); }

// HOLD locks until the end of the function.
#define HOLD pthread_mutex_lock(&lock); __attribute__((cleanup(unlock))) char hold

#include "errors.c"
#include "log.c"
#include "blocks.c"
#include "capture.c"
#include "graph.c"
#include "zeros.c"
#include "device.c"
#include "memory.c"
#include "copy.c"
#include "stream.c"
#include "kernel.c"
#ifdef HIP_STUBS
#include "stubs.c"
#endif
