#!/bin/sh
# Builds the HIP runtime without a GPU in a chroot folder that has the libraries, for an architecture:
#   install.sh ROOT ARCH
set -e
root=$1 arch=$2 here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$root/conformance/source"
mkdir -p "$root/conformance"
cp -r "$here/../../../hip/nogpu/source" "$root/conformance/"
if [ -e "$root/usr/lib/x86_64-linux-gnu/librocblas.so.5" ]; then version=7; else version=6; fi
# AMD's headers, where they are installed, must agree with the declarations of the runtime.
if [ -e "$root/usr/include/hip/hip_runtime_api.h" ]; then
  { echo '#include "hip.c"'; sed -n 's/.*\(hip[A-Za-z]*\) = \([0-9]*\).*/_Static_assert(\1 == \2, "\1");/p' \
    "$root/conformance/source/types.h"; } > "$root/conformance/source/check.c"
  chroot "$root" gcc -fsyntax-only -w -DHIP_RELEASE=$version -DHIP_HEADERS /conformance/source/check.c
fi
chroot "$root" gcc -shared -fPIC -O2 -w -DHIP_RELEASE=$version -Wl,-soname,libamdhip64.so.$version \
  -Wl,--version-script=/conformance/source/hip.map -o /conformance/libamdhip64.so.$version /conformance/source/hip.c -lpthread
# Debian has no gemm kernels for some architectures. No kernel is launched, so link those of gfx90a. Tests of the choice
# of kernels skip these architectures.
for library in "$root"/usr/lib/x86_64-linux-gnu/rocblas/*/library; do
  [ -z "$(find "$library" -name "*$arch.*" | head -1)" ] || continue
  for file in "$library"/*gfx90a*; do
    ln -s "$(basename "$file")" "$(echo "$file" | sed "s/gfx90a/$arch/g")"
  done
done
