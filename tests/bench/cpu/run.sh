#!/bin/sh
# Measures the same calls by OpenBLAS from C, and by the kernels in Go from a Lua script:
# run.sh [ROCLUA [PASSES [TYPES]]] > results.csv
# Each line is WHO,OP,N,SECONDS of one call. table.py makes tables of Markdown from them. Both sides
# alternate for each routine, and the shortest call counts, because other programs can use the machine.
# OPENBLAS_NUM_THREADS sets the number of threads of OpenBLAS, GOMAXPROCS that of Go, ORDERS the orders.
set -e
roclua=${1:-roclua} passes=${2:-2} types=${3:-s d c z} here=$(cd "$(dirname "$0")" && pwd)
binary=$(mktemp)
cc -O2 -w -o "$binary" "$here/bench.c" -ldl
for pass in $(seq "$passes"); do
  for type in $types; do
    for op in gemm trsm getrf potrf geqrf getrs getri; do
      list=
      for n in ${ORDERS:-64 256 1024 2048}; do
        if [ "$n" -le 64 ]; then repeats=101; elif [ "$n" -le 256 ]; then repeats=31; elif [ "$n" -le 1024 ]; then repeats=9; else repeats=5; fi
        list="$list $type$op,$n,$repeats"
      done
      "$binary" $list
      "$roclua" run --timeout 10m "$here/bench.lua" -- go $list
    done
  done
done
rm -f "$binary"
