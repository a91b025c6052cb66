"""AirDrop between two own devices, to a bare connection and to other programs that send files, in one run."""
import os
import shutil
import statistics
import subprocess
import time

from harness import SSHD, Device, Tool, pair, say, wait_for
from peers import Lossy, OpenDrop, Wormhole, emptied

# Random, so that compressing it is no gain.
SMALL_FILES = 10_000
SMALL_BYTES = 1024


def rate(count, seconds):
    return count / 1e6 / seconds


def send(bench, sender, receiver, name, item, arrived):
    """Seconds of `baton send`; all of it must have arrived."""
    receiving = subprocess.Popen(
        [f"{bench.bin}/baton", "--home", receiver.home, "receive", "--accept", "--once", "--to", arrived],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    bench.processes.append(receiving)
    time.sleep(0.3)
    begin = time.monotonic()
    subprocess.run([f"{bench.bin}/baton", "--home", sender.home, "send", item, "--to", name], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seconds = time.monotonic() - begin
    receiving.wait(30)
    expected = SMALL_FILES if os.path.isdir(item) else 1
    found = sum(len(files) for _, _, files in os.walk(arrived))
    if found != expected:
        raise SystemExit(f"{found} of {expected} files arrived")
    return seconds


def make_file(path, megabytes):
    """Random to 100 MB, which is more than anything looks back for repetitions."""
    part = os.urandom(min(megabytes, 100) * 1_000_000)
    with open(path, "wb") as file:
        for begin in range(0, megabytes, 100):
            file.write(part[:min(100, megabytes - begin) * 1_000_000])


def measure(bench, a, b, options):
    size = options.airdrop_megabytes
    large, small = f"{bench.work}/large.bin", f"{bench.work}/small"
    make_file(large, size)
    os.makedirs(small)
    for number in range(SMALL_FILES):
        with open(f"{small}/{number}.bin", "wb") as file:
            file.write(os.urandom(SMALL_BYTES))
    arrived = f"{bench.work}/arrived"
    os.makedirs(arrived)
    # Each returns seconds.
    peers = {"baton": lambda item: send(bench, a, b, "Device b", item, arrived)}
    if os.path.exists(SSHD.PATH) and shutil.which("scp"):
        sshd = SSHD(bench, a.namespace)
        peers["scp"] = lambda item: sshd.fetch(b.namespace, item, arrived)
        if shutil.which("rsync"):
            peers["rsync"] = lambda item: sshd.sync(b.namespace, item, arrived)
    wormhole = Wormhole(bench, a.namespace, b.namespace)
    if wormhole.bin:
        peers["magic-wormhole"] = lambda item: wormhole.send(item, arrived)
    server = Tool(bench, a.namespace, "serve")
    client = Tool(bench, b.namespace, "request", "192.0.2.1", server.feed.wait("ready")["port"])

    def bare():
        client.write(f"pour {size}")
        return size * 1048576e3 / client.feed.wait("poured", 300)["ns"]

    bare()
    figures = {name: {"large_s": [], "small_s": []} for name in peers}
    bares = [bare()]
    for block in range(options.blocks):
        for name, peer in peers.items():
            for key, item in (("large_s", large), ("small_s", small)):
                figures[name][key].append(emptied(arrived, lambda peer=peer, item=item: peer(item)))
        bares.append(bare())
        say(f"airdrop, block {block + 1}: " + ", ".join(
            f"{name} {rate(size * 1_000_000, times['large_s'][-1]):.0f} MB/s, {times['small_s'][-1]:.1f} s"
            for name, times in figures.items()) + f"; bare {bares[-1]:.0f} MB/s")
    for tool in (server, client):
        tool.end()
    opendrop = OpenDrop(bench, a.namespace, b.namespace)
    if opendrop.bin:
        figures["opendrop"] = {"large_s": [emptied(arrived, lambda: opendrop.send(large, arrived))], "small_s": []}
    values = [2 * rate(size * 1_000_000, seconds) / (before + after)
              for seconds, before, after in zip(figures["baton"]["large_s"], bares, bares[1:])]
    return {
        "bare_mb_s": round(statistics.median(bares)),
        "ratio_to_bare": {"median": round(statistics.median(values), 2), "min": round(min(values), 2),
                          "max": round(max(values), 2)},
        "peers": {
            name: {"large_mb_s": round(rate(size * 1_000_000, statistics.median(times["large_s"]))),
                   "small_s": round(statistics.median(times["small_s"]), 2) if times["small_s"] else None}
            for name, times in figures.items()},
        "memory": memory(bench, a, b, arrived, options.largest_megabytes),
        "lossy": lossy(bench, arrived, options)}


def memory(bench, a, b, arrived, megabytes):
    """The most that each daemon holds while a large file goes from one to the other."""
    path = f"{bench.work}/largest.bin"
    make_file(path, megabytes)
    for device in (a, b):
        # Begins the count of the highest anew.
        with open(f"/proc/{device.process.pid}/clear_refs", "w", encoding="utf8") as file:
            file.write("5")
    seconds = emptied(arrived, lambda: send(bench, a, b, "Device b", path, arrived))
    os.remove(path)
    found = {"megabytes": megabytes, "seconds": round(seconds, 1)}
    for name, device in (("sender_mb", a), ("receiver_mb", b)):
        with open(f"/proc/{device.process.pid}/status", encoding="utf8") as file:
            fields = dict(line.split(":", 1) for line in file)
        found[name] = round(int(fields["VmHWM"].split()[0]) / 1024, 1)
    say(f"memory: {found}")
    return found


def lossy(bench, arrived, options):
    """Two other devices with 20 ms and 1 % of lost frames between them, in each direction."""
    namespaces = Lossy(bench, 20, 1).namespaces
    devices = [Device(bench, name, namespace) for name, namespace in zip(("far1", "far2"), namespaces)]
    for device in devices:
        device.start()
        wait_for(device.is_ready, 20, "the daemon is ready")
    devices[0].call("account", "create", "--name", "Device far1")
    pair(*devices)
    wait_for(devices[0].connected, 60, "connected")
    path = f"{bench.work}/far.bin"
    make_file(path, options.lossy_megabytes)
    peers = {"baton": lambda: send(bench, *devices, "Device far2", path, arrived)}
    wormhole = Wormhole(bench, *namespaces, name="far-wormhole")
    if wormhole.bin:
        peers["magic-wormhole"] = lambda: wormhole.send(path, arrived)
    times = {name: [] for name in peers}
    for _ in range(3):
        for name, peer in peers.items():
            times[name].append(emptied(arrived, peer))
        say("20 ms and 1 % lost: " + ", ".join(f"{name} {values[-1]:.1f} s" for name, values in times.items()))
    for device in devices:
        device.stop()
    return {"megabytes": options.lossy_megabytes, "seconds": {
        name: {"median": round(statistics.median(values), 1), "min": round(min(values), 1), "max": round(max(values), 1)}
        for name, values in times.items()}}


def rows(result):
    if not (figures := result.get("airdrop")):
        return []
    found = [("bare mutual TLS", f"{figures['bare_mb_s']} MB/s", "1")]
    for name, peer in figures["peers"].items():
        note = "{median} ({min} to {max}); aim: at least 0.7".format(**figures["ratio_to_bare"]) if name == "baton" else ""
        many = f"; 10,000 small files in {peer['small_s']} s" if peer["small_s"] else ""
        found.append((f"sending by {name}", f"{peer['large_mb_s']} MB/s{many}", note))
    held = figures["memory"]
    found.append((f"memory while {held['megabytes']} MB are sent",
                  f"sender {held['sender_mb']} MB, receiver {held['receiver_mb']} MB", "aim: under 60 MB"))
    for name, times in figures["lossy"]["seconds"].items():
        found.append((f"{figures['lossy']['megabytes']} MB with 20 ms and 1 % lost, by {name}",
                      "{median} s ({min} to {max})".format(**times), ""))
    return found
