"""Uses the module roclua; prints "ok" if every reply is right."""
import os
import threading

import roclua

assert roclua.size("dgetrf", m=1024, n=1024, profile="rocm-7.2") == 4732160
assert roclua.size("dgetrs", n=64, nrhs=1, profile="rocm-6.4", arch="gfx942") == 64
assert roclua.size("dtrsm", side="left", uplo="upper", m=4096, n=8, transA="T") > 0

found = roclua.details("hipsolverDnDgetrf_bufferSize", m=1000, n=1000, profile="rocm-6.4")
assert found["lwork"] == found["bytes"] and found["lwork_unit_bytes"] == 1 and found["element_bytes"] == 8
assert sum(b["rounded"] for b in found["buffers"]) == found["bytes"]

# A call without a size is an exception; in a list it has an error, and the others have their sizes.
for routine, arguments, message in [
    ("dgetrg", {"m": 1}, "no routine"),
    ("dgetrf", {"m": 8, "n": 8, "lda": 3}, "lda is 3"),
    ("gemm_ex", {"m": 8, "n": 8, "k": 8, "a_type": "bf16", "compute_type": "f32"}, "tuning files"),
    ("hipsolverDormqr_bufferSize", {"side": 1, "m": 9, "n": 9, "k": 9}, "side is 1"),
    ("dgetrf", {"m": 8, "n": 8, "profile": "rocm-1"}, "unknown profile"),
]:
    try:
        roclua.size(routine, **arguments)
    except roclua.Error as e:
        assert message in str(e), e
    else:
        raise AssertionError(routine)
several = roclua.sizes(["dgetrf m=n n=1024", "what", "dasum n=8"])
assert [s.get("bytes") for s in several] == [4732160, None, 64] and "no routine" in several[1]["error"]
assert roclua.sizes([]) == []

# Many calls, in their order.
many = roclua.sizes("dgetrf m=%d n=%d" % (n, n) for n in range(1, 5001))
assert len(many) == 5000 and many[1023]["bytes"] == 4732160

# The memory of all handles of a program, and what a budget costs.
planned = roclua.plan(["dgetrf m=1024 n=1024", "dasum n=8"], handles=3, budget=4732160, profile="rocm-6.4")
target = planned["targets"][0]
assert target["profile"] == "rocm-6.4" and planned["budget_bytes"] == 4732160 and target["handles"][0]["count"] == 3
assert {t["scheme"]: t["bytes"] for t in target["totals"]}["user_owned"] == 3 * 4732160
assert [s["effect"] for s in target["decision"]["steps"]] == ["memory_error"], target["decision"]
for arguments, message in [({"calls": ["dgetrg m=1"]}, "no routine"), ({"calls": []}, "needs"),
                           ({"calls": ["dasum n=8"], "streams": -1}, "streams: -1"),
                           ({"calls": ["dasum n=8"], "budget": -1}, "budget: a JSON number -1")]:
    try:
        roclua.plan(**arguments)
    except roclua.Error as e:
        assert message in str(e), e
    else:
        raise AssertionError(arguments)

# Threads share the process.
wrong = []


def work(n):
    expected = many[n - 1]["bytes"]
    wrong.extend(1 for _ in range(50) if roclua.size("dgetrf", m=n, n=n) != expected)


threads = [threading.Thread(target=work, args=(n,)) for n in (64, 256, 1024, 4096)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not wrong

# A fork has its own process.
child = os.fork()
if child == 0:
    os._exit(roclua.size("dgetrf", m=1024, n=1024) != 4732160)
assert os.waitpid(child, 0)[1] == 0 and roclua.size("dasum", n=8) == 64

with roclua.Server([os.environ["ROCLUA"], "serve", "--profile", "rocm-6.4"]) as server:
    assert server.size("dgetrs", n=64, nrhs=1) == 64
with roclua.Server(["false"]) as server:
    try:
        server.size("dasum", n=8)
    except roclua.Error as e:
        assert "false ended without a reply" in str(e), e
    else:
        raise AssertionError("false replies")
print("ok")
