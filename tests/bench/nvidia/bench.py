"""The same calls as bench.lua through CuPy: python3 bench.py OP,N,BATCH,REPEAT ..."""
import statistics
import sys

import cupy as cp
import cupyx.scipy.linalg as linalg

ROUNDS = 7


def matrix(n, batch, dtype):
    if n <= 2048:
        one = cp.random.rand(n, n).astype(dtype) * 2 - 1 + 2 * n * cp.eye(n, dtype=dtype)
    else:
        one = cp.eye(n, dtype=dtype)
    return one if batch == 1 else cp.stack([one] * batch)


def call(op, n, batch):
    if op.endswith("_graph"):
        return None  # CuPy captures only its own streams
    a = matrix(n, batch, cp.float32 if op[0] == "s" else cp.float64)
    if "gemm" in op:
        b, c = a.copy(), cp.empty_like(a)
        return lambda: cp.matmul(a, b, out=c)
    if op == "dgetrf":
        if batch > 1:
            return None  # CuPy has no batched factorization
        return lambda: linalg.lu_factor(a, overwrite_a=True, check_finite=False)
    if batch > 1:
        x = cp.zeros((batch, n, 1))
        return lambda: cp.linalg.solve(a, x)  # factorizes as well: CuPy has no batched solve from factors
    factors, x = linalg.lu_factor(a, check_finite=False), cp.zeros(n)
    return lambda: linalg.lu_solve(factors, x, check_finite=False)


def measure(op, n, batch, repeats):
    f = call(op, n, batch)
    if f is None:
        return
    f()
    cp.cuda.Device().synchronize()
    start, stop, seconds = cp.cuda.Event(), cp.cuda.Event(), []
    for _ in range(ROUNDS):
        start.record()
        for _ in range(repeats):
            f()
        stop.record()
        stop.synchronize()
        seconds.append(cp.cuda.get_elapsed_time(start, stop) / 1000 / repeats)
    print(f"cupy,{op},{n},{batch},{statistics.median(seconds):.9f}", flush=True)
    cp.get_default_memory_pool().free_all_blocks()


for what in sys.argv[1:]:
    op, n, batch, repeats = what.split(",")
    measure(op, int(n), int(batch), int(repeats))
