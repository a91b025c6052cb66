"""Documents of an app on two devices that reach each other through a cloud only."""
import json
import os
import shutil
import statistics
import threading
import time

from cloud import App, Cloud, resident_kb, spread
from harness import SSHD, Device, Tool, ms, pair, say, summary, wait_for

FILES = 10_000
BYTES = 1024


def count(folder):
    """Files below a folder, but not those that are hidden while they arrive."""
    return sum(1 for _, _, names in os.walk(folder) for name in names if not name.startswith("."))


def fill(folder, files):
    """In directories of 1,000, with random contents."""
    for number in range(files):
        if number % 1000 == 0:
            directory = f"{folder}/{number // 1000}"
            os.makedirs(directory)
        with open(f"{directory}/{number}.bin", "wb") as file:
            file.write(os.urandom(BYTES))


class Watch:
    """How often a path is not there, and the longest time."""

    def __init__(self, path):
        self.path, self.looks, self.misses, self.longest = path, 0, 0, 0
        self.goes_on = True
        self.thread = threading.Thread(target=self._look, daemon=True)
        self.thread.start()

    def _look(self):
        since = None
        while self.goes_on:
            self.looks += 1
            try:
                os.stat(self.path)
                since = None
            except FileNotFoundError:
                now = time.monotonic()
                self.misses += 1
                since = since or now
                self.longest = max(self.longest, now - since)

    def end(self):
        self.goes_on = False
        self.thread.join()
        return {"looks": self.looks, "missing": self.misses, "longest_ms": round(self.longest * 1000, 2)}


