"""Workspace sizes of rocBLAS, rocSOLVER and hipSOLVER, computed by the program roclua without a GPU.

    import roclua
    roclua.size("dgetrf", m=1024, n=1024, profile="rocm-7.2")        # 4732160, in bytes
    roclua.details("hipsolverDnDgetrf_bufferSize", m=1024, n=1024)   # the buffers, lwork and its unit
    roclua.sizes(["dgetrf m=1024 n=1024", "dgetrs n=1024 nrhs=1"])   # many calls at once
    roclua.plan(["dgetrf m=4096 n=4096"], handles=48)                # the memory of all handles together

These functions share a process `roclua serve`, which starts at the first call. Another one has other options:

    with roclua.Server(["/opt/bin/roclua", "serve", "--profile", "rocm-6.4"]) as server:
        server.size("dgetrf", m=1024, n=1024)

The program is the one in the variable ROCLUA, or else roclua on the path.
"""
import atexit
import json
import os
import subprocess
import threading
from typing import Any, Dict, Iterable, List, Optional, Sequence, TypedDict, Union

__all__ = ["Error", "Size", "Server", "size", "details", "sizes", "plan"]

Value = Union[int, float, str]


class Error(Exception):
    """A request that roclua refuses, or a call whose size is not known. The message says why."""


class Size(TypedDict, total=False):
    """What a call needs. Keys are absent where they have no meaning; `roclua docs --schema reply` has them all."""

    routine: str  # C name
    bytes: Optional[int]  # None if there is an error, the size is not known, or hipSOLVER refuses the arguments
    unknown: str  # why the size is not known
    degraded_bytes: int  # with which the call also runs, more slowly
    status: str  # of a function of hipSOLVER
    reason: str  # why hipSOLVER refuses the arguments
    lwork: int  # what a function of hipSOLVER returns
    lwork_unit_bytes: int  # bytes that 1 means in lwork
    element_bytes: int  # bytes of an element of the matrix
    buffers: List[Dict[str, Any]]  # parts of the bytes: purpose, bytes, rounded
    error: str  # why there is no size


class Plan(TypedDict, total=False):
    """The memory of all handles; `roclua docs --schema plan` describes the dictionaries."""

    budget_bytes: int
    targets: List[Dict[str, Any]]  # one, with handles, totals, sharing, unknown and the decision of a budget
    notes: List[str]  # what the calls do not show


class Server:
    """A process `roclua serve`. Threads can share it. Close it, or use it in a with statement."""

    _batch = 1000  # calls in a request

    def __init__(self, command: Optional[Sequence[str]] = None) -> None:
        self._command = list(command or [os.environ.get("ROCLUA", "roclua"), "serve"])
        self._lock = threading.Lock()
        self._process: Optional["subprocess.Popen[bytes]"] = None
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    def request(self, **fields: Any) -> Dict[str, Any]:
        """Send a request and return the reply. Fields that are None are left out."""
        line = json.dumps({k: v for k, v in fields.items() if v is not None}).encode() + b"\n"
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._end()
                self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            assert self._process.stdin and self._process.stdout
            try:
                self._process.stdin.write(line)
                self._process.stdin.flush()
            except BrokenPipeError:
                pass  # the process has ended, and there is no reply
            text = self._process.stdout.readline()
        if not text.endswith(b"\n"):
            raise Error("%s ended without a reply; its message is on standard error" % " ".join(self._command))
        reply: Dict[str, Any] = json.loads(text)
        if "error" in reply:
            raise Error(reply["error"])
        return reply

    def size(self, routine: str, *, profile: Optional[str] = None, arch: Optional[str] = None,
             **arguments: Value) -> int:
        """Return the bytes of workspace that a call needs, or of the buffer of a function of hipSOLVER."""
        found = self.details(routine, profile=profile, arch=arch, buffers=False, **arguments)
        if found.get("bytes") is None:
            raise Error("%s: %s" % (routine, found.get("unknown") or found.get("reason")))
        return found["bytes"]  # type: ignore[return-value]

    def details(self, routine: str, *, profile: Optional[str] = None, arch: Optional[str] = None,
                buffers: bool = True, **arguments: Value) -> Size:
        """Return all that roclua says about the size of a call, with its buffers."""
        call = " ".join([routine] + ["%s=%s" % item for item in arguments.items()])
        found = self.sizes([call], profile=profile, arch=arch, buffers=buffers)[0]
        if "error" in found:
            raise Error(found["error"])
        return found

    def sizes(self, calls: Iterable[str], *, profile: Optional[str] = None, arch: Optional[str] = None,
              buffers: bool = False) -> List[Size]:
        """Return the sizes of many calls, such as "dgetrf m=1024 n=1024". One without a size has the key error."""
        found: List[Size] = []
        batch = list(calls)
        for i in range(0, len(batch), self._batch):
            reply = self.request(size=batch[i:i + self._batch], profile=profile, arch=arch, buffers=buffers or None)
            found += reply["sizes"]
        return found

    def plan(self, calls: Iterable[str], *, handles: int = 1, streams: int = 1, budget: Optional[int] = None,
             profile: Optional[str] = None, arch: Optional[str] = None) -> Plan:
        """Return the memory of handles that each make all calls on each of their streams. budget is in bytes."""
        return self.request(plan=list(calls), handles=handles, streams=streams,  # type: ignore[no-any-return]
                            budget=budget, profile=profile, arch=arch)["plan"]

    def close(self) -> None:
        """End the process. A later request starts another one."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process:
            process.communicate()

    def _forget(self) -> None:
        """In a fork: leave the process to the parent."""
        process, self._process, self._lock = self._process, None, threading.Lock()
        if process and process.stdin and process.stdout:
            process.stdin.raw.close()  # type: ignore[attr-defined]
            process.stdout.raw.close()  # type: ignore[attr-defined]
            process.returncode = 0

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_shared = Server()
atexit.register(_shared.close)
size, details, sizes, plan = _shared.size, _shared.details, _shared.sizes, _shared.plan
