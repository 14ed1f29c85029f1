"""Measures plain calls, captured calls and launches of graphs: python3 run.py ROCLUA [OLDER] > table

Every kind runs once in each round, with the two programs in turn. The processor time of a call is that of a run with
many calls less that of a run with none. The table has medians. An older program without stream capture is measured with
plain calls only.
"""
import os
import statistics
import sys

ROUNDS = int(os.environ.get("ROUNDS", 15))
COUNT = int(os.environ.get("COUNT", 100000))
PLAIN = {"fill": "hip.memset_async", "scal": "rocblas.dscal of one element", "malloc": "hip.malloc and hip.free",
         "query": "hip.stream_query", "event": "hip.event_record"}
GRAPHS = {"capture": "a captured hip.memset_async", "1": "a node of a graph of 1, launched",
          "10": "a node of a graph of 10, launched", "1000": "a node of a graph of 1,000, launched"}
script = os.path.dirname(os.path.abspath(__file__)) + "/bench.lua"
programs = [os.path.abspath(p) for p in sys.argv[1:3]]


def processor(program, kind, count):
    """Returns the processor seconds of one run."""
    command = [program, "run", "--quiet", "--isolation", "case", "--blas", "go", script, "--", kind, str(count)]
    null = os.open(os.devnull, os.O_RDWR)
    child = os.posix_spawn(program, command, os.environ, file_actions=[
        (os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1, 2)])
    _, status, usage = os.wait4(child, 0)
    os.close(null)
    if status != 0:
        sys.exit(f"{' '.join(command)} ended with {status}")
    return usage.ru_utime + usage.ru_stime


results = {}
for _ in range(ROUNDS):
    for kind in [*PLAIN, *GRAPHS]:
        for i, program in enumerate(programs if kind in PLAIN else programs[:1]):
            seconds = processor(program, kind, COUNT) - processor(program, kind, 0)
            results.setdefault((kind, i), []).append(seconds / COUNT)

print("| operation | µs | operations per second | older, µs | new / older |")
print("|---|---:|---:|---:|---:|")
for kind, title in {**PLAIN, **GRAPHS}.items():
    now = statistics.median(results[kind, 0])
    row = f"| {title} | {now * 1e6:.2f} | {1 / now:,.0f} |"
    if (kind, 1) in results:
        before = statistics.median(results[kind, 1])
        ratios = (a / b for a, b in zip(results[kind, 0], results[kind, 1]))
        row += f" {before * 1e6:.2f} | {statistics.median(ratios):.3f} |"
    else:
        row += " - | - |"
    print(row)
