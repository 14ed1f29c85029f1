// Begins the logging of rocSOLVER when an application creates its first handle of rocBLAS, for applications that do not
// call rocsolver_log_begin.
//
//   cc -shared -fPIC -O2 -o logbegin.so logbegin.c -ldl
//   ROCSOLVER_LAYER=1 LD_PRELOAD=./logbegin.so ./app 2> app.log
//
// ROCSOLVER_LIB names the library if it is not found as librocsolver.so.0.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void end_log(void)
{
    int (*end)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "rocsolver_log_end");
    if(end)
        end();
}

static void begin_log(void)
{
    const char* name = getenv("ROCSOLVER_LIB");
    void* library = dlopen(name ? name : "librocsolver.so.0", RTLD_NOW | RTLD_GLOBAL);
    int (*begin)(void) = library ? (int (*)(void))dlsym(library, "rocsolver_log_begin") : NULL;
    if(!begin)
    {
        fprintf(stderr, "logbegin: rocSOLVER is not logged: %s\n", dlerror());
        return;
    }
    begin();
    atexit(end_log);
}

int rocblas_create_handle(void** handle)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int (*create)(void**) = (int (*)(void**))dlsym(RTLD_NEXT, "rocblas_create_handle");
    pthread_once(&once, begin_log);
    return create ? create(handle) : 1; // rocblas_status_invalid_handle
}
