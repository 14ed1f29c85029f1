"""Measures plain calls, captured calls and launches of graphs: python3 run.py ROCLUA [OLDER] > table

The programs run in turn for each kind of call, and begin every other round in the other order. The table has medians
over the rounds. An older program without stream capture is measured with plain calls only.
"""
import os
import statistics
import subprocess
import sys

ROUNDS = int(os.environ.get("ROUNDS", 15))
PLAIN = {"fill": "hip.memset_async", "scal": "rocblas.dscal of one element", "malloc": "hip.malloc and hip.free",
         "query": "hip.stream_query", "event": "hip.event_record"}
GRAPHS = {"capture": "a captured hip.memset_async", "1": "a launch of a graph of 1 node",
          "10": "a node of a graph of 10", "1000": "a node of a graph of 1,000"}
script = os.path.dirname(os.path.abspath(__file__)) + "/bench.lua"
programs = [os.path.abspath(p) for p in sys.argv[1:3]]


def measure(program, kind):
    """Returns the seconds of one call."""
    command = [program, "run", "--quiet", "--isolation", "case", script, "--", kind]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[0])


results = {}
for r in range(ROUNDS):
    for kind in [*PLAIN, *GRAPHS]:
        order = [*enumerate(programs if kind in PLAIN else programs[:1])]
        for i, program in order if r % 2 == 0 else reversed(order):
            results.setdefault((kind, i), []).append(measure(program, kind))

print("| operation | µs | a second | before, µs | now / before |")
print("|---|---:|---:|---:|---:|")
for kind, title in {**PLAIN, **GRAPHS}.items():
    now = statistics.median(results[kind, 0])
    row = f"| {title} | {now * 1e6:.2f} | {1 / now:,.0f} |"
    if (kind, 1) in results:
        before = statistics.median(results[kind, 1])
        row += f" {before * 1e6:.2f} | {now / before:.3f} |"
    else:
        row += " - | - |"
    print(row)
