"""Opening URLs: in an app that runs, in one that must be launched, and the choice among many apps."""
import os
import shutil
import statistics
import subprocess
import time

from harness import APP, Feed, Probe, Tool, here, ms, ratios, run, say, summary

URL = "baton-benchmark://open?1"


class Spawn:
    """The benchmark's app as a bare child process: from before the spawn until it is ready."""

    def __init__(self, bench):
        self.bench = bench
        self.paths = f"{bench.work}/spawn.in", f"{bench.work}/spawn.out"
        for path in self.paths:
            os.mkfifo(path)
        self.feed = Feed(os.fdopen(os.open(self.paths[1], os.O_RDWR), "r", encoding="utf8"))

    def times(self, count):
        times = []
        for _ in range(count):
            begin = time.monotonic_ns()
            process = subprocess.Popen(
                [f"{self.bench.bin}/BenchmarkApp"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "BATON_BENCHMARK_IN": self.paths[0], "BATON_BENCHMARK_OUT": self.paths[1],
                     "BATON_HOME": f"{self.bench.work}/nobody"})
            times.append(self.feed.wait("ready")["t"] - begin)
            process.kill()
            process.wait()
        return times


class Activation:
    """A session bus of its own, which starts a trivial service for each call to it."""

    CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig><type>session</type><listen>unix:path={folder}/bus</listen><servicedir>{folder}</servicedir>
        <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
        <allow own="*"/></policy></busconfig>"""

    def __init__(self, bench):
        folder = f"{bench.work}/bus"
        os.makedirs(folder)
        self.program = f"{folder}/activation"
        run("clang", "-O2", f"{here}/activation.c", "-o", self.program, "-lsystemd")
        with open(f"{folder}/bus.conf", "w", encoding="utf8") as file:
            file.write(self.CONFIGURATION.format(folder=folder))
        with open(f"{folder}/dev.baton.Benchmark.Trivial.service", "w", encoding="utf8") as file:
            file.write(f"[D-BUS Service]\nName=dev.baton.Benchmark.Trivial\nExec={self.program} serve\n")
        self.bus = subprocess.Popen(
            ["dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork", "--print-address"], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, text=True, env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": f"unix:path={folder}/bus"})
        bench.processes.append(self.bus)
        self.address = self.bus.stdout.readline().strip()

    def times(self, count):
        environment = {**os.environ, "DBUS_SESSION_BUS_ADDRESS": self.address}
        output = subprocess.run([self.program, "call", str(count)], check=True, capture_output=True, text=True,
                                env=environment).stdout
        return [int(line) for line in output.split()]


def measure(bench, device, options):
    """Each block lies between two of its baseline."""
    say("opening")
    driver = Tool(bench, None, "drive", device.socket())
    driver.feed.wait("offers")
    probe = Probe(device)
    spawn = Spawn(bench)

    def calls(command, count):
        times = []
        for _ in range(count):
            driver.write(command)
            times.append(driver.feed.wait("answered", 30)["ns"])
            time.sleep(0.005)
        return times

    def cold(count):
        times = []
        for _ in range(count):
            probe.end()
            times += calls(f"open {URL}", 1)
        return times

    def blocks(base, block, count):
        base(5), block(3)
        before, values, after = [], [], []
        for _ in range(options.blocks):
            before.append(base(count))
            values.append(block(count))
            after.append(base(count))
        figures = {"baseline": summary([a + b for a, b in zip(before, after)]), **summary(values)}
        figures["ratio"] = ratios(values, before, after)
        return figures

    def bare(count):
        return calls("devices -", count)

    result = {"running": blocks(bare, lambda count: calls(f"open {URL}", count), options.count)}
    result["launched"] = blocks(spawn.times, cold, 8)
    if shutil.which("dbus-daemon") and shutil.which("clang"):
        result["activated"] = blocks(Activation(bench).times, cold, 8)
    else:
        say("without dbus-daemon and clang there is no D-Bus activation to compare with")
    result["choosing"] = blocks(bare, lambda count: calls(f"handlers {URL}", count), options.count)
    driver.end()
    device.call("quit", APP)
    return result


def choosing(driver, scheme, options):
    """Among the many apps of the crowd: to a bare call of the same daemon."""

    def calls(command):
        times = []
        for _ in range(options.count):
            driver.write(command)
            times.append(driver.feed.wait("answered", 30)["ns"])
        return times

    calls("devices -"), calls(f"handlers {scheme}:x")
    before, values, after = [], [], []
    for _ in range(options.blocks):
        before.append(calls("devices -"))
        values.append(calls(f"handlers {scheme}:x"))
        after.append(calls("devices -"))
    return {"p50_ms": ms(statistics.median(sum(values, []))), "ratio": ratios(values, before, after)}


def rows(result):
    names = {
        "running": ("open in an app that runs", "a bare call"),
        "launched": ("open in an app that is launched", "a bare spawn of the app"),
        "activated": ("the same", "D-Bus activation of a trivial service"),
        "choosing": ("choosing the app of a URL", "a bare call"),
    }
    found = []
    for key, figures in result.get("opening", {}).items():
        name, baseline = names[key]
        found.append((name, f"p50 {figures['p50_ms']} ms, {baseline} {figures['baseline']['p50_ms']} ms",
                      "{median} ({min} to {max})".format(**figures["ratio"])))
    return found
