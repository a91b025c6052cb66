"""AirDrop between two own devices, to a bare connection and to other programs that send files, in one run."""
import os
import shutil
import statistics
import subprocess
import time

from harness import SSHD, Tool, run, say, wait_for

# Random, so that compressing it pays nobody.
SMALL_FILES = 10_000
SMALL_BYTES = 1024


def rate(count, seconds):
    return count / 1e6 / seconds


def measure(bench, a, b, options):
    size = options.airdrop_megabytes * 1_000_000
    large, small = f"{bench.work}/large.bin", f"{bench.work}/small"
    with open(large, "wb") as file:
        for _ in range(options.airdrop_megabytes):
            file.write(os.urandom(1_000_000))
    os.makedirs(small)
    for number in range(SMALL_FILES):
        with open(f"{small}/{number}.bin", "wb") as file:
            file.write(os.urandom(SMALL_BYTES))
    arrived = f"{bench.work}/arrived"
    os.makedirs(arrived)
    peers = {}

    def emptied(body):
        begin = time.monotonic()
        body()
        seconds = time.monotonic() - begin
        shutil.rmtree(arrived)
        os.makedirs(arrived)
        return seconds

    def send(item):
        receiver = subprocess.Popen(
            [f"{bench.bin}/baton", "--home", b.home, "receive", "--accept", "--once", "--to", arrived],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        bench.processes.append(receiver)
        time.sleep(0.3)

        def body():
            subprocess.run([f"{bench.bin}/baton", "--home", a.home, "send", item, "--to", options.receiver],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        begin = time.monotonic()
        body()
        seconds = time.monotonic() - begin
        receiver.wait(30)
        expected = SMALL_FILES if os.path.isdir(item) else 1
        found = sum(len(files) for _, _, files in os.walk(arrived))
        if found != expected:
            raise SystemExit(f"{found} of {expected} files arrived")
        shutil.rmtree(arrived)
        os.makedirs(arrived)
        return seconds

    peers["baton"] = send
    if os.path.exists(SSHD.PATH) and shutil.which("scp"):
        sshd = SSHD(bench, a.namespace)
        peers["scp"] = lambda item: emptied(lambda: sshd.fetch(b.namespace, item, arrived))
        if shutil.which("rsync"):
            peers["rsync"] = lambda item: emptied(lambda: sshd.sync(b.namespace, item, arrived))
    server = Tool(bench, a.namespace, "serve")
    client = Tool(bench, b.namespace, "request", "192.0.2.1", server.feed.wait("ready")["port"])

    def bare():
        client.write(f"pour {options.airdrop_megabytes}")
        return options.airdrop_megabytes * 1048576e3 / client.feed.wait("poured", 300)["ns"]

    bare()
    figures = {name: {"large_s": [], "small_s": []} for name in peers}
    bares = [bare()]
    for block in range(options.blocks):
        for name, peer in peers.items():
            figures[name]["large_s"].append(peer(large))
            figures[name]["small_s"].append(peer(small))
        bares.append(bare())
        say(f"airdrop, block {block + 1}: " + ", ".join(
            f"{name} {rate(size, times['large_s'][-1]):.0f} MB/s, {times['small_s'][-1]:.1f} s"
            for name, times in figures.items()) + f"; bare {bares[-1]:.0f} MB/s")
    values = [2 * rate(size, seconds) / (before + after)
              for seconds, before, after in zip(figures["baton"]["large_s"], bares, bares[1:])]
    result = {
        "bare_mb_s": round(statistics.median(bares)),
        "ratio_to_bare": {"median": round(statistics.median(values), 2), "min": round(min(values), 2),
                          "max": round(max(values), 2)},
        "peers": {
            name: {"large_mb_s": round(rate(size, statistics.median(times["large_s"]))),
                   "small_s": round(statistics.median(times["small_s"]), 2)}
            for name, times in figures.items()}}
    for tool in (server, client):
        tool.end()
    return result


def rows(result):
    if not (figures := result.get("airdrop")):
        return []
    found = [("bare mutual TLS", f"{figures['bare_mb_s']} MB/s", "1")]
    for name, peer in figures["peers"].items():
        note = "{median} ({min} to {max}); aim: at least 0.7".format(**figures["ratio_to_bare"]) if name == "baton" else ""
        found.append((f"sending by {name}", f"{peer['large_mb_s']} MB/s; 10,000 small files in {peer['small_s']} s", note))
    return found
