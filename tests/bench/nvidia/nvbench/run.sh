#!/bin/sh
# Measures the same calls by nvbench and by t:measure, and prints the medians as a table of Markdown:
#   run.sh FOLDER_OF_CUDA_LIBRARIES PROGRAM [ROCLUA]
# build.sh makes PROGRAM from calls.cu and the sources of nvbench. They take turns twice.
set -e
here=$(cd "$(dirname "$0")" && pwd)
export CUDA_LIBRARIES=$1 ROCLUA_CUDA_PATH=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
list=
for n in 16 1024 4096; do list="$list dgemm,$n,1,1 sgemm,$n,1,1 dgetrs,$n,1,1"; done
for turn in 1 2; do
  "$2" --devices 0 --throttle-threshold 0 --timeout 3 --json "$work/nvbench.json" > "$work/log" || { cat "$work/log"; exit 1; }
  "${3:-roclua}" run --platform nvidia --timeout 10m --quiet "$here/../measure.lua" --set "params.list=$list" \
    --set params.caches=both --out "json=$work/roclua.json" >&2
  python3 "$here/table.py" "$work/nvbench.json" "$work/roclua.json"
done
