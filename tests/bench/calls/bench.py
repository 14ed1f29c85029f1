"""The calls of bench.lua through ctypes, with declared argument types: python3 bench.py WHO REPEAT

Prints WHO,CALL,SECONDS of one call: the median of several rounds. Loops and constants are as fast as Python has them.
"""
import ctypes
import statistics
import sys
import time
from ctypes import byref, c_double, c_int, c_size_t, c_void_p

ROUNDS = 9
hip, blas, solver = (ctypes.CDLL(name) for name in sys.argv[3:6])
none = 111


def declare(library, name, *types):
    function = getattr(library, name)
    function.argtypes, function.restype = types, c_int
    return function


pointer = c_void_p
malloc = declare(hip, "hipMalloc", pointer, c_size_t)
create = declare(blas, "rocblas_create_handle", pointer)
start = declare(blas, "rocblas_start_device_memory_size_query", pointer)
stop = declare(blas, "rocblas_stop_device_memory_size_query", pointer, pointer)
set_workspace = declare(blas, "rocblas_set_workspace", pointer, pointer, c_size_t)
dgemm = declare(blas, "rocblas_dgemm", pointer, c_int, c_int, c_int, c_int, c_int, pointer, pointer, c_int, pointer,
                c_int, pointer, pointer, c_int)
dgetrf = declare(solver, "rocsolver_dgetrf", pointer, c_int, c_int, pointer, c_int, pointer, pointer)


def measure(name, loop):
    repeats, seconds = int(sys.argv[2]), []
    loop(1)
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        loop(repeats)
        seconds.append((time.perf_counter() - begin) / repeats)
    print(f"{sys.argv[1]},{name},{statistics.median(seconds):.12f}")


handle, memory, size = c_void_p(), c_void_p(), c_size_t()
create(byref(handle))
malloc(byref(memory), 1 << 20)
one, zero = byref(c_double(1)), byref(c_double(0))


def query(repeats):
    for _ in range(repeats):
        dgetrf(handle, 1024, 1024, None, 1024, None, None)


def gemm(repeats):
    for _ in range(repeats):
        dgemm(handle, none, none, 1, 1, 1, one, memory, 1, memory, 1, zero, memory, 1)


def workspace(repeats):
    for _ in range(repeats):
        set_workspace(handle, memory, 1 << 20)


start(handle)
measure("query", query)
stop(handle, byref(size))
measure("gemm", gemm)
measure("workspace", workspace)
