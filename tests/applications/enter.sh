#!/bin/sh
# Runs a command of a root, with a /proc, which programs read, for as long as the command runs:
#   enter.sh ROOT COMMAND...
set -e
root=$1
shift
exec unshare --mount sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$root" "$@"
