"""Measures how long programs take to start: python3 run.py [ROCLUA] > table

Each command runs once in every round, in turn, so that the speed of the machine varies for all of them alike. The table
has medians: elapsed time, processor time of the process and its children, and the most resident memory of one process,
which GNU time measures. Programs that are not installed are left out.
"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS = 41
roclua = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else shutil.which("roclua")
top = os.path.dirname(os.path.abspath(__file__)) + "/../../.."

script = tempfile.NamedTemporaryFile("w", suffix=".lua")
script.write('print "hello"\n')
script.flush()

commands = {
    "`roclua version`": [roclua, "version"],
    "`roclua run hello.lua`": [roclua, "run", script.name],
    "`roclua list` of the bundled configuration": [roclua, "list", top + "/config.toml"],
    "`lua -e 'print \"hello\"'`": ["lua", "-e", 'print "hello"'],
    "`sysbench --version`": ["sysbench", "--version"],
    "`python3 -c 'import ctypes'`": [sys.executable, "-c", "import ctypes"],
}


def run(command):
    """Returns the elapsed seconds and the processor seconds of one run."""
    null = os.open(os.devnull, os.O_RDWR)
    start = time.perf_counter()
    child = os.posix_spawnp(command[0], command, os.environ, file_actions=[
        (os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1, 2)])
    _, status, usage = os.wait4(child, 0)
    elapsed = time.perf_counter() - start
    os.close(null)
    if status != 0:
        sys.exit(f"{' '.join(command)} ended with {status}")
    return elapsed, usage.ru_utime + usage.ru_stime


def memory(command):
    """Returns the KiB of one run. A process that Python starts counts the memory of Python as its own."""
    text = subprocess.run(["/usr/bin/time", "-f", "%M", *command], capture_output=True, text=True).stderr
    return int(text.split()[-1])


commands = {name: command for name, command in commands.items() if shutil.which(command[0])}
results = {name: [] for name in commands}
for i in range(ROUNDS + 1):
    for name, command in commands.items():
        result = run(command)
        if i > 0:  # the first run reads the program from the disk
            results[name].append(result)

print("| command | elapsed, ms | processor, ms | memory, MiB |")
print("|---|---:|---:|---:|")
for name, list in results.items():
    elapsed, cpu = (statistics.median(column) for column in zip(*list))
    resident = statistics.median(memory(commands[name]) for _ in range(5)) / 1024
    print(f"| {name} | {elapsed * 1e3:.1f} | {cpu * 1e3:.1f} | {resident:.0f} |")
