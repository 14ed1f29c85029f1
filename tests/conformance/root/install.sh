#!/bin/sh
# Builds the HIP runtime without a GPU in a chroot folder that has the libraries: install.sh ROOT
set -e
root=$1 here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$root/conformance"
cp "$here/hip.c" "$here/capture.c" "$here/hip.map" "$root/conformance/"
if [ -e "$root/usr/lib/x86_64-linux-gnu/librocblas.so.5" ]; then version=7; else version=6; fi
chroot "$root" gcc -shared -fPIC -O1 -w -DHIP_RELEASE=$version -Wl,-soname,libamdhip64.so.$version -Wl,--version-script=/conformance/hip.map \
  -o /conformance/libamdhip64.so.$version /conformance/hip.c -lpthread
