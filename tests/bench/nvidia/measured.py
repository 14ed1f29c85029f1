"""Writes the measurements of measure.lua as run.sh writes times: measured.py RESULTS.json"""
import json
import sys

for case in json.load(open(sys.argv[1]))["cases"]:
    for m in case.get("measurements", []):
        print(f"device,{m['name']},{m['device']['median']:.9f}")
        print(f"host,{m['name']},{m['host']['median']:.9f}")
