// Many calls, as the first argument says. The number n of dscal counts the calls of a thread.
#define _GNU_SOURCE
#include "common.h"
#include <setjmp.h>
#include <unwind.h>
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
static double seconds(int n, pointer h, int distinct) {
  struct timespec a, b;
  double alpha = 1;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
  for (int i = 0; i < n; i++) rocblas_dscal(h, i % distinct, &alpha, NULL, 1);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
  return b.tv_sec - a.tv_sec + 1e-9 * (b.tv_nsec - a.tv_nsec);
}
int main(int argc, char **argv) {
  pointer h;
  const char *what = argv[1];
  int n = atoi(argv[2]);
  if (!strcmp(what, "version")) return rocblas_get_version_string((char[64]){0}, 64);
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
  } else if (!strcmp(what, "cost")) { // the least time of a call in nanoseconds
    double least = 1;
    for (int i = 0; i < 20; i++) {
      double s = seconds(n / 20, h, 16);
      least = s < least ? s : least;
    }
    printf("%.1f\n", least * 1e9 / (n / 20));
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
