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
#elif defined LATER_HIP // functions of HIP that the table does not have, and one that it ignores
int hipNotYet(void) { return 0; }
int hipNorThis(void) { return 0; }
int hipInit(unsigned flags) { return 0; }
#elif defined LATER
int hipNotYet(void), hipInit(unsigned);
int hipHelper(void) { return 0; }
int (*helper)(void) = hipHelper;
int main(void) {
  pointer h;
  CHECK(dlsym(RTLD_DEFAULT, "hipNorThis") && !dlsym(RTLD_DEFAULT, "hipNothing"));
  CHECK(rocblas_create_handle(&h) == 0 && helper() == 0 && hipInit(0) == 0 && hipNotYet() == 0);
}
#elif defined DATA
static int (*table[])() = {(void *)rocblas_create_handle, (void *)rocblas_dscal};
int main(void) { use((void *)table[0], (void *)table[1]); }
#elif defined PLUGIN
#ifdef PLACES
// Calls of dscal, each from another place.
__asm__(".globl many_places\nmany_places: push %rbx\n.rept 40000\nxor %edi, %edi\nmov $-2, %esi\nxor %edx, %edx\n"
        "xor %ecx, %ecx\ncall rocblas_dscal@PLT\n.endr\npop %rbx\nret\n");
#endif
void plugin(void) { use(rocblas_create_handle, rocblas_dscal); }
void direct(void) {
  pointer h;
  double alpha = 1;
  CHECK(rocblas_create_handle(&h) == 0);
  int first = rocblas_dscal(h, 1000, &alpha, &alpha, 1), second = rocblas_dscal(h, 2000, &alpha, &alpha, 1);
  printf("%d %d\n", first, second);
}
#elif defined HOST
// Returns how often a library was opened, and closes it.
static int opened(void *l, const char *file) {
  int n = 0;
  for (void *again; again = dlopen(file, RTLD_LAZY | RTLD_NOLOAD); n++) dlclose(again), dlclose(l);
  return n;
}
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
    if (*argv[1] == 'p') {
      void (*many)(void) = dlsym(l, "many_places");
      many(), many();
      return printf("%d\n", opened(l, argv[i])), 0;
    }
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
