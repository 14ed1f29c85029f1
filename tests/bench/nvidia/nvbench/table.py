"""Compares the medians of nvbench and of t:measure: table.py NVBENCH.json ROCLUA.json

calls.cu wrote the first file with --json, measure.lua the second one with --out json and caches = "both". nvbench's
time with hot caches is the mean of a batch. Noise is the relative standard deviation of nvbench's isolated calls.
"""
import json
import sys

COLD = ("nv/cold/time/gpu/median", "nv/cold/time/gpu/mean")
HOT = ("nv/batch/time/gpu/mean", "own/batch/time/gpu/mean")  # the second one where calls wait for the device
NOISE = ("nv/cold/time/gpu/stdev/relative",)


def nvbench(path):
    """The times in seconds and the noise of each case, by operation and order."""
    times = {}
    for benchmark in json.load(open(path, encoding="utf-8"))["benchmarks"]:
        for state in benchmark["states"] or ():
            n = next(axis["value"] for axis in state["axis_values"] if axis["name"] == "n")
            values = {summary["tag"]: float(field["value"]) for summary in state["summaries"] or ()
                      for field in summary.get("data", ())
                      if field["name"] == "value" and field["type"] in ("float64", "int64")}
            times[benchmark["name"], int(n)] = [next((values[tag] for tag in tags if tag in values), None)
                                                for tags in (COLD, HOT, NOISE)]
    return times


def roclua(path):
    """The medians of the device in seconds, by operation, order, and cold or hot."""
    times = {}
    for case in json.load(open(path, encoding="utf-8"))["cases"]:
        for measured in case.get("measurements", []):
            name, caches = measured["name"].rsplit(".", 1)
            op, n, _ = name.split(",")
            times[op, int(n), caches] = measured["device"]["median"]
    return times


def cells(theirs, ours):
    if not theirs or not ours:
        return ["-"] * 3
    return [f"{theirs * 1e6:,.2f}", f"{ours * 1e6:,.2f}", f"{ours / theirs:.3f}"]


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: table.py NVBENCH.json ROCLUA.json")
    ours = roclua(sys.argv[2])
    print("| call | n | cold, µs: nvbench | t:measure | ratio | hot, µs: nvbench | t:measure | ratio | noise |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for (op, n), (cold, hot, noise) in nvbench(sys.argv[1]).items():
        row = cells(cold, ours.get((op, n, "cold"))) + cells(hot, ours.get((op, n, "hot")))
        print("|", " | ".join([op, str(n)] + row + ["-" if noise is None else f"{noise:.1%}"]), "|")


if __name__ == "__main__":
    main()
