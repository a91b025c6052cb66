"""Rows that a SQLite database mirrors: what the triggers cost, rows to a new device, and a commit until the row is elsewhere."""
import os
import shutil
import statistics
import time

from cloud import App, Cloud, resident_kb
from harness import Device, Tool, ms, pair, say, wait_for

ROWS = 100_000
ROUNDS = 40
LIMITS = {"insert": 2.0, "update": 2.0, "update alone": 1.7, "delete": 2.8}


class Rows(App):
    """A program in development whose tables are mirrored."""

    def __init__(self, device, name):
        bench = device.bench
        path = f"{bench.work}/apps/{name}"
        os.makedirs(f"{bench.work}/apps", exist_ok=True)
        if not os.path.exists(path):
            shutil.copy(f"{bench.bin}/baton-benchmark", path)
        folder = f"{device.home}/rows"
        os.makedirs(folder, exist_ok=True)
        self.tool = Tool(bench, device.namespace, "rows", folder, program=path, environment={"BATON_HOME": device.home})
        self.feed = self.tool.feed
        self.feed.wait("ready", 30)


def costs(bench, options):
    folder = f"{bench.work}/mirror"
    os.makedirs(folder)
    tool = Tool(bench, None, "mirror", options.blocks, folder, environment={"BATON_HOME": folder})
    ratios = {}
    for name in ["insert", "update", "update all", "update alone", "delete"] * options.blocks:
        block = tool.feed.wait("block", 300)
        ratios.setdefault(block["what"], []).append(block["ns"] / statistics.median(block["baseline_ns"]))
    tool.feed.wait("end", 60)
    tool.end()
    result = {name: {"ratio": round(statistics.median(values), 2), "least": round(min(values), 2),
                     "greatest": round(max(values), 2), "limit": LIMITS.get(name)} for name, values in ratios.items()}
    say(f"records: {result}")
    return result


def measure(bench, options):
    result = {"costs": costs(bench, options)}
    ports = bench.switch(4, "r")
    devices = [Device(bench, f"r{number}", port) for number, port in enumerate(ports[:3])]
    for device in devices:
        device.start()
        wait_for(device.is_ready, 20, "the daemon is ready")
    devices[0].call("account", "create", "--name", "Device r0")
    for device in devices[1:]:
        pair(devices[0], device)
    for device in devices:
        device.stop()
        device.start("--interface", "lo")
        wait_for(device.is_ready, 20, "the daemon is ready")
    cloud = Cloud(bench, "rcloud", namespace=ports[3], address="192.0.2.4")

    def log_in(device):
        device.call("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
        wait_for(lambda: device.call("cloud", "status")["state"] == "connected", 30, f"{device.name} is connected")

    for device in devices[:2]:
        log_in(device)
    apps = [Rows(device, "mirrored") for device in devices[:2]]
    times = []
    for number in range(ROUNDS):
        apps[1].write(f"see {number}")
        apps[0].write(f"set {number}")
        begin = apps[0].feed.wait("set", 30)["t"]
        times.append(apps[1].feed.wait("seen", 30)["t"] - begin)
        time.sleep(0.6)
    result["propagation_ms"] = [ms(value) for value in times]
    say(f"records: a commit is a row on the other device after {ms(statistics.median(times))} ms")

    apps[0].write(f"fill {ROWS}")
    apps[0].feed.wait("filled", 600)
    wait_for(lambda: devices[0].call("cloud", "usage")["items"] >= ROWS, 600, "all rows are in the cloud")
    new = Rows(devices[2], "mirrored")
    new.write(f"await {ROWS}")
    begin = time.monotonic_ns()
    log_in(devices[2])
    took = new.feed.wait("has", 600)["t"] - begin
    memory = resident_kb(devices[2].process.pid)
    result["new_device"] = {"rows": ROWS, "s": round(took / 1e9, 1), "daemon_kb": memory}
    say(f"records: {ROWS} rows on a new device: {result['new_device']}")
    for device in devices:
        device.stop()
    cloud.end()
    return result


def rows(result):
    if not (figures := result.get("records")):
        return []
    found = [(f"records: {name}, mirrored", f"{value['ratio']} ({value['least']} to {value['greatest']})",
              f"aim: {value['limit']} times as long" if value["limit"] else "")
             for name, value in figures["costs"].items()]
    found.append(("records: a commit until the row is elsewhere", f"{statistics.median(figures['propagation_ms'])} ms", ""))
    new = figures["new_device"]
    found.append((f"records: {new['rows']} rows to a new device", f"{new['s']} s, {new['daemon_kb'] // 1024} MiB in the daemon",
                  "aim: 10 s, 120 MiB"))
    return found
