#!/bin/sh
# Creates a chroot folder with rocBLAS, rocSOLVER and the libraries above them of Debian, and a HIP runtime that needs
# no GPU:
#   make.sh rocm-6.4|rocm-7.2 ROOT
# This takes several minutes, 6 GB in ROOT, and root privileges for chroot. The runtime is in /conformance in ROOT.
set -e
here=$(cd "$(dirname "$0")" && pwd)
[ $# = 2 ] || { echo "usage: make.sh rocm-6.4|rocm-7.2 ROOT" >&2; exit 2; }
profile=$1
case $profile in
rocm-6.4) suite=sid packages="librocblas4 libhipblas2 libhipsolver0" ;;
rocm-7.2) suite=experimental packages="librocblas5 libhipblas3 libhipsolver1" ;;
*) echo "make.sh: unknown profile; want rocm-6.4 or rocm-7.2" >&2; exit 2 ;;
esac
command -v debootstrap >/dev/null || { echo "make.sh: debootstrap not found; install the Debian package" >&2; exit 4; }
mkdir -p "$2"
root=$(cd "$2" && pwd)
if [ ! -e "$root/etc/debian_version" ]; then
  debootstrap --variant=minbase --include=gcc,libc6-dev sid "$root"
fi
if [ $suite = experimental ] && ! grep -q experimental "$root/etc/apt/sources.list"; then
  sed -n 's/ sid / experimental /p' "$root/etc/apt/sources.list" >> "$root/etc/apt/sources.list"
fi
# The package lists of unreleased suites can be expired on a mirror. apt still checks their signatures.
chroot "$root" apt-get -qq -o Acquire::Check-Valid-Until=false update
chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -t $suite \
  $packages librocsolver0 librocblas-dev librocsolver-dev libhipblaslt1 >/dev/null
"$here/install.sh" "$root" gfx942
