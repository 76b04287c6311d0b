"""Measures kernels in one run: a cell to idle, the processor time that the kernel spends on it,
kernel_info, and start to first reply. A busy machine disturbs all but the processor time.

Arguments: kernel names, for example: python3 gonb-svm. Prints medians in milliseconds and,
from the second kernel on, how many times faster it is than the first.
"""
import os
import statistics
import sys
import time

from jupyter_client.manager import KernelManager

ROUNDS = 300


def wait(kc, msg_id, idle):
    while kc.get_shell_msg(timeout=30)["parent_header"].get("msg_id") != msg_id:
        pass
    while idle:
        msg = kc.get_iopub_msg(timeout=30)
        if msg["parent_header"].get("msg_id") == msg_id and msg["content"].get("execution_state") == "idle":
            return


def start(name):
    began = time.perf_counter()
    km = KernelManager(kernel_name=name)
    km.start_kernel()
    kc = km.client()
    kc.start_channels()
    wait(kc, kc.kernel_info(), False)
    return km, kc, time.perf_counter() - began


def measure(kc, ask, idle):
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        wait(kc, ask(), idle)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def processor_time(km):
    """Seconds that a kernel's process has used; 0 where there is no /proc."""
    try:
        with open(f"/proc/{km.provisioner.pid}/stat") as stat:
            user, system = stat.read().rpartition(") ")[2].split()[11:13]
    except FileNotFoundError:
        return 0
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def main(names):
    kernels = {name: start(name) for name in names}
    first = {}
    print(f"{'kernel':12} {'cell 1+1':>16} {'its processor':>16} {'kernel_info':>16} {'start':>16}")
    rows = {name: {"start": [], "processor": 0} for name in names}
    for name in names * 2:  # in turns, so that a busy machine disturbs all alike
        km, kc, _ = kernels[name]
        kc.wait_for_ready(timeout=60)
        before = processor_time(km)
        rows[name]["cell"] = min(measure(kc, lambda: kc.execute("1+1"), True), rows[name].get("cell", 9))
        rows[name]["processor"] += (processor_time(km) - before) / ROUNDS / 2
        rows[name]["info"] = min(measure(kc, kc.kernel_info, False), rows[name].get("info", 9))
    for name in names * 5:
        km, kc, took = start(name)
        rows[name]["start"].append(took)
        kc.stop_channels()
        km.shutdown_kernel(now=True)
    for name in names:
        row = dict(rows[name], start=statistics.median(rows[name]["start"]))
        first = first or row
        cells = [f"{1000 * row[k]:8.2f} ({first[k] / row[k]:4.1f}x)" for k in ("cell", "processor", "info", "start") if row[k]]
        print(f"{name:12} " + " ".join(f"{c:>16}" for c in cells))
        kernels[name][1].stop_channels()
        kernels[name][0].shutdown_kernel(now=True)


if __name__ == "__main__":
    main(sys.argv[1:])
