#!/usr/bin/env python3
"""Appends lines to documents on two devices of one account, and looks whether each line is somewhere in the end.

    python3 append_load.py PROGRAMS FOLDER [--seconds 3600] [--rate 2] [--names 12] [--only-content]

PROGRAMS is the folder of batond, baton and baton-cloud, FOLDER a new one for both devices and their cloud, which listen on this
machine only.
Each device has exactly one writer, which counts its lines: in place, by a new file that takes the old one's place, and
between moves, deletions and new files (--only-content: without those). A writer notes what it removes itself: that is read from
what went out of the folder. A deletion also takes unresolved versions of the document along. Nobody notes them: where the document
comes back by the other device's change, they are deleted entries of its name, and are found there.

Then each line is looked for on each device: in the documents, in their versions, in what was deleted, and in its versions.
One that is nowhere must have been removed by a writer that had it before it. Prints one JSON object; the status is 1 if a line is missing
that nobody removed, or if both devices do not show the same.
"""

import argparse
import base64
import ctypes
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time

# So many operations of a writer later it goes on to other files.
EPOCH = 400
EXCHANGE, NOREPLACE = 2, 1
LIBC = ctypes.CDLL(None, use_errno=True)
# Nothing is taken from the desktop of the person who runs this.
CLEAN = {
    "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8",
    "DBUS_SESSION_BUS_ADDRESS": "disabled:", "DBUS_SYSTEM_BUS_ADDRESS": "disabled:"}


def say(text):
    print(time.strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)


def rename(old, new, flags):
    """Returns whether it was done."""
    return LIBC.renameat2(-100, os.fsencode(old), -100, os.fsencode(new), flags) == 0


