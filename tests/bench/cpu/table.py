"""Makes tables of Markdown from the lines of run.sh on the standard input: for each routine and order the
shortest call of the passes, and the ratio to OpenBLAS."""
import sys

ORDERS = ["gemm", "trsm", "getrf", "potrf", "geqrf", "getrs", "getri"]
best = {}
for line in sys.stdin:
    who, op, n, seconds = line.strip().split(",")
    key = (int(n), ORDERS.index(op[1:]), "sdcz".index(op[0]), op)
    times = best.setdefault(key, {})
    times[who] = min(times.get(who, 1e9), float(seconds) * 1e6)

print("| routine | n | OpenBLAS, µs | Go, µs | Go / OpenBLAS |")
print("|---|---:|---:|---:|---:|")
for (n, _, _, op), t in sorted(best.items()):
    c, go = t["c"], t["go"]
    print(f"| {op} | {n} | {c:,.1f} | {go:,.1f} | {go / c:.2f} |")
