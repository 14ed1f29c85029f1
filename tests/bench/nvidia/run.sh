#!/bin/sh
# Measures the same calls from C, from a Lua script, by t:measure and from CuPy if it is installed:
#   run.sh FOLDER_OF_CUDA_LIBRARIES [ROCLUA [ORDER...]] > results.csv
# Each line is WHO,OP,N,BATCH,SECONDS of one call; table.py makes tables of Markdown from them. With "quiet" instead of
# a folder the libraries are those of quiet.c, which need no GPU and do nothing: the times are those of the host.
set -e
libraries=$1 roclua=${2:-roclua} here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] && shift 2 || shift $#
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "$libraries" = quiet ]; then
  libraries=$work
  for name in cudart.so.13 nvJitLink.so.13 cublasLt.so.13 cublas.so.13 cusparse.so.12 cusolver.so.12; do
    cc -O2 -w -shared -fPIC -o "$work/lib$name" "$here/quiet.c"
  done
fi
export LD_LIBRARY_PATH=$libraries # for CuPy to load the same libraries
list=
for n in ${*:-16 64 128 256 512 1024 2048 4096 8192 16384}; do
  if [ $n -le 512 ]; then repeats=200; elif [ $n -le 2048 ]; then repeats=40; elif [ $n -le 4096 ]; then repeats=10; else repeats=2; fi
  for op in dgetrf dgetrs dgemm sgemm; do
    list="$list $op,$n,1,$repeats"
    [ $n -le 1024 ] && list="$list $op,$n,100,$(( repeats / 10 ))"
  done
  [ $n -le 1024 ] && list="$list dgemm_graph,$n,1,$repeats dgemm_graph,$n,100,$(( repeats / 10 ))"
done
cc -O2 -w -o "$work/bench" "$here/bench.c" -ldl
export ROCLUA_CUDA_PATH=$libraries
for who in 1 2; do # twice, because the speed of the machine can vary
  "$work/bench" "$libraries" $list
  "$roclua" run --platform nvidia --timeout 10m "$here/bench.lua" -- $list
  "$roclua" run --platform nvidia --timeout 10m --quiet "$here/measure.lua" --set "params.list=$list" \
    --out "json=$work/measured.json" >&2
  python3 "$here/measured.py" "$work/measured.json"
  python3 -c 'import cupy' 2>/dev/null && python3 "$here/bench.py" $list || true
done
