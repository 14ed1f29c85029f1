"""Converts the output of run.sh to tables: table.py < results.csv"""
import collections
import csv
import sys

seconds = collections.defaultdict(list)
for who, op, n, batch, value in csv.reader(sys.stdin):
    seconds[op, int(batch), int(n), who].append(float(value))


def cell(op, batch, n, who):
    values = seconds.get((op, batch, n, who))
    return min(values) * 1e6 if values else None


def text(value, form="{:,.1f}"):
    return "-" if value is None else form.format(value)


for batch in (1, 100):
    print(f"\n## {'One problem' if batch == 1 else f'A batch of {batch} problems, by strides'}\n")
    print("| routine | n | C, µs | roclua, µs | prepared, µs | CuPy, µs | roclua / C | prepared / C | roclua / CuPy |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for op, b, n in sorted({k[:3] for k in seconds}):
        if b != batch:
            continue
        c, ours, prepared, cupy = (cell(op, b, n, who) for who in ("c", "roclua", "prepared", "cupy"))
        times = " | ".join(text(v) for v in (c, ours, prepared, cupy))
        ratios = " | ".join(text(v, "{:.3f}") for v in (ours / c, prepared / c, cupy and ours / cupy))
        print(f"| {op} | {n} | {times} | {ratios} |")