def content(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def measure(bench, options):
    ports = bench.switch(3, "d")
    devices = [Device(bench, f"d{number}", port) for number, port in enumerate(ports[:2])]
    for device in devices:
        device.start()
        wait_for(device.is_ready, 20, "the daemon is ready")
    devices[0].call("account", "create", "--name", "Device d0")
    pair(*devices)
    cloud = Cloud(bench, "dcloud", namespace=ports[-1], address="192.0.2.3")
    folders, apps = [], []
    for device in devices:
        device.stop()
        device.start("--interface", "lo")
        wait_for(device.is_ready, 20, "the daemon is ready")
        device.call("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
        wait_for(lambda device=device: device.call("cloud", "status")["state"] == "connected", 30, "connected")
        app = App(device, "notes")
        app.write("container")
        folders.append(app.feed.wait("container")["path"] + "/Documents")
        apps.append(app)
    here, there = folders
    result = {"propagation": propagation(bench, cloud, devices, folders, options)}

    path, size = "watched.bin", 1_000_000
    rounds = 30
    with open(f"{here}/{path}", "wb") as file:
        file.write(bytes(size))
    wait_for(lambda: content(f"{there}/{path}") == bytes(size), 60, "the file that is watched has arrived")
    watch = Watch(f"{there}/{path}")
    for number in range(rounds):
        value = os.urandom(size)
        # Both ways of saving.
        name = path if number % 2 else "watched.new"
        with open(f"{here}/{name}", "wb") as file:
            file.write(value)
        if name != path:
            os.rename(f"{here}/{name}", f"{here}/{path}")
        wait_for(lambda value=value: content(f"{there}/{path}") == value, 60, "a version has arrived")
    result["replaced"] = {"versions": rounds, **watch.end()}
    say(f"documents: a path that is replaced {rounds} times: {result['replaced']}")

    times = []
    for block in range(3):
        source = f"{bench.work}/source{block}"
        os.makedirs(source)
        fill(source, FILES)
        begin = time.monotonic()
        shutil.copytree(source, f"{here}/block{block}")
        wait_for(lambda block=block: count(f"{there}/block{block}") == FILES, 300, "all files have arrived")
        times.append(time.monotonic() - begin)
        say(f"documents: {FILES} files on the other device after {times[-1]:.1f} s")
    result["many"] = {"files": FILES, "seconds": spread(times)}
    if os.path.exists(SSHD.PATH) and shutil.which("rsync"):
        sshd = SSHD(bench, ports[0])
        peers = [sshd.sync(ports[1], f"{bench.work}/source{block}", f"{bench.work}/copied") for block in range(3)]
        result["many"]["rsync_seconds"] = spread(peers)
    fill_to = options.documents
    os.makedirs(f"{here}/rest")
    begin = time.monotonic()
    fill(f"{here}/rest", fill_to - 3 * FILES)
    wait_for(lambda: count(f"{there}/rest") == fill_to - 3 * FILES, 900, "all files have arrived")
    result["memory"] = {
        "files": fill_to, "seconds": round(time.monotonic() - begin, 1),
        "mb": [round(resident_kb(device.process.pid) / 1024, 1) for device in devices]}
    time.sleep(20)
    result["memory"]["idle_mb"] = [round(resident_kb(device.process.pid) / 1024, 1) for device in devices]
    say(f"documents: {json.dumps(result['memory'])}")
    for app in apps:
        app.tool.end()
    for device in devices:
        device.stop()
    cloud.end()
    return result


def propagation(bench, cloud, devices, folders, options):
    """A new small file, from the return of `close` until the other device has it; to a call to the cloud and an fsync."""
    here, there = folders
    folder = f"{bench.work}/document-round"
    os.mkdir(folder)
    bare = Tool(bench, devices[1].namespace, "round-trip", cloud.url, cloud.fingerprint, folder)

    def baseline():
        bare.write(str(options.count))
        return bare.feed.wait("round_trips", 60)["times"]

    def pulse(name):
        with open(f"{here}/{name}", "wb") as file:
            file.write(name.encode())
        begin = time.monotonic_ns()
        while content(f"{there}/{name}") != name.encode():
            if time.monotonic_ns() - begin > 30e9:
                raise SystemExit("a small file did not arrive")
            time.sleep(0.0005)
        taken = time.monotonic_ns() - begin
        time.sleep(0.6)
        return taken

    pulse("first")
    marks, blocks = [baseline()], []
    for block in range(options.blocks):
        blocks.append([pulse(f"small-{block}-{number}") for number in range(20)])
        marks.append(baseline())
        say(f"documents: a small file after {ms(statistics.median(blocks[-1]))} ms, "
            f"a call and an fsync {ms(statistics.median(marks[-1]))} ms")
    bare.end()
    return {"file": summary(blocks), "baseline": summary(marks), "ratio": spread(
        [statistics.median(block) / statistics.median(before + after)
         for block, before, after in zip(blocks, marks, marks[1:])])}


def rows(result):
    if not (figures := result.get("documents")):
        return []
    one, many, held, watched = (figures[key] for key in ("propagation", "many", "memory", "replaced"))
    peer = "; rsync {median} s ({min} to {max})".format(**many["rsync_seconds"]) if "rsync_seconds" in many else ""
    return [
        ("a call to the cloud and an fsync", f"p50 {one['baseline']['p50_ms']} ms", "1"),
        ("a small file on the other device", f"p50 {one['file']['p50_ms']} ms, p99 {one['file']['p99_ms']} ms",
         "{median} ({min} to {max}); aim: 300 ms".format(**one["ratio"])),
        (f"{many['files']} files of 1 KiB on the other device", "{median} s ({min} to {max})".format(**many["seconds"]) + peer, ""),
        (f"memory at {held['files']} files", f"{held['mb'][0]} and {held['mb'][1]} MB, 20 s later "
         f"{held['idle_mb'][0]} and {held['idle_mb'][1]} MB", f"the last {held['files'] - 3 * FILES} in {held['seconds']} s"),
        (f"a path whose file is replaced {watched['versions']} times",
         f"missing in {watched['missing']} of {watched['looks']} looks", "aim: never"),
    ]
