"""Calls rocBLAS and rocSOLVER through ctypes: size queries, workspaces of all schemes, and shortages."""
import ctypes
import glob

folder = "/usr/lib/x86_64-linux-gnu/"
blas = ctypes.CDLL(glob.glob(folder + "librocblas.so.[0-9]")[0])
solver = ctypes.CDLL(glob.glob(folder + "librocsolver.so.[0-9]")[0])
hip = ctypes.CDLL(glob.glob(folder + "libamdhip64.so.[0-9]")[0].rsplit("/", 1)[1])
size, pointer = ctypes.c_size_t, ctypes.c_void_p


def malloc(nbytes):
    p = pointer()
    assert hip.hipMalloc(ctypes.byref(p), size(nbytes)) == 0
    return p


def query(handle, *calls):
    blas.rocblas_start_device_memory_size_query(handle)
    for f, *args in calls:
        f(handle, *args)
    need = size()
    blas.rocblas_stop_device_memory_size_query(handle, ctypes.byref(need))
    return need.value


handle = pointer()
blas.rocblas_create_handle(ctypes.byref(handle))
a, b, pivots, info = malloc(64 << 20), malloc(64 << 20), malloc(1 << 20), malloc(64)
one = ctypes.c_double(1)
for n in (10, 100, 1000, 2000):
    getrf = solver.rocsolver_dgetrf, n, n, a, n, pivots, info
    getrs = solver.rocsolver_dgetrs, 111, n, 1, a, n, pivots, b, n
    syevd = solver.rocsolver_dsyevd, 211, 121, n, a, n, b, b, info
    trsm = blas.rocblas_dtrsm, 141, 121, 111, 131, n, n, ctypes.byref(one), a, n, b, n
    need = query(handle, getrf, getrs, syevd, trsm)
    print(n, need)
    for f, *args in (getrf, getrs, syevd, trsm):
        f(handle, *args)
    workspace = malloc(max(need, 64))
    for nbytes in (need, need // 2, 64):
        blas.rocblas_set_workspace(handle, workspace, size(nbytes))
        print([f(handle, *args) for f, *args in (getrf, getrs, syevd, trsm)])
    blas.rocblas_set_workspace(handle, None, size(0))
    print([f(handle, *args) for f, *args in (getrf, syevd, trsm)])
    blas.rocblas_set_device_memory_size(handle, size(need // 3))
    print([f(handle, *args) for f, *args in (getrf, syevd, trsm)])
    blas.rocblas_set_device_memory_size(handle, size(0))
    blas.rocblas_set_pointer_mode(handle, 1)
    blas.rocblas_dtrsm(handle, 141, 121, 111, 131, n, n, b, a, n, b, n)
    blas.rocblas_set_pointer_mode(handle, 0)
    hip.hipFree(workspace)
blas.rocblas_destroy_handle(handle)
