#!/bin/bash
# Builds nvbench-calls from the sources of nvbench, fmt and nlohmann/json:
#   build.sh NVBENCH_SOURCE FMT_SOURCE JSON_SOURCE
# Needs nvcc of CUDA 12 or 13 and a g++ which that nvcc accepts (CUDA 12.4: up to 13).
# From the environment: NVCC, CXX, BUILD (the folder for object files),
# ARCHITECTURE (90) and NVBENCH_COMMIT (only recorded in the program).
# No CMake, no CUPTI, no NVML; the CUDA runtime is linked statically.
set -euo pipefail

[ $# = 3 ] || { echo "usage: $0 NVBENCH_SOURCE FMT_SOURCE JSON_SOURCE" >&2; exit 2; }
nvbench=$(realpath "$1") fmt=$(realpath "$2") json=$(realpath "$3")
here=$(dirname "$(realpath "$0")")
nvcc=${NVCC:-nvcc} cxx=${CXX:-g++} build=${BUILD:-$here/build} arch=${ARCHITECTURE:-90}
commit=${NVBENCH_COMMIT:-unknown}
mkdir -p "$build/include/nvbench/detail" "$build/include/nvbench/internal"

# The headers that nvbench's CMake files would write.
sed -e 's/^#cmakedefine NVBENCH_HAS_NVML$//' -e 's/^#cmakedefine NVBENCH_HAS_CUPTI$//' \
    "$nvbench/nvbench/config.cuh.in" >"$build/include/nvbench/config.cuh"
cat >"$build/include/nvbench/detail/version.cuh" <<END
#pragma once
#define NVBENCH_VERSION_MAJOR 0
#define NVBENCH_VERSION_MINOR 1
#define NVBENCH_VERSION_PATCH 0
END
cat >"$build/include/nvbench/detail/git_revision.cuh" <<END
#pragma once
#define NVBENCH_GIT_BRANCH "unknown"
#define NVBENCH_GIT_SHA1 "$commit"
#define NVBENCH_GIT_VERSION "$commit"
END
help_header() { # MARKDOWN NAME HEADER
    { printf '#include <string>\nnamespace {\nconst std::string %s =\nR"expected(' "$2"
      cat "$1"; printf ')expected";\n}\n'; } >"$build/include/nvbench/internal/$3"
}
help_header "$nvbench/docs/cli_help.md" cli_help_text cli_help.cuh
help_header "$nvbench/docs/cli_help_axis.md" cli_help_axis_text cli_help_axis.cuh

flags=(-ccbin "$cxx" -std=c++17 -O2
    -gencode "arch=compute_$arch,code=sm_$arch" -gencode "arch=compute_$arch,code=compute_$arch"
    -Xcompiler "-fmacro-prefix-map=$nvbench=nvbench,-fmacro-prefix-map=$fmt=fmt,-fmacro-prefix-map=$json=json"
    -DFMT_USE_BITINT=0 -Xcudafe --diag_suppress=186 -Xcudafe --diag_suppress=940
    -I"$build/include" -I"$nvbench" -I"$fmt/include" -I"$json/include")

objects=()
compile() { # SOURCE OBJECT
    objects+=("$build/$2")
    [ "$build/$2" -nt "$1" ] && return
    echo "compiling $1"
    "$nvcc" "${flags[@]}" -c "$1" -o "$build/$2.part.o"
    mv "$build/$2.part.o" "$build/$2"
}
# The list "srcs" of nvbench/CMakeLists.txt, and json_printer.cu, without CUPTI.
sources=$(sed -n '/^set(srcs/,/^)/p' "$nvbench/nvbench/CMakeLists.txt" | grep -E '\.(cu|cxx)$')
for source in $sources json_printer.cu; do
    compile "$nvbench/nvbench/$source" "$(echo "$source" | tr '/.' '__').o"
done
compile "$fmt/src/format.cc" fmt_format.o
compile "$here/calls.cu" nvbench.o

"$nvcc" -ccbin "$cxx" -gencode "arch=compute_$arch,code=sm_$arch" -cudart static \
    -Xcompiler -static-libstdc++,-static-libgcc "${objects[@]}" \
    -ldl -lpthread -lrt -o "$build/nvbench-calls"
strip -o "$here/nvbench-calls" "$build/nvbench-calls"
ls -l "$here/nvbench-calls"
