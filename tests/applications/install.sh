#!/bin/sh
# Installs the programs that use the libraries in a root that tests/conformance/root/make.sh made:
#   install.sh rocm-6.4|rocm-7.2 ROOT
# This takes 6 GB in ROOT.
set -e
profile=$1 root=$2 here=$(cd "$(dirname "$0")" && pwd)
case $profile in
rocm-6.4) suite=sid packages="libmagma-rocm-test librocblas4-bench librocsolver0-bench libhipsolver0-tests llama.cpp \
  libggml0-backend-hip" ;;
rocm-7.2) suite=experimental packages="librocblas5-bench libhipblas3-tests libhipblas3-bench libhipsolver1-tests" ;;
*) echo "install.sh: unknown profile; want rocm-6.4 or rocm-7.2" >&2; exit 2 ;;
esac
if [ ! -e "$root/applications" ]; then
  chroot "$root" apt-get -qq -o Acquire::Check-Valid-Until=false update
  chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -t $suite \
    python3 gcc libc6-dev $packages >/dev/null
  mkdir -p "$root/applications"
fi
cp "$here"/programs/* "$root/applications/"
# rocblas-bench asks ROCm SMI about a device, of which there is none.
chroot "$root" sh -c 'cd /applications
  python3 model.py model.gguf
  for name in threads devices; do
    gcc -w -o $name $name.c -L/usr/lib/x86_64-linux-gnu -l:$(basename /usr/lib/x86_64-linux-gnu/librocblas.so.?) \
      -l:librocsolver.so.0 -l:$(basename /usr/lib/x86_64-linux-gnu/libamdhip64.so.?) -lpthread
  done
  for name in $(ls /usr/lib/x86_64-linux-gnu | grep "^librocm_smi64.so.[0-9]*$"); do
    gcc -shared -fPIC -w -Wl,-soname,$name -o $name rsmi.c
  done'
