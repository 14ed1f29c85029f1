#!/bin/sh
# Measures the same calls from a Lua script, from C and from CuPy: run.sh FOLDER_OF_CUDA_LIBRARIES [ROCLUA] > results.csv
# Each line is WHO,OP,N,BATCH,SECONDS of one call. table.py makes tables of Markdown from them.
set -e
libraries=$1 roclua=${2:-roclua} here=$(cd "$(dirname "$0")" && pwd)
export LD_LIBRARY_PATH=$libraries # for CuPy to load the same libraries
list=
for n in 16 64 128 256 512 1024 2048 4096 8192 16384; do
  if [ $n -le 512 ]; then repeats=200; elif [ $n -le 2048 ]; then repeats=40; elif [ $n -le 4096 ]; then repeats=10; else repeats=2; fi
  for op in dgetrf dgetrs dgemm sgemm; do
    list="$list $op,$n,1,$repeats"
    [ $n -le 1024 ] && list="$list $op,$n,100,$(( repeats / 10 ))"
  done
done
binary=$(mktemp)
cc -O2 -w -o "$binary" "$here/bench.c" -ldl
for who in 1 2; do # twice, because the speed of the machine can vary
  "$binary" "$libraries" $list
  ROCLUA_CUDA_PATH=$libraries "$roclua" run --platform nvidia --timeout 10m "$here/bench.lua" -- $list
  command -v python3 >/dev/null && python3 -c 'import cupy' 2>/dev/null && python3 "$here/bench.py" $list
done
rm -f "$binary"