class Device:
    def __init__(self, letter, folder, programs, port):
        self.letter, self.programs, self.port = letter, programs, port
        self.home = folder / letter.lower()
        self.home.mkdir(mode=0o700)
        self.outside = self.home / "outside"
        self.outside.mkdir()
        environment = dict(CLEAN, HOME=str(self.home))
        self.environment = environment
        self.daemon = subprocess.Popen(
            [programs / "batond", "--home", self.home, "--port", str(port)], env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(self.home / "daemon.log", "wb"))

    @property
    def drive(self):
        return self.home / "iCloud Drive"

    def start(self, *arguments):
        return subprocess.Popen(
            [self.programs / "baton", "--home", self.home, "--json", *arguments], env=self.environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def baton(self, *arguments, check=True):
        process = self.start(*arguments)
        out, errors = process.communicate(timeout=300)
        if process.returncode != 0:
            if check:
                raise RuntimeError(f"baton {' '.join(map(str, arguments))}: {errors}")
            return None
        return json.loads(out)

    def until(self, words, test, limit=120):
        end = time.monotonic() + limit
        while not test():
            if time.monotonic() > end:
                raise RuntimeError(f"{self.letter}: {words} did not come to be within {limit} s")
            time.sleep(0.3)

    def container(self):
        listing = self.baton("documents", check=False) or {}
        for container in listing.get("containers", []):
            if os.path.realpath(container.get("folder") or "/") == os.path.realpath(self.drive) \
                    or (container.get("path") and os.path.realpath(self.drive).startswith(os.path.realpath(container["path"]))):
                return container
        return None

    def at_rest(self):
        container = self.container()
        return bool(container) and not container.get("to_upload") and not container.get("to_download") \
            and not container.get("problem")

    def tree(self):
        result = {}
        for path in sorted(self.drive.rglob("*")):
            if path.is_file():
                result[str(path.relative_to(self.drive))] = path.read_bytes()
        return result


def pair(sponsor, joiner):
    """Both of them, as two people who compare the codes."""
    first = sponsor.start("pair")
    address = None
    for line in first.stdout:
        event = json.loads(line)
        if event["event"] == "waiting":
            port = event["addresses"][0].rsplit(":", 1)[1]
            address = next((a for a in event["addresses"] if a.startswith("127.")), f"127.0.0.1:{port}")
            break
    second = joiner.start("pair", "--name", f"Device {joiner.letter}", "--address", address)

    def follow(process):
        for line in process.stdout:
            event = json.loads(line)
            if event["event"] == "code":
                process.stdin.write("yes\n")
                process.stdin.flush()

    threads = [threading.Thread(target=follow, args=[process]) for process in (first, second)]
    for thread in threads:
        thread.start()
    for process in (second, first):
        if process.wait(120) != 0:
            raise RuntimeError(f"pairing: {process.stderr.read()}")
    for thread in threads:
        thread.join()


class Writer(threading.Thread):
    """The only one that changes documents on its device."""

    def __init__(self, device, arguments, ready):
        super().__init__()
        self.device, self.seconds, self.rate = device, arguments.seconds, arguments.rate
        self.names, self.only_content = arguments.names, arguments.only_content
        self.random = random.Random(f"{arguments.seed}{device.letter}")
        self.ready = ready
        self.count = 0
        self.operations = 0
        self.moved = 0
        self.written = {}  # line: what was done
        self.removed = {}  # line: how this writer removed it
        self.log = open(device.home / "writer.log", "w")

    def note(self, text):
        print(f"{time.time():.3f} {text}", file=self.log, flush=True)

    def somewhere(self):
        epoch = self.operations // EPOCH
        return self.device.drive / f"{epoch}-{self.random.randrange(self.names)}.txt"

    def line(self):
        self.count += 1
        return f"{self.device.letter}{self.count}"

    def run(self):
        self.ready.wait()
        end = time.monotonic() + self.seconds
        while time.monotonic() < end:
            self.act()
            self.operations += 1
            time.sleep(self.random.uniform(0.2, 1.8) / self.rate)

    def act(self):
        path = self.somewhere()
        kind = self.random.randrange(86 if self.only_content else 100)
        if kind < 70:
            self.append(path)
        elif kind < 86:
            self.save(path)
        elif kind < 93:
            other = self.somewhere()
            if rename(path, other, NOREPLACE):
                self.note(f"{path.name} moves to {other.name}")
        elif kind < 97:
            self.delete(path)
        else:
            self.append(path.with_name(f"new-{self.device.letter}{self.count}.txt"))

    def append(self, path):
        line = self.line()
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            inode = os.fstat(descriptor).st_ino
            os.write(descriptor, f"{line}\n".encode())
        finally:
            os.close(descriptor)
        self.written[line] = f"appended to {path.name}"
        self.note(f"{path.name} {line} appended, inode {inode}")

    def out(self):
        self.moved += 1
        return self.device.outside / f"{self.moved}.txt"

    def save(self, path):
        try:
            before = path.read_bytes()
        except FileNotFoundError:
            return
        line, next_file = self.line(), self.out()
        next_file.write_bytes(before + f"{line}\n".encode())
        if not rename(next_file, path, EXCHANGE):
            self.count -= 1
            return
        self.written[line] = f"saved in {path.name}"
        # Words that came between the reading and the exchange.
        for gone in set(next_file.read_bytes().split()) - set(before.split()):
            self.removed[gone.decode()] = f"{self.device.letter} saved {line} over it in {path.name}"
        self.note(f"{path.name} {line} saved over {before.split()[-3:]}")

    def delete(self, path):
        target = self.out()
        try:
            os.rename(path, target)
        except FileNotFoundError:
            return
        lines = target.read_bytes().split()
        for gone in lines:
            self.removed[gone.decode()] = f"{self.device.letter} deleted {path.name}"
        self.note(f"{path.name} deleted with {len(lines)} lines, the last {lines[-3:]}")


def lines_of(data):
    return set(data.decode(errors="replace").split())


def search(device, wanted):
    """Where each of the wanted lines is: line to words."""
    found, left = {}, set(wanted)

    def take(data, where):
        for line in lines_of(data) & left:
            found[line] = where
            left.discard(line)

    for name, data in device.tree().items():
        take(data, "document")
    identifier = device.container()["identifier"]
    for deleted in (False, True):
        listing = device.baton("documents", "list", identifier, *(["--deleted"] if deleted else []))
        numbers = {}
        # Those with conflicts first, in which most are.
        for document in listing["documents"]:
            number = numbers[document["path"]] = numbers.get(document["path"], 0) + 1
            document["number"] = number
        for document in sorted(listing["documents"], key=lambda document: -document["conflicts"]):
            if not left:
                return found
            if document["kind"] in ("folder", "directory"):
                continue
            arguments = ["versions", f"{identifier}/{document['path']}"]
            if deleted:
                arguments += ["--deleted", "--number", str(document["number"])]
            versions = device.baton(*arguments, check=False)
            for version in (versions or {}).get("versions", []):
                if version["current"] and not deleted:
                    continue
                shown = device.baton(*arguments, "--show", version["id"], check=False)
                if shown:
                    what = "deleted" if deleted else "conflict" if version["conflict"] else "version"
                    take(base64.b64decode(shown["base64"]), what)
    return found


def run(arguments):
    programs, folder = pathlib.Path(arguments.programs), pathlib.Path(arguments.folder)
    folder.mkdir(mode=0o700, parents=True)
    devices, cloud = [], None
    try:
        cloud = subprocess.Popen(
            [programs / "baton-cloud", "serve", "--data", folder / "cloud", "--listen", f"127.0.0.1:{arguments.port + 9}"],
            env=dict(CLEAN, HOME=str(folder)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
            stderr=open(folder / "cloud.log", "wb"))
        fingerprint = next(
            line.split()[-1] for line in cloud.stdout if line.startswith("certificate SHA-256 "))
        threading.Thread(target=lambda: [None for _ in cloud.stdout], daemon=True).start()
        devices = [Device("A", folder, programs, arguments.port), Device("B", folder, programs, arguments.port + 4)]
        for device in devices:
            device.until("the daemon's answer", lambda: device.baton("status", check=False) is not None)
        devices[0].baton("account", "create", "--name", "Device A")
        pair(devices[0], devices[1])
        devices[0].baton("cloud", "login", f"https://127.0.0.1:{arguments.port + 9}", "--fingerprint", fingerprint)
        for device in devices:
            device.until(
                "the cloud's connection",
                lambda: (device.baton("cloud", "status", check=False) or {}).get("state") == "connected")
            device.until("the folder of the person", lambda: device.drive.is_dir() and device.container())
        say("both devices are connected")
        ready = threading.Event()
        writers = [Writer(device, arguments, ready) for device in devices]
        for writer in writers:
            writer.start()
        ready.set()
        while any(writer.is_alive() for writer in writers):
            for writer in writers:
                writer.join(30)
            say(", ".join(f"{writer.device.letter}: {writer.operations}" for writer in writers))
        return judge(devices, writers)
    finally:
        for process in [*(device.daemon for device in devices), *([cloud] if cloud else [])]:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()


def judge(devices, writers):
    equal = True
    try:
        devices[0].until(
            "rest with one tree",
            lambda: all(device.at_rest() for device in devices) and devices[0].tree() == devices[1].tree(), limit=300)
    except RuntimeError as error:
        say(error)
        equal = False
    written = {line: words for writer in writers for line, words in writer.written.items()}
    removed = {line: words for writer in writers for line, words in writer.removed.items()}
    result = {
        "operations": sum(writer.operations for writer in writers), "lines": len(written), "equal": equal,
        "removed_by_writers": len(removed.keys() & written.keys()), "missing": {}, "where": {}}
    for device in devices:
        found = search(device, written)
        where = {}
        for line in found.values():
            where[line] = where.get(line, 0) + 1
        gone = written.keys() - found.keys()
        where["removed by a writer"] = len(gone & removed.keys())
        result["where"][device.letter] = where
        for line in sorted(gone - removed.keys()):
            result["missing"].setdefault(line, {"written": written[line], "on": []})["on"].append(device.letter)
    print(json.dumps(result, indent=1))
    return 0 if equal and not result["missing"] else 1


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("programs")
    parser.add_argument("folder")
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--rate", type=float, default=2, help="operations in a second, of each device")
    parser.add_argument("--names", type=int, default=12, help="documents that are written at a time")
    parser.add_argument("--only-content", action="store_true", help="nothing is moved, deleted or made beside them")
    parser.add_argument("--port", type=int, default=27300)
    parser.add_argument("--seed", default=os.environ.get("BATON_SEED", str(random.getrandbits(32))))
    arguments = parser.parse_args()
    say(f"BATON_SEED={arguments.seed}")
    sys.exit(run(arguments))


if __name__ == "__main__":
    main()
