"""Other programs that send files, as they come from PyPI, each in a virtual environment of its own."""
import os
import re
import shutil
import subprocess
import sys
import time

from harness import here, say

ENVIRONMENTS = os.path.join(os.path.dirname(here), ".build")


def environment(name, *packages):
    """The programs of a virtual environment, which is made when it is not there; nil without PyPI."""
    folder = f"{ENVIRONMENTS}/{name}"
    mark = f"{folder}/complete-benchmarks"
    if not os.path.exists(mark):
        say(f"installing {packages[0]} from PyPI")
        subprocess.run(["python3", "-m", "venv", folder], check=True)
        made = subprocess.run([f"{folder}/bin/pip", "--quiet", "--disable-pip-version-check", "install", *packages], check=False)
        if made.returncode != 0:
            return None
        with open(mark, "w", encoding="utf8"):
            pass
    return f"{folder}/bin"


class Wormhole:
    """magic-wormhole with a mailbox server of its own beside the sender; the bytes go directly."""

    def __init__(self, bench, sender, receiver, address="192.0.2.1", name="wormhole"):
        self.bench, self.sender, self.receiver = bench, sender, receiver
        self.bin = environment("wormhole", "magic-wormhole==0.24.0", "magic-wormhole-mailbox-server==0.8.0")
        if not self.bin:
            return
        self.folder = f"{bench.work}/{name}"
        os.makedirs(self.folder)
        self.number = 100
        mailbox = subprocess.Popen(
            [*bench.enter(sender), f"{self.bin}/twist", "wormhole-mailbox", "--port", f"tcp:4000:interface={address}",
             "--channel-db", ":memory:"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)
        bench.processes.append(mailbox)
        time.sleep(3)
        self.options = ["--relay-url", f"ws://{address}:4000/v1", "--transit-helper", f"tcp:{address}:4001"]

    def send(self, item, target):
        """Seconds from the start of both commands until both have ended."""
        self.number += 1
        code = f"{self.number}-one-two"
        settings = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL,
                    "env": {**os.environ, "HOME": self.folder}}
        begin = time.monotonic()
        sending = subprocess.Popen(
            [*self.bench.enter(self.sender), f"{self.bin}/wormhole", *self.options, "send", "--hide-progress", "--code", code,
             item], **settings)
        receiving = subprocess.Popen(
            [*self.bench.enter(self.receiver), f"{self.bin}/wormhole", *self.options, "receive", "--hide-progress",
             "--accept-file", code], cwd=target, **settings)
        self.bench.processes += [sending, receiving]
        if receiving.wait(900) or sending.wait(60):
            raise SystemExit("magic-wormhole failed")
        return time.monotonic() - begin


class OpenDrop:
    """OpenDrop on both sides. It sends one file at a time, to a receiver that it has found before."""

    def __init__(self, bench, sender, receiver):
        self.bench, self.sender, self.receiver = bench, sender, receiver
        self.bin = environment("opendrop", "opendrop==0.13.0", "libarchive-c==3.2", "Pillow<10", "setuptools<81")
        self.folder = f"{bench.work}/opendrop"
        os.makedirs(f"{self.folder}/sender")
        os.makedirs(f"{self.folder}/receiver")

    def start(self, side, namespace, *arguments, cwd=None):
        process = subprocess.Popen(
            [*self.bench.enter(namespace), f"{self.bin}/opendrop", *arguments, "-i", "eth0", "-n", side],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=cwd,
            env={**os.environ, "HOME": f"{self.folder}/{side}"})
        self.bench.processes.append(process)
        return process

    def send(self, item, target):
        """Seconds that the sending takes, without finding the receiver."""
        receiving = self.start("receiver", self.receiver, "receive", cwd=target)
        time.sleep(2)
        finding = self.start("sender", self.sender, "find")
        time.sleep(6)
        finding.send_signal(2)
        found = finding.communicate()[0]
        index = re.search(r"index (\d+).*receiver", found)
        if not index:
            raise SystemExit(f"OpenDrop did not find its receiver: {found}")
        begin = time.monotonic()
        sending = self.start("sender", self.sender, "send", "-r", index[1], "-f", item)
        said = sending.communicate(timeout=600)[0]
        seconds = time.monotonic() - begin
        receiving.terminate()
        receiving.wait()
        if "successful" not in said:
            raise SystemExit(f"OpenDrop failed: {said}")
        return seconds


class Lossy:
    """Two namespaces joined by lossy.py."""

    def __init__(self, bench, delay, loss, seed=1):
        self.namespaces = bench.namespace("far1"), bench.namespace("far2")
        self.bridge = subprocess.Popen(
            [sys.executable, f"{here}/lossy.py", *self.namespaces, str(delay), str(loss), str(seed)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        bench.processes.append(self.bridge)
        if self.bridge.stdout.readline().strip() != "ready":
            raise SystemExit("the lossy bridge did not start")
        for number, namespace in enumerate(self.namespaces, 1):
            bench.up(namespace, number)


def emptied(folder, body):
    """What `body` returns; then the folder that it filled is empty again."""
    result = body()
    shutil.rmtree(folder)
    os.makedirs(folder)
    return result
