// The same three calls, by several ways to find the functions. It prints the statuses.
#include "common.h"
static void use(int (*create)(pointer *), int (*scale)(pointer, int, const double *, double *, int)) {
  pointer h;
  double alpha = 1;
  CHECK(create(&h) == 0);
  int first = scale(h, 1000, &alpha, &alpha, 1), second = scale(h, 2000, &alpha, &alpha, 1);
  printf("%d %d\n", first, second);
}
#if defined DIRECT
int main(void) {
  pointer h;
  double alpha = 1;
  CHECK(rocblas_create_handle(&h) == 0);
  int first = rocblas_dscal(h, 1000, &alpha, &alpha, 1), second = rocblas_dscal(h, 2000, &alpha, &alpha, 1);
  printf("%d %d\n", first, second);
}
#elif defined DATA
static int (*table[])() = {(void *)rocblas_create_handle, (void *)rocblas_dscal};
int main(void) { use((void *)table[0], (void *)table[1]); }
#elif defined PLUGIN
void plugin(void) { use(rocblas_create_handle, rocblas_dscal); }
void direct(void) {
  pointer h;
  double alpha = 1;
  CHECK(rocblas_create_handle(&h) == 0);
  int first = rocblas_dscal(h, 1000, &alpha, &alpha, 1), second = rocblas_dscal(h, 2000, &alpha, &alpha, 1);
  printf("%d %d\n", first, second);
}
#elif defined HOST
// Arguments: a mode of dlopen, libraries. Of a library it calls direct, or else the functions themselves.
int main(int argc, char **argv) {
  for (int i = 2; i < argc; i++) {
    void *l = *argv[1] == 'n' ? dlmopen(LM_ID_NEWLM, argv[i], RTLD_NOW)
                              : dlopen(argv[i], *argv[1] == 'd'   ? RTLD_LAZY | RTLD_LOCAL | RTLD_DEEPBIND
                                                : *argv[1] == 'g' ? RTLD_NOW | RTLD_GLOBAL
                                                                  : RTLD_NOW | RTLD_LOCAL);
    if (!l) return puts(dlerror()), 1;
    void (*direct)(void) = dlsym(l, "direct");
    void *from = *argv[1] == 'g' ? RTLD_DEFAULT : l;
    if (direct) direct(), fflush(NULL);
    else use(dlsym(from, "rocblas_create_handle"), dlsym(from, "rocblas_dscal"));
    CHECK(!dlsym(from, "rocblas_zgemm") && dlerror() && !dlsym(from, "rocblas_nothing"));
    void (*flush)(void *) = dlsym(l, "fflush");
    if (*argv[1] == 'n') flush(NULL); // its C library is another one
  }
}
#elif defined INTERPOSER
int rocblas_dscal(pointer h, int n, const double *alpha, double *x, int incx) {
  int (*next)() = dlsym(RTLD_NEXT, "rocblas_dscal");
  return next(h, n, alpha, x, incx) + 100;
}
#elif defined ALSO_DLSYM
void *dlsym(void *object, const char *name) { // a plain wrapper, as other tools have
  static void *(*next)(void *, const char *);
  if (!next) next = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
  return next(object, name);
}
#endif
