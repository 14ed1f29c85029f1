#!/bin/sh
# Builds the HIP runtime without a GPU in a chroot folder that has the libraries, for an architecture:
#   install.sh ROOT ARCH
set -e
root=$1 arch=$2 here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$root/conformance"
cp "$here/hip.c" "$here/capture.c" "$here/zeros.c" "$here/hip.map" "$root/conformance/"
if [ -e "$root/usr/lib/x86_64-linux-gnu/librocblas.so.5" ]; then version=7; else version=6; fi
chroot "$root" gcc -shared -fPIC -O1 -w -DHIP_RELEASE=$version -Wl,-soname,libamdhip64.so.$version -Wl,--version-script=/conformance/hip.map \
  -o /conformance/libamdhip64.so.$version /conformance/hip.c -lpthread
# Debian has no gemm kernels for some architectures. No kernel is launched, so link those of gfx90a.
for library in "$root"/usr/lib/x86_64-linux-gnu/rocblas/*/library; do
  [ -z "$(find "$library" -name "*$arch.*" | head -1)" ] || continue
  for file in "$library"/*gfx90a*; do
    ln -s "$(basename "$file")" "$(echo "$file" | sed "s/gfx90a/$arch/g")"
  done
done
