// Many calls, as the first argument says. The number n of dscal counts a thread's calls.
#define _GNU_SOURCE
#include "common.h"
#include <setjmp.h>
#include <unwind.h>
#include <limits.h>
#include <signal.h>
#include <ucontext.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
static void scale(pointer h, int from, int to) {
  double alpha = 1;
  for (int i = from; i < to; i++) rocblas_dscal(h, i, &alpha, NULL, 1);
}
static int calls;
static void *thread(void *unused) {
  pointer h;
  rocblas_create_handle(&h);
  scale(h, 0, calls);
  rocblas_destroy_handle(h);
  return NULL;
}
static int status_of_child;
static void *forking_thread(void *h) { // ends in the child, too
  scale(h, 0, 3);
  if (fork() > 0) wait(&status_of_child);
  return NULL;
}
extern void (*fake_hook)(void);
static jmp_buf place;
static void *innermost;
static void leave(void) { longjmp(place, 1); }
static int in_main(struct _Unwind_Context *c, void *found) {
  *(int *)found |= _Unwind_GetIP(c) - (uintptr_t)innermost < 4096; // a frame after main
  return 0;
}
static void unwind(void) {
  int found = 0;
  _Unwind_Backtrace((void *)in_main, &found);
  puts(found ? "main is found" : "main is not found");
}
static pointer shared_handle;
static void *second_thread(void *unused) {
  double alpha = 1;
  return hipblasDscal(shared_handle, -77, &alpha, NULL, 1), NULL;
}
static void in_two_threads(void) { // the first time many calls inside of this one, the second time the end
  static int times;
  pthread_t one;
  pointer p;
  if (times++) raise(SIGKILL);
  for (int i = 0; i < calls; i++) hipMalloc(&p, i);
  pthread_create(&one, NULL, second_thread, NULL), pthread_join(one, NULL);
}
static int varied; // addresses
static double seconds(int n, pointer h, int distinct) {
  struct timespec a, b;
  double alpha = 1;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
  for (int i = 0; i < n; i++) rocblas_dscal(h, i % distinct, &alpha, (double *)(varied * (i * 7919l % 65536 << 16)), 1);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
  return b.tv_sec - a.tv_sec + 1e-9 * (b.tv_nsec - a.tv_nsec);
}
static __thread int steps; // instructions until a signal handler makes a call
static void on_step(int unused, siginfo_t *info, void *context) {
  if (steps-- > 0) return;
  rocblas_dscal(NULL, -2, NULL, NULL, 1);
  ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~0x100;
}
static void step(void *n) {
  steps = (intptr_t)n;
  __asm__("pushfq; orl $0x100, (%rsp); popfq");
}
static pthread_key_t after_recorder;
static void stop_steps(void *unused) { __asm__("pushfq; andl $~0x100, (%rsp); popfq"); }
extern char __dso_handle;
extern int __cxa_thread_atexit_impl(void (*)(void *), void *, void *);
static void *first_call(void *n) {
  step(n);
  scale(NULL, 0, 1);
  return stop_steps(NULL), NULL;
}
static void *last_call(void *n) {
  pthread_setspecific(after_recorder, &steps);
  scale(NULL, 0, 1);
  __cxa_thread_atexit_impl(step, n, &__dso_handle);
  return NULL;
}
static void *timed(void *least) { // the least time of a call in nanoseconds
  pointer h;
  rocblas_create_handle(&h);
  double all = 1;
  for (int i = 0; i < 20; i++) {
    double s = seconds(calls / 20, h, 16);
    all = s < all ? s : all;
  }
  return *(double *)least = all * 1e9 / (calls / 20), NULL;
}
int main(int argc, char **argv) {
  pointer h;
  const char *what = argv[1];
  int n = atoi(argv[2]);
  if (!strcmp(what, "version")) return rocblas_get_version_string((char[64]){0}, 64);
  if (!strcmp(what, "stack")) { // the first call is one of a thread with a small stack
    pthread_attr_t attributes;
    pthread_t one;
    calls = 3;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, n);
    CHECK(pthread_create(&one, &attributes, thread, NULL) == 0);
    return pthread_join(one, NULL);
  }
  rocblas_create_handle(&h);
  if (!strcmp(what, "forever")) { // prints its ID and then how many calls ended; the reader kills it
    dprintf(1, "%d\n", getpid());
    for (int i = 0;; i += n) {
      scale(h, i, i + n);
      dprintf(1, "%d\n", i + n);
    }
  } else if (!strcmp(what, "count")) {
    scale(h, 0, n);
    puts("done");
  } else if (!strcmp(what, "threads")) {
    pthread_t all[64];
    calls = n;
    for (int i = 0; i < 64; i++) pthread_create(&all[i], NULL, thread, NULL);
    for (int i = 0; i < 64; i++) pthread_join(all[i], NULL);
  } else if (!strcmp(what, "sequence")) {
    pthread_t one;
    calls = 5;
    for (int i = 0; i < n; i++) pthread_create(&one, NULL, thread, NULL), pthread_join(one, NULL);
  } else if (!strcmp(what, "unwind")) { // through the wrapper, and out of calls by longjmp
    innermost = (void *)main;
    fake_hook = unwind;
    scale(h, -77, -76);
    fake_hook = leave;
    for (volatile int i = 0; i < n; i++)
      if (!setjmp(place)) scale(h, -77, -76);
    scale(h, 0, 3);
  } else if (!strcmp(what, "killed")) { // while two threads are in calls on one handle
    shared_handle = h, calls = n;
    fake_hook = in_two_threads;
    scale(h, -77, -76);
  } else if (!strcmp(what, "cost")) { // of a call in one thread, or in as many as the second argument says
    pthread_t all[64];
    double least[64], sum = 0;
    int threads = argc > 3 ? atoi(argv[3]) : 1;
    calls = n, varied = argc > 4;
    for (int i = 0; i < threads; i++) pthread_create(&all[i], NULL, timed, &least[i]);
    for (int i = 0; i < threads; i++) pthread_join(all[i], NULL), sum += least[i];
    printf("%.1f\n", sum / threads);
  } else if (!strcmp(what, "unmapped")) { // scalars on pages that can be read, and later cannot; nothing reads them
    double *alpha = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *alpha = 1;
    rocblas_dscal(h, 1, alpha, NULL, 1);
    munmap(alpha, 4096);
    rocblas_dscal(h, 0, alpha, NULL, 1);
  } else if (!strcmp(what, "child")) {
    pthread_t one;
    pthread_create(&one, NULL, forking_thread, h), pthread_join(one, NULL);
    CHECK(status_of_child == 0);
  } else if (!strcmp(what, "objects")) { // many live streams, then a handle
    pointer s;
    for (int i = 0; i < n; i++) hipStreamCreate(&s);
    rocblas_create_handle(&h);
    rocblas_set_stream(h, s);
    scale(h, 0, 3);
  } else if (!strcmp(what, "sizes")) { // a count that no function reads
    rocblas_set_optimal_device_memory_size_impl(NULL, 1ul << 40, 1ul, 2ul);
    scale(h, 0, 3);
  } else if (!strcmp(what, "cut")) { // what it writes is cut by another program
    scale(h, 0, n);
    truncate(argv[3], atoi(argv[4]));
    scale(h, 0, n);
    puts("done");
  } else if (!strcmp(what, "signals")) { // in each instruction of the begin and the end of a thread
    pthread_t one;
    struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
    pthread_key_create(&after_recorder, stop_steps);
    sigaction(SIGTRAP, &action, NULL);
    scale(h, 0, 1);
    for (intptr_t i = 0; i < n; i++) {
      pthread_create(&one, NULL, first_call, (void *)i), pthread_join(one, NULL);
      pthread_create(&one, NULL, last_call, (void *)i), pthread_join(one, NULL);
    }
    puts("done");
  } else if (!strcmp(what, "close")) { // as daemons do
    scale(h, 0, n);
    for (int i = 3; i < 1000; i++) close(i);
    int fd = open("/dev/null", 1);
    chdir("/");
    scale(h, n, 2 * n);
  } else if (!strcmp(what, "fork")) {
    scale(h, 0, 1);
    if (fork() == 0) {
      scale(h, 10, 12);
      if (fork() == 0) {
        scale(h, 20, 23);
        exit(0);
      }
      wait(NULL);
      _exit(0);
    }
    wait(NULL);
    if (syscall(SYS_fork) == 0) {
      scale(h, 30, 34);
      _exit(0);
    }
    wait(NULL);
    if (vfork() == 0) _exit(0);
    if (vfork() == 0) {
      execl(argv[0], argv[0], "count", "5", NULL);
      _exit(1);
    }
    wait(NULL);
    scale(h, 1, 3);
    execl(argv[0], argv[0], "count", "6", NULL);
  }
}
