"""Any folder on two devices that reach each other, beside Syncthing and Unison with the same files."""
import json
import os
import shutil
import subprocess
import time
import xml.etree.ElementTree as ElementTree

from cloud import Cloud, resident_kb, spread
from documents import Watch, content, count, fill
from harness import SSHD, Device, cpu_seconds, pair, run, say, wait_for

FILES = 10_000
LARGE = 1 << 30
CHANGED = 4096
# Seconds after which unneeded memory was given back.
REST = 45


def interface_bytes(namespace):
    """What this namespace has sent. /sys shows the namespace of the mount, so the kernel's table is read instead."""
    for line in run("nsenter", f"--net=/run/netns/{namespace}", "cat", "/proc/net/dev").splitlines():
        if line.strip().startswith("eth0:"):
            return int(line.split(":")[1].split()[8])
    raise SystemExit("no interface")


def random_file(path, size):
    with open(path, "wb") as file:
        for _ in range(size >> 20):
            file.write(os.urandom(1 << 20))


def same(here, there, name):
    """Whether both have the same bytes, by size and then by a look at all."""
    try:
        if os.path.getsize(f"{here}/{name}") != os.path.getsize(f"{there}/{name}"):
            return False
        with open(f"{here}/{name}", "rb") as first, open(f"{there}/{name}", "rb") as second:
            while block := first.read(1 << 22):
                if block != second.read(1 << 22):
                    return False
        return True
    except OSError:
        return False


class Baton:
    """Two daemons, a folder on each."""

    name = "baton"

    def __init__(self, bench):
        ports = bench.switch(3, "f")
        self.ports = ports[:2]
        self.devices = [Device(bench, f"f{number}", port) for number, port in enumerate(self.ports)]
        for device in self.devices:
            device.start()
            wait_for(device.is_ready, 20, "the daemon is ready")
        self.devices[0].call("account", "create", "--name", "Device f0")
        pair(*self.devices)
        self.cloud = Cloud(bench, "fcloud", namespace=ports[2], address="192.0.2.3")
        for device in self.devices:
            device.call("cloud", "login", self.cloud.url, "--fingerprint", self.cloud.fingerprint)
            wait_for(lambda device=device: device.call("cloud", "status")["state"] == "connected", 30, "connected")
        self.folders = [f"{bench.work}/baton-{number}" for number in range(2)]
        for folder in self.folders:
            os.makedirs(folder)
        self.devices[0].call("folder", "add", self.folders[0], "--name", "bench")
        wait_for(self.join, 60, "the folder is known on the other device")

    def join(self):
        try:
            self.devices[1].call("folder", "join", "bench", self.folders[1])
            return True
        except Exception:  # The name has not arrived yet.
            return False

    @property
    def processes(self):
        return [device.process.pid for device in self.devices] + [self.cloud.process.pid]

    @property
    def memory(self):
        return [round(resident_kb(device.process.pid) / 1024, 1) for device in self.devices]

    def sync(self):
        """The daemons do it by themselves."""

    def settle(self):
        """Large contents go to the other device first, and to the cloud then."""
        def is_settled():
            containers = [device.call("folder", "status", "bench")["container"] for device in self.devices]
            return all(container and container["to_upload"] + container["to_download"] == 0 for container in containers)

        wait_for(is_settled, 300, "everything is in the cloud")

    def unchanged(self):
        """From the start of the second daemon until it knows that nothing is to be done."""
        device = self.devices[1]
        device.stop()
        device.start()
        begin = time.monotonic()
        wait_for(device.is_ready, 60, "the daemon is ready")
        ready = time.monotonic()

        def is_settled():
            container = device.call("folder", "status", "bench")["container"]
            return container and container["complete"] and container["to_upload"] + container["to_download"] == 0

        wait_for(is_settled, 60, "settled")
        return {"start": round(ready - begin, 2), "seconds": round(time.monotonic() - ready, 2)}

    def end(self):
        for device in self.devices:
            device.stop()
        self.cloud.end()


