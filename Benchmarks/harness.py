"""What the measurements share: processes, devices, namespaces, figures."""
import itertools
import json
import os
import queue
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

APP = "dev.baton.benchmark"
here = os.path.dirname(os.path.abspath(__file__))


def say(text):
    print(time.strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)


def wait_for(condition, seconds, what):
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise SystemExit(f"{what}: not within {seconds} s")
        time.sleep(0.05)
    return value


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


# --- Processes --------------------------------------------------------------------------------------------------------


class Feed:
    """Lines of JSON from a file descriptor, read by a thread."""

    def __init__(self, file):
        self.lines = queue.Queue()
        threading.Thread(target=self._read, args=(file,), daemon=True).start()

    def _read(self, file):
        for line in file:
            try:
                self.lines.put(json.loads(line))
            except ValueError:
                sys.stderr.write(f"not JSON: {line}")

    def wait(self, event, seconds=20, where=lambda line: True):
        end = time.monotonic() + seconds
        while True:
            try:
                line = self.lines.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                raise SystemExit(f"no “{event}” within {seconds} s") from None
            if line["event"] in ("error", "failed"):
                raise SystemExit(f"while waiting for “{event}”: {line}")
            if line["event"] == event and where(line):
                return line


class Tool:
    """A process of baton-benchmark."""

    def __init__(self, bench, namespace, *arguments, program=None, environment=None):
        self.process = subprocess.Popen(
            [*bench.enter(namespace), program or f"{bench.bin}/baton-benchmark", *map(str, arguments)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
            env={**os.environ, **(environment or {})})
        bench.processes.append(self.process)
        self.feed = Feed(self.process.stdout)

    def write(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def end(self):
        self.process.terminate()
        self.process.wait()


class Device:
    def __init__(self, bench, name, namespace):
        self.bench, self.name, self.namespace = bench, name, namespace
        self.home = f"{bench.work}/{name}"
        self.process = None

    def start(self, *arguments):
        """Returns the time just before, in microseconds since 1970."""
        begin = time.time_ns() // 1000
        log = open(f"{self.bench.work}/{self.name}.log", "ab")
        self.process = subprocess.Popen(
            [*self.bench.enter(self.namespace), f"{self.bench.bin}/batond", "--home", self.home, *arguments],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.bench.processes.append(self.process)
        return begin

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def call(self, *arguments):
        output = run(f"{self.bench.bin}/baton", "--home", self.home, "--json", *arguments)
        return json.loads(output.strip().splitlines()[-1])

    def is_ready(self):
        status = subprocess.run(
            [f"{self.bench.bin}/baton", "--home", self.home, "--json", "status"], capture_output=True, check=False)
        return status.returncode == 0

    def records(self):
        output = run(f"{self.bench.bin}/baton", "--home", self.home, "--json", "log", "--limit", "0")
        return [json.loads(line) for line in output.splitlines()]

    def connected(self):
        return sum(1 for device in self.call("devices")["devices"] if device["connected"])

    def socket(self):
        for folder, _, files in os.walk(self.home):
            if "batond.sock" in files:
                return f"{folder}/batond.sock"
        raise SystemExit(f"no socket under {self.home}")


class Pairing:
    def __init__(self, device, *arguments):
        self.process = subprocess.Popen(
            [f"{device.bench.bin}/baton", "--home", device.home, "pair", "--json", *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        device.bench.processes.append(self.process)
        self.feed = Feed(self.process.stdout)

    def confirm(self):
        self.process.stdin.write("yes\n")
        self.process.stdin.flush()


def pair(sponsor, joiner):
    first = Pairing(sponsor)
    label = first.feed.wait("waiting")["label"]
    second = Pairing(joiner, "--name", f"Device {joiner.name}", "--label", label)
    codes = first.feed.wait("code", 30)["code"], second.feed.wait("code", 30)["code"]
    if codes[0] != codes[1]:
        raise SystemExit("the codes differ")
    first.confirm()
    second.confirm()
    if first.process.wait(30) or second.process.wait(30):
        raise SystemExit(f"{joiner.name} was not paired")


class Bench:
    def __init__(self, binaries, folder):
        self.bin = binaries
        self.work = tempfile.mkdtemp(prefix="baton-benchmark.", dir=folder)
        self.processes, self.namespaces = [], []

    def enter(self, namespace):
        return ["nsenter", f"--net=/run/netns/{namespace}"] if namespace else []

    def namespace(self, name):
        name = f"baton-bench-{os.getpid()}-{name}"
        run("ip", "netns", "add", name)
        self.namespaces.append(name)
        run("ip", "-n", name, "link", "set", "lo", "up")
        return name

    def up(self, namespace, number, link="eth0"):
        run("ip", "-n", namespace, "address", "add", f"192.0.2.{number}/24", "dev", link)
        run("ip", "-n", namespace, "link", "set", link, "up")

    def cable(self):
        """Two namespaces joined by a virtual cable."""
        a, b = self.namespace("a"), self.namespace("b")
        run("ip", "link", "add", "eth0", "netns", a, "type", "veth", "peer", "name", "eth0", "netns", b)
        self.up(a, 1)
        self.up(b, 2)
        return a, b

    def switch(self, count, name="p"):
        """So many namespaces on one bridge."""
        hub = self.namespace(f"{name}hub")
        run("ip", "-n", hub, "link", "add", "br0", "type", "bridge")
        run("ip", "-n", hub, "link", "set", "br0", "up")
        ports = []
        for number in range(1, count + 1):
            port = self.namespace(f"{name}{number}")
            run("ip", "link", "add", "eth0", "netns", port, "type", "veth", "peer", "name", f"v{number}", "netns", hub)
            run("ip", "-n", hub, "link", "set", f"v{number}", "master", "br0", "up")
            self.up(port, number)
            ports.append(port)
        return ports

    def tails(self):
        """What the daemons said last, for whoever asks why a measurement failed."""
        for folder, _, files in os.walk(self.work):
            for name in files if "/browser" not in folder else ():
                if name.endswith((".log", "events.jsonl")):
                    with open(f"{folder}/{name}", encoding="utf8", errors="replace") as file:
                        sys.stderr.write(f"-- the end of {folder}/{name}\n" + "".join(file.readlines()[-25:]))

    def close(self):
        for process in self.processes:
            if process.poll() is None:
                process.terminate()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
        # Apps that the daemons launched run from this folder, and go on without them.
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    if os.readlink(f"/proc/{entry}/exe").startswith(self.work + "/"):
                        os.kill(int(entry), 9)
                except OSError:
                    pass
        for namespace in self.namespaces:
            subprocess.run(["ip", "netns", "delete", namespace], check=False)
        shutil.rmtree(self.work, ignore_errors=True)

    # --- Apps ---------------------------------------------------------------------------------------------------------

    def make_bundle(self, identifier, executable, types):
        bundle = f"{self.work}/bundles/{identifier}.app"
        os.makedirs(bundle)
        with open(f"{here}/App/Info.plist", encoding="utf8") as file:
            plist = file.read()
        plist = plist.replace(APP + ".activity", types).replace(APP + "<", identifier + "<")
        with open(f"{bundle}/Info.plist", "w", encoding="utf8") as file:
            file.write(plist)
        # Its pipes are outside of the sandbox.
        shutil.copy(f"{here}/App/Entitlements.plist", bundle)
        shutil.copy(executable, f"{bundle}/BenchmarkApp")
        return bundle


# --- What runs on devices -----------------------------------------------------------------------------------------------


class Probe:
    """The benchmark's app, running on a device."""

    numbers = itertools.count()

    def __init__(self, device):
        self.device = device
        # An earlier one's reader may wait at its own pipe still.
        base = f"{device.bench.work}/{device.name}-probe-{next(self.numbers)}"
        paths = {"BATON_BENCHMARK_IN": base + ".in", "BATON_BENCHMARK_OUT": base + ".out"}
        for path in paths.values():
            if not os.path.exists(path):
                os.mkfifo(path)
        self.input = os.open(paths["BATON_BENCHMARK_IN"], os.O_RDWR)
        # For writing too, so that it does not end when the app does.
        self.feed = Feed(os.fdopen(os.open(paths["BATON_BENCHMARK_OUT"], os.O_RDWR), "r", encoding="utf8"))
        self.environment = paths
        self.start()

    def start(self):
        environment = [part for key, value in self.environment.items() for part in ("--env", f"{key}={value}")]
        self.device.call("launch", APP, *environment)
        self.feed.wait("ready")

    def end(self):
        """Ends the app, and waits until the daemon knows it."""
        self.device.call("quit", APP)
        wait_for(lambda: not any(app["process_id"] for app in self.device.call("apps")["apps"]), 10, "the app has ended")

    def make(self, size):
        os.write(self.input, f"make {size}\n".encode())
        return self.feed.wait("current")["t"]


class SSHD:
    """An ssh server of its own in a namespace; nothing of the machine's ssh is used or changed."""

    PATH = "/usr/sbin/sshd"

    def __init__(self, bench, namespace):
        self.folder = f"{bench.work}/ssh"
        os.makedirs(self.folder)
        for name in ("host", "user"):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{self.folder}/{name}")
        shutil.copy(f"{self.folder}/user.pub", f"{self.folder}/authorized")
        os.makedirs("/run/sshd", exist_ok=True)
        with open(f"{self.folder}/config", "w", encoding="utf8") as file:
            file.write(f"HostKey {self.folder}/host\nAuthorizedKeysFile {self.folder}/authorized\nStrictModes no\n"
                       "UsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\nPidFile none\n"
                       "Subsystem sftp internal-sftp\n")
        process = subprocess.Popen(
            [*bench.enter(namespace), self.PATH, "-D", "-f", f"{self.folder}/config", "-o", "ListenAddress=192.0.2.1:2222"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        bench.processes.append(process)
        self.bench = bench
        time.sleep(1)

    @property
    def options(self):
        return ["-i", f"{self.folder}/user", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
                "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes"]

    def fetch(self, namespace, path, target="/dev/null"):
        """Seconds that scp takes to fetch a file or a folder."""
        begin = time.monotonic()
        run(*self.bench.enter(namespace), "scp", "-q", "-r", "-P", "2222", *self.options, f"root@192.0.2.1:{path}", target)
        return time.monotonic() - begin

    def sync(self, namespace, path, target):
        """Seconds that rsync over ssh takes."""
        begin = time.monotonic()
        run(*self.bench.enter(namespace), "rsync", "-a", "-e", " ".join(["ssh", "-p", "2222", *self.options]),
            f"root@192.0.2.1:{path}", target)
        return time.monotonic() - begin


# --- Figures ----------------------------------------------------------------------------------------------------------


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def ms(nanoseconds):
    return round(nanoseconds / 1e6, 3)


def summary(blocks):
    """Of a list of blocks of nanoseconds."""
    everything = list(itertools.chain.from_iterable(blocks))
    medians = [statistics.median(block) for block in blocks]
    return {
        "count": len(everything), "p50_ms": ms(statistics.median(everything)), "p99_ms": ms(percentile(everything, 0.99)),
        "block_p50_ms": [ms(median) for median in medians],
    }


def ratios(blocks, before, after, constant=0):
    """Each block's median to the median of the baselines around it."""
    values = []
    for block, first, second in zip(blocks, before, after):
        values.append((statistics.median(block) - constant) / statistics.median(first + second))
    return {"median": round(statistics.median(values), 2), "min": round(min(values), 2), "max": round(max(values), 2)}


def cpu_seconds(pids):
    """Processor time of processes so far, threads that have ended included."""
    ticks = 0
    for pid in pids:
        with open(f"/proc/{pid}/stat", encoding="utf8") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
