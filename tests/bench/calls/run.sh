#!/bin/sh
# Measures single calls from C, from ctypes and from Lua: run.sh ROOT [ROCLUA] > results.csv
# ROOT is the folder of make conformance-root (.conformance/rocm-7.2); python3 is installed there if it is missing. Each
# line is WHO,CALL,SECONDS of one call. "amd" is roclua with the library of ROOT, "cpu" is roclua with its model.
set -e
root=$1 roclua=$(realpath "${2:-$(command -v roclua)}") here=$(cd "$(dirname "$0")" && pwd)
folder=/conformance/calls repeats=20000
mkdir -p "$root$folder"
cp "$here"/bench.* "$roclua" "$root$folder"
[ -e "$root/usr/bin/python3" ] ||
  chroot "$root" apt-get install -y -qq --no-install-recommends python3 >/dev/null
chroot "$root" gcc -O2 -o $folder/bench $folder/bench.c -L/conformance -l:libamdhip64.so.7 -lrocblas -lrocsolver
inside() { chroot "$root" env HIP_ARCH=gfx90a LD_LIBRARY_PATH=/conformance "$@"; }
program=$folder/$(basename "$roclua")
for round in 1 2 3; do # because the speed of the machine varies
  inside $folder/bench c $repeats
  inside python3 $folder/bench.py ctypes $repeats libamdhip64.so.7 librocblas.so.5 librocsolver.so.0
  inside $program run --timeout 5m --platform amd $folder/bench.lua -- amd $repeats
  inside $program run --timeout 5m $folder/bench.lua -- cpu $repeats
done