class Syncthing:
    """Two of Debian's, told of each other, with the shortest delay of their watchers."""

    name = "syncthing"

    def __init__(self, bench):
        ports = bench.switch(2, "s")
        self.ports = ports
        homes = [f"{bench.work}/syncthing-home-{number}" for number in range(2)]
        self.folders = [f"{bench.work}/syncthing-{number}" for number in range(2)]
        identifiers, self.keys = [], []
        for home, folder in zip(homes, self.folders):
            os.makedirs(folder)
            run("syncthing", "generate", f"--home={home}", "--no-default-folder")
            identifiers.append(run("syncthing", "--device-id", f"--home={home}").strip())
        self.started = []
        for number, home in enumerate(homes):
            self.configure(home, number, identifiers)
            log = open(f"{bench.work}/syncthing-{number}.log", "ab")
            process = subprocess.Popen(
                [*bench.enter(ports[number]), "syncthing", "serve", f"--home={home}", "--no-browser"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ, "STNOUPGRADE": "1"})
            bench.processes.append(process)
            self.started.append(process)
        self.bench = bench
        time.sleep(15)

    def configure(self, home, number, identifiers):
        path = f"{home}/config.xml"
        tree = ElementTree.parse(path)
        root = tree.getroot()
        for device in root.findall("device"):
            root.remove(device)
        for other, identifier in enumerate(identifiers):
            device = ElementTree.SubElement(root, "device", {"id": identifier, "name": f"s{other}", "compression": "metadata"})
            ElementTree.SubElement(device, "address").text = f"tcp://192.0.2.{other + 1}:22000"
        folder = ElementTree.SubElement(root, "folder", {
            "id": "bench", "label": "bench", "path": self.folders[number], "type": "sendreceive", "rescanIntervalS": "3600",
            "fsWatcherEnabled": "true", "fsWatcherDelayS": "1", "ignorePerms": "false"})
        for identifier in identifiers:
            ElementTree.SubElement(folder, "device", {"id": identifier})
        ElementTree.SubElement(folder, "maxConflicts").text = "10"
        options = root.find("options")
        for name, value in (("globalAnnounceEnabled", "false"), ("localAnnounceEnabled", "false"), ("relaysEnabled", "false"),
                            ("natEnabled", "false"), ("urAccepted", "-1"), ("crashReportingEnabled", "false")):
            found = options.find(name)
            if found is None:
                found = ElementTree.SubElement(options, name)
            found.text = value
        self.keys.append(root.find("gui").find("apikey").text)
        tree.write(path)

    @property
    def processes(self):
        found = []
        for process in self.started:
            children = run("pgrep", "-P", str(process.pid)).split()
            found += [process.pid, *map(int, children)]
        return found

    @property
    def memory(self):
        pids = self.processes
        return [round(resident_kb(pid) / 1024, 1) for pid in pids[1::2]]

    def sync(self):
        """The watchers do it by themselves."""

    def settle(self):
        """There is nobody else."""

    def unchanged(self):
        begin = time.monotonic()
        run(*self.bench.enter(self.ports[0]), "curl", "-fsS", "-X", "POST", "-H", f"X-API-Key: {self.keys[0]}",
            "http://127.0.0.1:8384/rest/db/scan?folder=bench")
        return {"seconds": round(time.monotonic() - begin, 2)}

    def end(self):
        for process in self.started:
            process.terminate()
            process.wait()


class Unison:
    """Asked for each time, over ssh."""

    name = "unison"

    def __init__(self, bench, port, sshd, peer):
        self.bench, self.port, self.sshd = bench, port, sshd
        self.ports = [port, peer]
        self.folders = [f"{bench.work}/unison-{number}" for number in range(2)]
        for folder in self.folders:
            os.makedirs(folder)
        self.processes, self.memory = [], []
        self.state = f"{bench.work}/unison-state"
        self.sync()

    def sync(self):
        options = " ".join(["-p", "2222", *self.sshd.options])
        run(*self.bench.enter(self.port), "env", f"UNISON={self.state}", "unison", self.folders[0],
            f"ssh://root@192.0.2.1/{self.folders[1]}", "-sshargs", options, "-batch", "-silent", "-times", "-perms", "0")

    def settle(self):
        """There is nobody else."""

    def unchanged(self):
        begin = time.monotonic()
        self.sync()
        return {"seconds": round(time.monotonic() - begin, 2)}

    def end(self):
        """Nothing runs."""


def timed(system, what, change, arrived, seconds=300):
    """How long until the other side has a change, the processor's seconds, and what went over the cable."""
    pids = system.processes
    before, sent = cpu_seconds(pids), interface_bytes(system.ports[0])
    begin = time.monotonic()
    change()
    system.sync()
    while not arrived():
        if time.monotonic() - begin > seconds:
            raise SystemExit(f"{system.name}, {what}: not within {seconds} s")
        time.sleep(0.01)
    taken = time.monotonic() - begin
    result = {"seconds": round(taken, 2), "cpu": round(cpu_seconds(pids) - before, 2),
              "sent_mb": round((interface_bytes(system.ports[0]) - sent) / 1e6, 2)}
    say(f"folders: {system.name}, {what}: {json.dumps(result)}")
    return result


