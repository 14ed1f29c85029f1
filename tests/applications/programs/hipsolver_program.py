"""Calls hipSOLVER through ctypes, with buffers of the caller and without."""
import ctypes
import glob

folder = "/usr/lib/x86_64-linux-gnu/"
solver = ctypes.CDLL(sorted(glob.glob(folder + "libhipsolver.so.[0-9]"))[-1])
hip = ctypes.CDLL(glob.glob(folder + "libamdhip64.so.[0-9]")[0].rsplit("/", 1)[1])
size, pointer, number = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int
VECTORS, UPPER = 202, 121
ELEMENT = 8  # some releases count lwork in elements


def malloc(nbytes):
    p = pointer()
    assert hip.hipMalloc(ctypes.byref(p), size(nbytes)) == 0
    return p


handle = pointer()
assert solver.hipsolverCreate(ctypes.byref(handle)) == 0
a, w, pivots, info = malloc(64 << 20), malloc(1 << 20), malloc(1 << 20), malloc(64)
for n in (10, 300, 2000):
    lwork = number()
    assert solver.hipsolverDgetrf_bufferSize(handle, n, n, a, n, ctypes.byref(lwork)) == 0
    work = malloc(max(ELEMENT * lwork.value, 64))
    assert solver.hipsolverDgetrf(handle, n, n, a, n, work, lwork, pivots, info) == 0
    assert solver.hipsolverDgetrf(handle, n, n, a, n, None, 0, pivots, info) == 0
    assert solver.hipsolverDgetrf(handle, n, n, a, n, work, lwork, pivots, info) == 0
    hip.hipFree(work)
    assert solver.hipsolverDsyevd_bufferSize(handle, VECTORS, UPPER, n, a, n, w, ctypes.byref(lwork)) == 0
    work = malloc(max(ELEMENT * lwork.value, 64))
    print(n, solver.hipsolverDsyevd(handle, VECTORS, UPPER, n, a, n, w, work, lwork, info))
    if n < 1000:  # beyond, hipSOLVER of rocm-7.2 ends the process: the handle grows while an array of it is in use
        print(n, solver.hipsolverDsyevd(handle, VECTORS, UPPER, n, a, n, w, None, 0, info))
    hip.hipFree(work)
solver.hipsolverDestroy(handle)
