"""A player's command over the session bus until its app's handler has answered, beside a call of a trivial service in C."""
import os
import subprocess
import time

import opening
from harness import APP, Device, Probe, ratios, say, summary, wait_for

PLAYER = "org.mpris.MediaPlayer2.baton." + APP.replace(".", "_")
TRIVIAL = "dev.baton.Benchmark.Trivial"


def measure(bench, options):
    say("media")
    activation = opening.Activation(bench)
    environment = {**os.environ, "DBUS_SESSION_BUS_ADDRESS": activation.address}
    service = subprocess.Popen([activation.program, "stay"], stdin=subprocess.DEVNULL, env=environment)
    bench.processes.append(service)

    def ask(name, path, interface, member, count):
        output = subprocess.run(
            [activation.program, "ask", name, path, interface, member, str(count)], check=False, capture_output=True,
            text=True, env=environment)
        return None if output.returncode else [int(line) for line in output.stdout.split()]

    def bare(count):
        return ask(TRIVIAL, "/dev/baton/Benchmark/Trivial", TRIVIAL, "Open", count)

    def commands(count):
        return ask(PLAYER, "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player", "Pause", count)

    before_address = os.environ.get("DBUS_SESSION_BUS_ADDRESS")
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = activation.address
    try:
        device = Device(bench, "media", bench.namespace("media"))
        device.start()
    finally:
        if before_address is None:
            del os.environ["DBUS_SESSION_BUS_ADDRESS"]
        else:
            os.environ["DBUS_SESSION_BUS_ADDRESS"] = before_address
    wait_for(device.is_ready, 20, "the daemon is ready")
    device.call("account", "create", "--name", "Device media")
    bundle = bench.make_bundle(APP, f"{bench.bin}/BenchmarkApp", APP + ".activity")
    device.call("team", "create", "Benchmark")
    device.call("sign", bundle)
    device.call("install", bundle, "--yes")
    probe = Probe(device)
    os.write(probe.input, b"play 300\n")
    probe.feed.wait("playing")
    wait_for(lambda: bare(1), 10, "the trivial service answers")
    wait_for(lambda: commands(1), 10, "the player answers")
    before, values, after = [], [], []
    for _ in range(options.blocks):
        before.append(bare(options.count))
        values.append(commands(options.count))
        after.append(bare(options.count))
        time.sleep(0.1)
    device.stop()
    return {"baseline": summary([a + b for a, b in zip(before, after)]), **summary(values),
            "ratio": ratios(values, before, after)}


def rows(result):
    if not (figures := result.get("media")):
        return []
    return [("a command of a player", f"p50 {figures['p50_ms']} ms, a bare call {figures['baseline']['p50_ms']} ms",
             "{median} ({min} to {max}); aim: at most 2".format(**figures["ratio"]))]