def measure_one(bench, system, options):
    here, there = system.folders
    result = {}
    source = f"{bench.work}/source-{system.name}"
    fill_once(source)
    result["many"] = timed(
        system, "many", lambda: shutil.copytree(source, f"{here}/many"), lambda: count(f"{there}/many") == FILES)
    time.sleep(3)
    result["renamed"] = timed(
        system, "renamed", lambda: os.rename(f"{here}/many", f"{here}/moved"),
        lambda: not os.path.exists(f"{there}/many") and count(f"{there}/moved") == FILES)
    time.sleep(3)
    result["unchanged"] = system.unchanged()
    say(f"folders: {system.name}, nothing to do: {result['unchanged']}")

    large = f"{bench.work}/large-{system.name}"
    random_file(large, LARGE)
    size = os.path.getsize(large)
    result["large"] = timed(
        system, "1 GiB", lambda: os.rename(large, f"{here}/large"),
        lambda: os.path.exists(f"{there}/large") and os.path.getsize(f"{there}/large") == size)
    wait_for(lambda: same(here, there, "large"), 120, "the large file is whole")
    system.settle()
    time.sleep(3)
    mark = os.urandom(CHANGED)

    def change():
        with open(f"{here}/large", "r+b") as file:
            file.seek(LARGE // 2 + 12345)
            file.write(mark)

    def has_mark():
        try:
            with open(f"{there}/large", "rb") as file:
                file.seek(LARGE // 2 + 12345)
                return file.read(CHANGED) == mark
        except FileNotFoundError:
            return False

    watch = Watch(f"{there}/large")
    result["changed"] = timed(system, "4 KiB in it", change, has_mark)
    result["changed"]["path"] = watch.end()
    os.remove(f"{here}/large")
    system.sync()

    times = []
    for number in range(10):
        name = f"small-{number}"

        def write(name=name):
            with open(f"{here}/{name}", "wb") as file:
                file.write(name.encode())
        times.append(timed(system, "small", write, lambda name=name: content(f"{there}/{name}") == name.encode(), 60)["seconds"])
        time.sleep(0.6)
    result["small"] = spread(times)
    result["memory_mb"] = system.memory
    if options.documents > FILES and system.name != "unison":
        rest = options.documents - FILES
        begin = time.monotonic()
        os.makedirs(f"{here}/rest")
        fill(f"{here}/rest", rest)
        wait_for(lambda: count(f"{there}/rest") == rest, 1200, "all files have arrived")
        result["crowd"] = {"files": options.documents, "seconds": round(time.monotonic() - begin, 1), "memory_mb": system.memory}
        system.settle()
        time.sleep(REST)
        result["crowd"]["memory_at_rest_mb"] = system.memory
        say(f"folders: {system.name}: {json.dumps(result['crowd'])}")
    return result


def fill_once(source):
    os.makedirs(source)
    fill(source, FILES)


def measure(bench, options):
    result = {}
    systems = [lambda: Baton(bench)]
    if shutil.which("syncthing"):
        systems.append(lambda: Syncthing(bench))
    if shutil.which("unison") and os.path.exists(SSHD.PATH):
        def unison():
            ports = bench.switch(2, "u")
            return Unison(bench, ports[1], SSHD(bench, ports[0]), ports[0])
        systems.append(unison)
    for make in systems:
        system = make()
        result[system.name] = measure_one(bench, system, options)
        system.end()
        for folder in system.folders:
            shutil.rmtree(folder, ignore_errors=True)
    return result


def rows(result):
    if not (figures := result.get("folders")):
        return []
    found = []
    for key, title, aim in (
            ("many", f"{FILES} files of 1 KiB", "3 s"), ("large", "1 GiB", "5 s"),
            ("changed", "4 KiB changed in it", "1 s, 256 KB sent"), ("renamed", "a tree of them renamed", "0.5 s"),
            ("unchanged", "nothing to do", "0.1 s")):
        texts = []
        for name, values in figures.items():
            value = values[key]
            extra = f", {value['cpu']} CPU s" if value.get("cpu") else ""
            extra += f", {value['sent_mb']} MB" if key == "changed" else ""
            texts.append(f"{name} {value['seconds']} s{extra}")
        found.append((f"folders: {title}", "; ".join(texts), f"aim: {aim}"))
    found.append(("folders: one small file", "; ".join(
        f"{name} {values['small']['median']} s" for name, values in figures.items()), "aim: 0.2 s"))
    for name, values in figures.items():
        if crowd := values.get("crowd"):
            found.append((f"folders: memory at {crowd['files']} files, {name}",
                          f"{crowd['memory_mb']} MB, at rest {crowd['memory_at_rest_mb']} MB", f"all after {crowd['seconds']} s"))
    return found
