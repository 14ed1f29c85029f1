#!/bin/sh
# Makes a root with Debian's rocBLAS and rocSOLVER of one release and a HIP runtime that needs no GPU:
#   make.sh rocm-6.4|rocm-7.2 ROOT
# ROOT takes about 5 GB and some minutes; root rights are needed for chroot. In ROOT, /conformance holds the runtime.
set -e
profile=$1 root=$2 here=$(cd "$(dirname "$0")" && pwd)
case $profile in
rocm-6.4) suite=sid blas=librocblas4 ;;
rocm-7.2) suite=experimental blas=librocblas5 ;;
*) echo "make.sh: the profile is rocm-6.4 or rocm-7.2" >&2; exit 2 ;;
esac
command -v debootstrap >/dev/null || { echo "make.sh: debootstrap is missing; install Debian's package of that name" >&2; exit 4; }
if [ ! -e "$root/etc/debian_version" ]; then
  debootstrap --variant=minbase --include=gcc,libc6-dev sid "$root"
fi
if [ $suite = experimental ] && ! grep -q experimental "$root/etc/apt/sources.list"; then
  sed -n 's/ sid / experimental /p' "$root/etc/apt/sources.list" >> "$root/etc/apt/sources.list"
fi
# A mirror's list of a suite that is never released may be past its date; its signature is checked all the same.
chroot "$root" apt-get -qq -o Acquire::Check-Valid-Until=false update
chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -t $suite $blas librocsolver0 librocblas-dev librocsolver-dev >/dev/null
"$here/install.sh" "$root"
# Debian's 6.4 has no products for gfx942. Nothing is launched, so those of gfx90a stand in.
for library in "$root"/usr/lib/x86_64-linux-gnu/rocblas/*/library; do
  for file in "$library"/*gfx90a*; do
    other=$(echo "$file" | sed s/gfx90a/gfx942/g)
    [ -e "$other" ] || ln -s "$(basename "$file")" "$other"
  done
done
