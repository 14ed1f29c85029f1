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


WHO = {"c": "C", "roclua": "Lua", "prepared": "prepared", "device": "t:measure", "host": "its host time", "cupy": "CuPy"}

for batch in (1, 100):
    print(f"\n## {'One problem' if batch == 1 else f'A batch of {batch} problems, by strides'}\n")
    print("| routine | n | " + ", µs | ".join(WHO.values()) + ", µs | Lua / C | over C, µs: Lua | prepared | t:measure |")
    print("|---|---:|" + "---:|" * (len(WHO) + 4))
    for op, b, n in sorted({k[:3] for k in seconds}):
        if b != batch:
            continue
        times = {who: cell(op, b, n, who) for who in WHO}
        c = times["c"]
        over = [times[who] and times[who] - c for who in ("roclua", "prepared", "device")]
        print(f"| {op} | {n} | " + " | ".join(text(v, "{:,.2f}") for v in times.values()) +
              f" | {text(times['roclua'] / c, '{:.3f}')} | " + " | ".join(text(v, "{:.2f}") for v in over) + " |")
