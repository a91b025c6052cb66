"""Measures baton-cloud and the key-value store, each block between two of its baseline. See README.md."""
import glob
import itertools
import json
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time

from harness import Device, Tool, cpu_seconds, here, ms, pair, percentile, run, say, summary, wait_for


def spread(values, digits=2):
    """The median of ratios, the least and the greatest."""
    return {"median": round(statistics.median(values), digits), "min": round(min(values), digits),
            "max": round(max(values), digits)}


def resident_kb(pid):
    with open(f"/proc/{pid}/status", encoding="utf8") as file:
        return int(dict(line.split(":", 1) for line in file)["VmRSS"].split()[0])


class Cloud:
    """A baton-cloud with its default settings but for what is named."""

    def __init__(self, bench, name, *arguments, namespace=None, address="127.0.0.1", environment=None):
        log = open(f"{bench.work}/{name}.log", "ab")
        self.process = subprocess.Popen(
            [*bench.enter(namespace), f"{bench.bin}/baton-cloud", "serve", "--data", f"{bench.work}/{name}",
             "--listen", f"{address}:0", "--registration", "open", *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True, bufsize=1,
            env={**os.environ, **(environment or {})})
        bench.processes.append(self.process)
        self.url = self.process.stdout.readline().strip().rpartition(" answers at ")[2]
        self.fingerprint = self.process.stdout.readline().strip().rpartition(" ")[2]
        if not self.url or len(self.fingerprint) != 64:
            raise SystemExit("baton-cloud did not start")
        self.port = self.url.rpartition(":")[2]

    def end(self):
        self.process.terminate()
        self.process.wait(30)


class Load:
    """Devices of a cloud, in a process of their own."""

    def __init__(self, bench, cloud, count):
        self.cloud = cloud
        self.tool = Tool(bench, None, "devices", cloud.port, cloud.fingerprint)
        self.tool.write(f"sign-in {count}")
        self.tool.feed.wait("signed_in", 300)

    def subscribe(self, each):
        self.tool.write(f"subscribe {each}")
        return self.tool.feed.wait("subscribed", 600)["count"]

    def subscribed(self):
        self.tool.write("still-subscribed 0")
        return self.tool.feed.wait("still_subscribed", 30)["count"]

    def write(self, seconds):
        """Writes a second, their percentiles, and the processor time of server and devices for one, in µs."""
        pids = self.cloud.process.pid, self.tool.process.pid
        before = [cpu_seconds([pid]) for pid in pids]
        self.tool.write(f"write {seconds}")
        line = self.tool.feed.wait("written", 120)
        used = [cpu_seconds([pid]) - start for pid, start in zip(pids, before)]
        return {"rate": line["count"] * 1e9 / line["ns"], "p50_ns": line["p50_ns"], "p99_ns": line["p99_ns"],
                "server_us": used[0] * 1e6 / line["count"], "devices_us": used[1] * 1e6 / line["count"]}


# --- Acknowledged writes ----------------------------------------------------------------------------------------------


def alternate(blocks, measures, block, what):
    """Blocks between two of each baseline, which the one after shares with the one before."""
    marks, found = [[measure() for measure in measures]], []
    for _ in range(blocks):
        found.append(block())
        marks.append([measure() for measure in measures])
        after = ", ".join(f"{mark:.0f}" for mark in marks[-1])
        say(f"{what}: {found[-1]['rate']:.0f} writes/s; baselines {after} rows/s")
    ratios = [spread([2 * one["rate"] / (before[index] + after[index])
                      for one, before, after in zip(found, marks, marks[1:])]) for index in range(len(measures))]
    rates = [round(statistics.median(mark[index] for mark in marks)) for index in range(len(measures))]
    return {
        "writes_s": round(statistics.median(one["rate"] for one in found)),
        "least_writes_s": round(min(one["rate"] for one in found)),
        "greatest_writes_s": round(max(one["rate"] for one in found)),
        "p50_ms": ms(statistics.median(one["p50_ns"] for one in found)),
        "p99_ms": ms(statistics.median(one["p99_ns"] for one in found)),
        "server_cpu_us": round(statistics.median(one["server_us"] for one in found)),
        "devices_cpu_us": round(statistics.median(one["devices_us"] for one in found)),
    }, rates, ratios


def writes(bench, options):
    """Acknowledged writes a second of one node with SQLite, without and with idle subscribers, to bare SQLite."""
    seconds = options.write_seconds
    folder = f"{bench.work}/bare"
    os.mkdir(folder)
    bare = Tool(bench, None, "commits", folder)

    def commits(rows):
        bare.write(f"{rows} {max(1, seconds // 2)}")
        line = bare.feed.wait("committed", 60)
        return line["count"] * 1e9 / line["ns"]

    cloud = Cloud(bench, "cloud")
    writers = Load(bench, cloud, options.writers)
    writers.write(1)
    result = {"devices": options.writers, "file_system": run("stat", "-f", "-c", "%T", bench.work).strip()}
    measures = [lambda: commits(1), lambda: commits(64)]
    for name in ("idle", "subscribed"):
        if name == "subscribed":
            time.sleep(5)
            before = resident_kb(cloud.process.pid)
            begin = time.monotonic()
            # Eight of a device, as many as a server takes.
            subscribers = Load(bench, cloud, options.subscribers // 8)
            count = subscribers.subscribe(8)
            say(f"{count} subscriptions after {time.monotonic() - begin:.0f} s")
            time.sleep(10)
            after = resident_kb(cloud.process.pid)
            result["subscribers"] = {
                "count": count, "resident_kb_before": before, "resident_kb_with": after,
                "kb_each": round((after - before) / count, 1)}
        figures, rates, ratios = alternate(options.blocks, measures, lambda: writers.write(seconds), f"SQLite, {name}")
        figures.update({"bare_one_a_commit_s": rates[0], "ratio_to_one_a_commit": ratios[0],
                        "bare_64_a_commit_s": rates[1], "ratio_to_64_a_commit": ratios[1]})
        result[name] = figures
    result["subscribers"]["still"] = subscribers.subscribed()
    for tool in (writers.tool, subscribers.tool, bare):
        tool.end()
    cloud.end()
    return result


class PostgreSQL:
    """A server of its own, reached by a socket in its folder; as PostgreSQL comes, with fsync."""

    def __init__(self, bench):
        binaries = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: float(path.split("/")[4]))
        self.bin = binaries[-1]
        self.folder = tempfile.mkdtemp(prefix="baton-pg-", dir="/tmp")
        user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        shutil.chown(self.folder, "postgres")
        os.chmod(self.folder, 0o755)
        run(*user, f"{self.bin}/initdb", "-D", f"{self.folder}/data", "-A", "trust", "-U", "baton", "-E", "UTF8",
            "--locale=C")
        with open(f"{bench.work}/postgres.log", "ab") as log:
            self.process = subprocess.Popen(
                [*user, f"{self.bin}/postgres", "-D", f"{self.folder}/data", "-k", self.folder,
                 "-c", "listen_addresses=", "-c", "max_connections=400"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        bench.processes.append(self.process)
        wait_for(lambda: subprocess.run([f"{self.bin}/pg_isready", "-q", "-h", self.folder, "-U", "baton"],
                                        check=False).returncode == 0, 30, "PostgreSQL")
        self.url = f"postgresql://baton@/postgres?host={self.folder}"
        self.script = f"{bench.work}/pgbench.sql"
        self.query("""
            CREATE SCHEMA bare;
            CREATE SEQUENCE bare.versions;
            CREATE TABLE bare.items (
                zone BIGINT NOT NULL, name BYTEA NOT NULL, version BIGINT NOT NULL, written BIGINT NOT NULL,
                deleted BIGINT NOT NULL, sealed BYTEA, blobs BYTEA, PRIMARY KEY (zone, name));
            CREATE UNIQUE INDEX items_by_version ON bare.items (zone, version);
            """)
        with open(self.script, "w", encoding="utf8") as file:
            file.write("INSERT INTO bare.items VALUES (1, decode(md5(random()::text) || md5(random()::text), 'hex'), "
                       "nextval('bare.versions'), 1800000000000, 0, decode(repeat('5a', 200), 'hex'), NULL);\n")

    def query(self, sql):
        run(f"{self.bin}/psql", "-X", "-q", "-h", self.folder, "-U", "baton", "-d", "postgres", "-c", sql)

    def pgbench(self, clients, seconds):
        output = run(f"{self.bin}/pgbench", "-n", "-f", self.script, "-M", "prepared", "-c", str(clients), "-j", "2",
                     "-T", str(seconds), "-h", self.folder, "-U", "baton", "postgres")
        return float(re.search(r"tps = ([0-9.]+)", output)[1])

    def end(self):
        self.process.send_signal(2)
        self.process.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)


class Bucket:
    """moto, an S3 server, which dev/setup --tests installs."""

    PATH = os.path.join(os.path.dirname(here), ".build/moto/bin/moto_server")

    def __init__(self, bench):
        process = subprocess.Popen(
            [self.PATH, "-H", "127.0.0.1", "-p", "0"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"})
        bench.processes.append(process)
        self.process, self.url = process, None
        for line in process.stderr:
            if found := re.search(r"Running on (http://[0-9.:]+)", line):
                self.url = found[1] + "/bucket"
                break
        if not self.url:
            raise SystemExit("moto did not start")
        run("curl", "--silent", "--fail", "-X", "PUT", self.url, "-H",
            "Authorization: AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/s3/aws4_request")


def writes_postgres(bench, options):
    """The same of one node over PostgreSQL, to pgbench with rows of the same shape and as many clients."""
    missing = [what for what, there in (("PostgreSQL", glob.glob("/usr/lib/postgresql/*/bin/pgbench")),
                                        ("moto", os.path.exists(Bucket.PATH))) if not there]
    if missing:
        return f"not measured: without {' and '.join(missing)} (dev/setup --tests)"
    postgres, bucket = PostgreSQL(bench), Bucket(bench)
    try:
        cloud = Cloud(bench, "pgcloud", "--postgres", postgres.url, "--s3", bucket.url,
                      environment={"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"})
        writers = Load(bench, cloud, options.writers)
        writers.write(1)
        seconds = max(1, options.write_seconds // 2)
        figures, rates, ratios = alternate(
            options.blocks, [lambda: postgres.pgbench(options.writers, seconds), lambda: postgres.pgbench(1, seconds)],
            lambda: writers.write(options.write_seconds), "PostgreSQL")
        figures.update({"pgbench_s": rates[0], "ratio_to_pgbench": ratios[0], "pgbench_one_client_s": rates[1],
                        "ratio_to_pgbench_one_client": ratios[1]})
        writers.tool.end()
        cloud.end()
        return figures
    finally:
        postgres.end()


# --- Key-value stores -------------------------------------------------------------------------------------------------


def store(bench, options):
    """The local store: sets and changes of other devices a second."""
    folder = f"{bench.work}/store"
    os.mkdir(folder)
    lines = [json.loads(line) for line in
             run(f"{bench.bin}/baton-benchmark", "store", str(options.blocks), folder).splitlines()]
    result = {}
    for name, count, base in (("sets", "count", "dictionary_ns"), ("applies", "count", "dictionary_ns"),
                              ("kept", "kept_count", "bare_ns")):
        result[name] = {
            "per_second": round(statistics.median(line[count] * 1e9 / line[name + "_ns"] for line in lines)),
            "baseline_per_second": round(statistics.median(line[count] * 2e9 / sum(line[base]) for line in lines)),
            "ratio": spread([sum(line[base]) / 2 / line[name + "_ns"] for line in lines], 3)}
    return result


class App:
    """A program in development with a key-value store of its own, on a device."""

    def __init__(self, device, name):
        bench = device.bench
        path = f"{bench.work}/apps/{name}"
        first = f"{bench.work}/apps/first"
        os.makedirs(f"{bench.work}/apps", exist_ok=True)
        if not os.path.exists(first):
            shutil.copy(f"{bench.bin}/baton-benchmark", first)
        if not os.path.exists(path):
            os.link(first, path)
        self.tool = Tool(bench, device.namespace, "values", program=path, environment={"BATON_HOME": device.home})
        self.feed = self.tool.feed
        self.feed.wait("ready")

    def write(self, line):
        self.tool.write(line)


def sync(bench, options):
    """Devices that reach a cloud and not each other: keys to a new device, and propagation."""
    count, new = 10, 3
    ports = bench.switch(2 + new + 1, "k")
    devices = [Device(bench, f"k{number}", port) for number, port in enumerate(ports[:-1])]
    for device in devices:
        device.start()
        wait_for(device.is_ready, 20, "the daemon is ready")
    devices[0].call("account", "create", "--name", "Device k0")
    for device in devices[1:]:
        pair(devices[0], device)
    for device in devices:
        device.stop()
        device.start("--interface", "lo")
        wait_for(device.is_ready, 20, "the daemon is ready")
    cloud = Cloud(bench, "kcloud", namespace=ports[-1], address=f"192.0.2.{len(ports)}")

    def log_in(device):
        device.call("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)

    def connected(device):
        return device.call("cloud", "status")["state"] == "connected"

    for device in devices[:2]:
        log_in(device)
        wait_for(lambda: connected(device), 30, f"{device.name} is connected")
    say("the devices are at the cloud")
    apps = [App(devices[0], f"keys{number}") for number in range(count)]
    filled = []
    begin = time.monotonic()
    for app in apps:
        app.write("fill 1000")
        filled.append(app.feed.wait("filled", 60))
    wait_for(lambda: devices[0].call("cloud", "usage")["items"] >= 1000 * count, 120, "all keys are in the cloud")
    result = {"library": {
        "sets_s": round(statistics.median(1e12 / line["set_ns"] for line in filled)),
        "kept_s": round(statistics.median(1e12 / line["ns"] for line in filled)),
        "all_in_the_cloud_s": round(time.monotonic() - begin, 2)}}
    say(f"{1000 * count} keys are in the cloud")
    for app in apps:
        app.tool.end()

    times = []
    for device in devices[2:]:
        apps = [App(device, f"keys{number}") for number in range(count)]
        for app in apps:
            app.write("await 1000")
        begin = time.monotonic_ns()
        log_in(device)
        times.append(max(app.feed.wait("has", 120)["t"] for app in apps) - begin)
        say(f"{1000 * count} keys on a new device after {ms(times[-1])} ms")
        for app in apps:
            app.tool.end()
        device.stop()
    result["new_device"] = {"keys": 1000 * count, "stores": count, "ms": [ms(value) for value in times]}
    result["propagation"] = propagation(bench, cloud, devices, options)
    for device in devices[:2]:
        device.stop()
    cloud.end()
    return result


def propagation(bench, cloud, devices, options):
    folder = f"{bench.work}/round"
    os.mkdir(folder)
    bare = Tool(bench, devices[1].namespace, "round-trip", cloud.url, cloud.fingerprint, folder)
    sender, receiver = (App(device, "pulse") for device in devices[:2])
    numbers = itertools.count()

    def baseline():
        bare.write(str(options.count))
        return bare.feed.wait("round_trips", 60)

    def pulse():
        value = f"value-{next(numbers)}"
        sender.write(f"set pulse {value}")
        begin = sender.feed.wait("set")["t"]
        return receiver.feed.wait("changed", where=lambda line: line["value"] == value)["t"] - begin

    def block():
        times = []
        for _ in range(options.count):
            times.append(pulse())
            # A device may send a zone four times a second when it has done so often, and does it twice for a set: that wait
            # is not what is measured.
            time.sleep(0.6)
        return times

    block()
    marks, blocks = [baseline()], []
    for _ in range(options.blocks):
        blocks.append(block())
        marks.append(baseline())
        say(f"propagation {ms(statistics.median(blocks[-1]))} ms, "
            f"a call and an fsync {ms(statistics.median(marks[-1]['times']))} ms")
    around = [before["times"] + after["times"] for before, after in zip(marks, marks[1:])]
    result = {"propagation": summary(blocks), "baseline": summary([mark["times"] for mark in marks]),
              "call_p50_ms": ms(statistics.median(value for mark in marks for value in mark["calls"]))}
    result["ratio"] = spread([statistics.median(one) / statistics.median(base) for one, base in zip(blocks, around)])
    result["p99_to_baseline_p99"] = round(
        result["propagation"]["p99_ms"] / max(result["baseline"]["p99_ms"], 0.001), 2)
    result["p99_to_baseline_p50"] = round(
        percentile(list(itertools.chain.from_iterable(blocks)), 0.99) / 1e6 / result["baseline"]["p50_ms"], 2)
    for tool in (bare, sender.tool, receiver.tool):
        tool.end()
    return result


# --- Growth -----------------------------------------------------------------------------------------------------------


def growth(bench, options):
    """A change, and reading from the start, in accounts of different sizes; in the store, without the network."""
    folder = f"{bench.work}/growth"
    os.mkdir(folder)
    say("growth")
    sizes = sorted({1000, min(100_000, options.items), options.items})
    lines = [json.loads(line) for line in run(
        f"{bench.bin}/baton-benchmark", "growth", folder, str(options.blocks), str(options.count),
        *map(str, sizes)).splitlines()]
    shutil.rmtree(folder)
    result = {"changes": {}}
    for size in sizes[1:]:
        blocks = [line for line in lines if line["event"] == "changed" and line["size"] == size]
        result["changes"][size] = {
            "base": sizes[0],
            "base_p50_ms": ms(statistics.median(value for one in blocks for value in one["before"] + one["after"])),
            "p50_ms": ms(statistics.median(value for one in blocks for value in one["times"])),
            "p99_ms": ms(percentile([value for one in blocks for value in one["times"]], 0.99)),
            "ratio": spread([statistics.median(one["times"]) / statistics.median(one["before"] + one["after"])
                             for one in blocks]),
            "read_p50_ms": ms(statistics.median(value for one in blocks for value in one["reads"])),
            "read_ratio": spread([statistics.median(one["reads"]) / statistics.median(one["before_reads"])
                                  for one in blocks])}
    reads = [line for line in lines if line["event"] == "caught_up"]
    result["catching_up"] = {
        "items": reads[0]["items"],
        "items_s": round(statistics.median(line["items"] * 1e9 / line["ns"] for line in reads)),
        "bare_items_s": round(
            statistics.median(line["items"] * 2e9 / (line["before"] + line["after"]) for line in reads)),
        "ratio": spread([(line["before"] + line["after"]) / 2 / line["ns"] for line in reads])}
    result["filling_items_s"] = {line["size"]: round(line["size"] * 1e9 / line["ns"])
                                 for line in lines if line["event"] == "filled"}
    return result


# --- The table --------------------------------------------------------------------------------------------------------


def ratio(values):
    return f"{values['median']} ({values['min']} to {values['max']})"


def rows(result):
    found = []
    if figures := result.get("cloud"):
        for name, count in (("idle", "no"), ("subscribed", figures["subscribers"]["count"])):
            one = figures[name]
            found += [
                (f"acknowledged writes, SQLite, {count} subscribers",
                 f"{one['writes_s']}/s, p50 {one['p50_ms']} ms, p99 {one['p99_ms']} ms; of a write "
                 f"{one['server_cpu_us']} µs server, {one['devices_cpu_us']} µs devices", "aim: 4000/s"),
                ("  to bare SQLite, one row a commit", f"{one['bare_one_a_commit_s']}/s",
                 ratio(one["ratio_to_one_a_commit"])),
                ("  to bare SQLite, 64 rows a commit", f"{one['bare_64_a_commit_s']}/s",
                 ratio(one["ratio_to_64_a_commit"])),
            ]
        memory = figures["subscribers"]
        found.append((f"memory with {memory['count']} subscribers",
                      f"{memory['resident_kb_with'] / 1024:.0f} MB, before {memory['resident_kb_before'] / 1024:.0f} MB",
                      f"{memory['kb_each']} KB each"))
    if isinstance(figures := result.get("cloud_postgres"), dict):
        found += [
            ("acknowledged writes, PostgreSQL",
             f"{figures['writes_s']}/s, p50 {figures['p50_ms']} ms, p99 {figures['p99_ms']} ms; of a write "
             f"{figures['server_cpu_us']} µs server, {figures['devices_cpu_us']} µs devices", ""),
            ("  to pgbench, as many clients", f"{figures['pgbench_s']}/s",
             ratio(figures["ratio_to_pgbench"]) + "; aim: 0.5"),
            ("  to pgbench, one client", f"{figures['pgbench_one_client_s']}/s",
             ratio(figures["ratio_to_pgbench_one_client"])),
        ]
    elif figures:
        found.append(("acknowledged writes, PostgreSQL", figures, ""))
    if figures := result.get("store"):
        for name, what, base in (
                ("sets", "sets, in memory", "a dictionary"), ("applies", "remote changes, in memory", "a dictionary"),
                ("kept", "remote changes, on the disk", "bare SQLite")):
            one = figures[name]
            found.append((what, f"{one['per_second']}/s, {base} {one['baseline_per_second']}/s", ratio(one["ratio"])))
    if figures := result.get("sync"):
        library, new, way = figures["library"], figures["new_device"], figures["propagation"]
        found += [
            ("sets by an app", f"{library['sets_s']}/s, and on the disk {library['kept_s']}/s", ""),
            (f"{new['keys']} keys to a new device", f"{new['ms']} ms", "aim: 1000 ms"),
            ("a call to the cloud and an fsync",
             f"p50 {way['baseline']['p50_ms']} ms, p99 {way['baseline']['p99_ms']} ms", "1"),
            ("propagation", f"p50 {way['propagation']['p50_ms']} ms, p99 {way['propagation']['p99_ms']} ms",
             f"{ratio(way['ratio'])}, p99/p99 {way['p99_to_baseline_p99']}; aim: under 10"),
        ]
    if figures := result.get("growth"):
        for size, one in figures["changes"].items():
            found.append((f"a change among {size} items",
                          f"p50 {one['p50_ms']} ms, among {one['base']} {one['base_p50_ms']} ms",
                          f"{ratio(one['ratio'])}; its fetch alone {ratio(one['read_ratio'])}"))
        one = figures["catching_up"]
        found.append((f"catching up on {one['items']} changes",
                      f"{one['items_s']}/s, bare SQLite {one['bare_items_s']}/s", ratio(one["ratio"])))
    return found
