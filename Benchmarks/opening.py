"""Opening URLs: in an app that runs, in one that must be launched, and the choice among many apps."""
import os
import statistics
import subprocess
import time

from harness import APP, Feed, Probe, Tool, ms, ratios, say, summary

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
        "choosing": ("choosing the app of a URL", "a bare call"),
    }
    found = []
    for key, figures in result.get("opening", {}).items():
        name, baseline = names[key]
        found.append((name, f"p50 {figures['p50_ms']} ms, {baseline} {figures['baseline']['p50_ms']} ms",
                      "{median} ({min} to {max})".format(**figures["ratio"])))
    return found
