"""The start of the daemon, and the command that is called most."""
import socket
import statistics
import time

from harness import Device, ms, run, wait_for


def measure(bench, options):
    device = Device(bench, "starting", bench.namespace("starting"))
    device.start()
    wait_for(device.is_ready, 20, "the daemon is ready")
    device.call("account", "create", "--name", "Device starting")

    def times(*command):
        found = []
        for _ in range(options.count):
            begin = time.monotonic_ns()
            run(*command)
            found.append(time.monotonic_ns() - begin)
        return found

    status = times(f"{bench.bin}/baton", "--home", device.home, "status")
    bare = times("/bin/true")
    ready = []
    path = device.socket()
    for _ in range(10):
        device.stop()
        begin = time.monotonic_ns()
        device.start()
        wait_until_answered(path)
        ready.append(time.monotonic_ns() - begin)
    device.stop()
    return {"status_p50_ms": ms(statistics.median(status)), "spawn_p50_ms": ms(statistics.median(bare)),
            "ready_p50_ms": ms(statistics.median(ready)), "ready_max_ms": ms(max(ready))}


def wait_until_answered(path):
    """Until the daemon answers a call on its socket, whatever the answer."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with socket.socket(socket.AF_UNIX) as connection:
            try:
                connection.settimeout(5)
                connection.connect(path)
                connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                if connection.recv(1):
                    return
            except OSError:
                pass
        time.sleep(0.001)
    raise SystemExit("the daemon did not answer")


def rows(result):
    if not (figures := result.get("starting")):
        return []
    return [
        ("baton status", f"p50 {figures['status_p50_ms']} ms, a bare spawn {figures['spawn_p50_ms']} ms", "aim: at most 15 ms"),
        ("batond until it answers", f"p50 {figures['ready_p50_ms']} ms, at most {figures['ready_max_ms']} ms", "aim: 100 ms"),
    ]
