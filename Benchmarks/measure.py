#!/usr/bin/env python3
"""Measures Baton on two network namespaces, and prints ratios to a baseline of the same run. See README.md."""
import argparse
import itertools
import json
import os
import shutil
import statistics
import subprocess
import time

import airdrop
import backup
import cloud
import documents
import folders
import media
import records
import opening
import search
import starting
from chromium import Chromium
from harness import (
    APP, SSHD, Bench, Device, Feed, Probe, Tool, cpu_seconds, here, ms, pair, percentile, ratios, run, say, summary,
    wait_for)

SIZES = {"1 KB": 1024, "100 KB": 102400}


# --- Continuing -------------------------------------------------------------------------------------------------------


def continuing(bench, a, b, options):
    server = Tool(bench, a.namespace, "serve")
    client = Tool(bench, b.namespace, "request", "192.0.2.1", server.feed.wait("ready")["port"])
    driver = Tool(bench, None, "drive", b.socket())
    probes = Probe(a), Probe(b)
    driver.feed.wait("offers")
    seen = set()

    def baseline(size, count):
        client.write(f"{size} {count}")
        return client.feed.wait("requests", 120)["times"]

    def block(size, count):
        """The times of offering, of continuing from the acceptance and from the call that accepts, and the steps."""
        offered, called, steps, receipts = [], [], [], {}
        for _ in range(count):
            begin = probes[0].make(size)
            offer = driver.feed.wait("offers", where=lambda line: set(line["ids"]) - seen)
            offered.append(offer["t"] - begin)
            identifier = (set(offer["ids"]) - seen).pop()
            seen.add(identifier)
            time.sleep(0.01)
            driver.write(f"continue {identifier}")
            receipt = probes[1].feed.wait("continue")
            if receipt["bytes"] != size:
                raise SystemExit(f"{receipt['bytes']} bytes came of {size}")
            end = driver.feed.wait("ended")
            if "acknowledged" not in end["elapsed_us"]:
                raise SystemExit(f"not acknowledged: {end}")
            called.append(receipt["t"] - end["t"])
            receipts[end["acceptance_id"]] = receipt["wall"]
            steps.append(end["elapsed_us"])
            time.sleep(0.01)
        accepted = {
            record["fields"]["acceptance_id"]: record["time_us"] * 1000
            for record in b.records() if record["event"] == "accepted"}
        continued = [wall - accepted[acceptance] for acceptance, wall in receipts.items()]
        return offered, continued, called, steps

    result = {}
    for name, size in SIZES.items():
        baseline(size, 50)
        block(size, 10)
        before, after, offers, continuations, calls, steps = [], [], [], [], [], []
        for number in range(options.blocks):
            before.append(baseline(size, options.count))
            offered, continued, called, step = block(size, options.count)
            after.append(baseline(size, options.count))
            offers.append(offered)
            continuations.append(continued)
            calls.append(called)
            steps += step
            say(f"{name}, block {number + 1}: baseline {ms(statistics.median(before[-1] + after[-1]))} ms, "
                f"continue {ms(statistics.median(continued))} ms, offer {ms(statistics.median(offered))} ms")
        baselines = summary([first + second for first, second in zip(before, after)])
        figures = {"baseline": baselines, "continue": summary(continuations), "offer": summary(offers)}
        figures["continue"]["ratio"] = ratios(continuations, before, after)
        figures["continue_from_call"] = summary(calls)
        figures["continue_from_call"]["ratio"] = ratios(calls, before, after)
        figures["offer"]["ratio_after_5_ms"] = ratios(offers, before, after, 5e6)
        figures["offer"]["ratio"] = ratios(offers, before, after)
        figures["continue"]["p99_to_baseline_p50"] = round(figures["continue"]["p99_ms"] / baselines["p50_ms"], 2)
        figures["continue"]["p99_to_baseline_p99"] = round(figures["continue"]["p99_ms"] / baselines["p99_ms"], 2)
        figures["offer"]["aim_ms"] = round(2 * baselines["p50_ms"] + 5, 3)
        figures["daemon_steps_p50_ms"] = {
            step: round(statistics.median(line[step] for line in steps if step in line) / 1000, 3)
            for step in ("willContinue", "payloadReceived", "continued", "acknowledged")}
        result[name] = figures

    if options.cold:
        # Connections that were idle for 30 s are not used again, so this one pays for a handshake too.
        cold = []
        for _ in range(options.cold):
            time.sleep(31)
            cold += block(SIZES["1 KB"], 1)[1]
        result["1 KB"]["continue_after_31_s_idle_ms"] = sorted(map(ms, cold))
    for tool in (server, client, driver):
        tool.end()
    for device in (a, b):
        device.call("quit", APP)
    return result


# --- Streams ----------------------------------------------------------------------------------------------------------


def streaming(bench, a, b, options):
    """MB/s from app to app, over one bare connection of mutual TLS, and by scp."""
    megabytes = options.megabytes
    server = Tool(bench, a.namespace, "serve")
    client = Tool(bench, b.namespace, "request", "192.0.2.1", server.feed.wait("ready")["port"])
    driver = Tool(bench, None, "drive", b.socket())
    probes = Probe(a), Probe(b)
    driver.feed.wait("offers")
    probes[0].make(1024)
    driver.write(f"continue {driver.feed.wait('offers', where=lambda line: line['ids'])['ids'][0]}")
    probes[1].feed.wait("continue")
    driver.feed.wait("ended")

    def rate(nanoseconds, count=megabytes):
        if nanoseconds <= 0:
            raise SystemExit("a stream broke")
        return count * 1048576e3 / nanoseconds

    daemons = [a.process.pid, b.process.pid]
    apps = [app["process_id"] for device in (a, b) for app in device.call("apps")["apps"] if app["process_id"]]
    ends = [server.process.pid, client.process.pid]
    used = {"bare": [], "daemons": [], "apps": []}

    def baseline():
        begin = cpu_seconds(ends)
        client.write(f"pour {megabytes}")
        result = rate(client.feed.wait("poured", 300)["ns"])
        used["bare"].append(cpu_seconds(ends) - begin)
        return result

    def stream():
        begin = cpu_seconds(daemons), cpu_seconds(apps)
        os.write(probes[1].input, f"stream {megabytes}\n".encode())
        result = rate(probes[1].feed.wait("streamed", 300)["ns"])
        used["daemons"].append(cpu_seconds(daemons) - begin[0])
        used["apps"].append(cpu_seconds(apps) - begin[1])
        return result

    baseline()
    stream()
    bare, streams = [baseline()], []
    for times in used.values():
        times.clear()
    for _ in range(options.blocks):
        streams.append(stream())
        bare.append(baseline())
        say(f"streams: {streams[-1]:.0f} MB/s, bare mutual TLS {bare[-2]:.0f} and {bare[-1]:.0f} MB/s")
    values = [2 * value / (before + after) for value, before, after in zip(streams, bare, bare[1:])]
    result = {
        "megabytes": megabytes, "stream_mb_s": round(statistics.median(streams)), "bare_mb_s": round(statistics.median(bare)),
        "ratio": {"median": round(statistics.median(values), 2), "min": round(min(values), 2),
                  "max": round(max(values), 2)},
        "cpu_seconds": {name: round(statistics.median(times), 2) for name, times in used.items()}}
    if not (os.path.exists(SSHD.PATH) and shutil.which("scp") and shutil.which("ssh-keygen")):
        result["scp"] = "not measured: there is no sshd here (Debian: apt-get install openssh-server)"
    else:
        sshd, rates = SSHD(bench, a.namespace), []
        for name, size in (("empty", 0), ("full", megabytes << 20)):
            with open(f"{bench.work}/{name}", "wb") as file:
                file.write(b"\x5a" * size)
        for _ in range(options.blocks):
            # Without what connecting takes.
            seconds = sshd.fetch(b.namespace, f"{bench.work}/full") - sshd.fetch(b.namespace, f"{bench.work}/empty")
            rates.append(megabytes * 1.048576 / seconds)
        result["scp_mb_s"] = round(statistics.median(rates))
        result["ratio_to_scp"] = round(statistics.median(streams) / statistics.median(rates), 2)
    for tool in (server, client, driver):
        tool.end()
    for device in (a, b):
        device.call("quit", APP)
    return result


# --- Discovery --------------------------------------------------------------------------------------------------------


def discovery(a, b, count):
    def connected_at(device, since):
        for record in device.records():
            if record["time_us"] >= since and (record["category"], record["event"]) == ("presence", "connected"):
                return record["time_us"]
        return None

    result = {}
    for order in ((a, b), (b, a)):
        times = []
        for _ in range(count):
            for device in order:
                device.stop()
            order[0].start()
            wait_for(order[0].is_ready, 20, "the first daemon is ready")
            time.sleep(3)
            begin = order[1].start()
            wait_for(order[1].is_ready, 20, "the second daemon is ready")
            wait_for(lambda: all(device.connected() for device in order), 60, "connected")
            times.append(max(connected_at(device, begin) for device in order) - begin)
        result[f"{order[0].name} runs, {order[1].name} starts"] = {
            "median_ms": round(statistics.median(times) / 1000), "min_ms": round(min(times) / 1000),
            "max_ms": round(max(times) / 1000), "runs": len(times)}
        say(f"discovery, {order[1].name} starts: {[round(value / 1000) for value in times]} ms")
    return result


# --- Idle -------------------------------------------------------------------------------------------------------------


def snapshot(pid):
    switches, involuntary, ran = {}, 0, 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/status", encoding="utf8") as file:
            fields = dict(line.split(":", 1) for line in file)
        switches[task] = int(fields["voluntary_ctxt_switches"])
        with open(f"/proc/{pid}/task/{task}/schedstat", encoding="utf8") as file:
            ran += int(file.read().split()[0])
    with open(f"/proc/{pid}/stat", encoding="utf8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return switches, ran, int(fields[11]) + int(fields[12])


def idle(pid, seconds):
    first = snapshot(pid)
    time.sleep(seconds)
    second = snapshot(pid)
    with open(f"/proc/{pid}/status", encoding="utf8") as file:
        memory = dict(line.split(":", 1) for line in file)
    wakes = {task: count - first[0].get(task, 0) for task, count in second[0].items()}
    names = {}
    for task, count in wakes.items():
        with open(f"/proc/{pid}/task/{task}/comm", encoding="utf8") as file:
            name = file.read().strip()
        names[name] = names.get(name, 0) + count
    return {
        "resident_kb": int(memory["VmRSS"].split()[0]), "anonymous_kb": int(memory["RssAnon"].split()[0]),
        "threads": len(wakes), "wakeups_per_minute": round(sum(wakes.values()) * 60 / seconds),
        "wakeups_per_minute_by_thread": {name: count for name, count in sorted(names.items()) if count},
        "cpu_seconds_per_hour": round((second[2] - first[2]) / os.sysconf("SC_CLK_TCK") * 3600 / seconds, 2),
        "cpu_seconds_per_hour_schedstat": round((second[1] - first[1]) / 1e9 * 3600 / seconds, 3),
    }


def crowd(bench, options):
    """A device with so many apps and paired devices."""
    apps, peers, seconds = options.apps, options.peers, options.seconds
    ports = bench.switch(peers + 1)
    devices = [Device(bench, f"crowd{number}", port) for number, port in enumerate(ports)]
    main = devices[0]
    main.start()
    wait_for(main.is_ready, 20, "the daemon is ready")
    main.call("account", "create", "--name", "Device 0")
    for device in devices[1:]:
        device.start()
        wait_for(device.is_ready, 20, "the daemon is ready")
        pair(main, device)
    say(f"{peers} devices are paired")
    wait_for(lambda: main.connected() >= peers, 120, "all are connected")

    main.call("team", "create", "Crowd")
    bundles = [
        bench.make_bundle(f"dev.baton.crowd{number}", "/bin/true", f"dev.baton.crowd{number}.activity")
        for number in range(apps)]
    for bundle in bundles:
        main.call("sign", bundle)
    say(f"{apps} apps are signed")
    driver = Tool(bench, None, "drive", main.socket())
    driver.feed.wait("offers")
    begin = time.monotonic()
    times = []
    for bundle in bundles:
        driver.write(f"install {bundle}")
        times.append(driver.feed.wait("installed", 60)["ns"])
    total = time.monotonic() - begin
    say(f"{apps} apps are installed")
    # All of them claim the scheme of the benchmark.
    chosen = opening.choosing(driver, "baton-benchmark", options)
    driver.end()
    tenth = max(1, apps // 10)
    result = {
        "apps": apps, "peers": peers, "choosing": chosen, "installing_all_s": round(total, 1),
        "installing_one_p50_ms": ms(statistics.median(times)), "installing_one_p99_ms": ms(percentile(times, 0.99)),
        "first_tenth_p50_ms": ms(statistics.median(times[:tenth])),
        "last_tenth_p50_ms": ms(statistics.median(times[-tenth:])),
    }
    time.sleep(20)
    result["idle"] = idle(main.process.pid, seconds)
    # Once more after a new start: what installing left behind in memory is not what it takes to hold.
    main.stop()
    begin = time.monotonic()
    main.start()
    wait_for(main.is_ready, 60, "the daemon is ready")
    result["start_to_ready_ms"] = round((time.monotonic() - begin) * 1000)
    wait_for(lambda: main.connected() >= peers, 120, "all are connected again")
    result["start_to_all_connected_ms"] = round((time.monotonic() - begin) * 1000)
    time.sleep(20)
    result["idle_after_new_start"] = idle(main.process.pid, seconds)
    for device in devices:
        device.stop()
    return result


# --- The browser extension --------------------------------------------------------------------------------------------

# Answers every address with a page, and says when it was asked.
PAGES = """
import http.server, json, time
class Pages(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        print(json.dumps({"event": "request", "path": self.path, "t": time.monotonic_ns()}), flush=True)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()
    def log_message(self, *_): pass
server = http.server.ThreadingHTTPServer(("0.0.0.0", 0), Pages)
print(json.dumps({"event": "ready", "port": server.server_port}), flush=True)
server.serve_forever()
"""


def clicking(bench, a, b, options):
    """From the click in the popup on A until A's browser asks the web server on B for the page that B offered."""
    say("the browser extension")
    server = subprocess.Popen(
        [*bench.enter(b.namespace), "python3", "-c", PAGES], stdout=subprocess.PIPE, text=True, bufsize=1)
    bench.processes.append(server)
    feed = Feed(server.stdout)
    root = f"http://192.0.2.2:{feed.wait('ready')['port']}"
    profiles = f"{bench.work}/browser"
    subprocess.run(
        [f"{bench.bin}/baton", "--home", a.home, "browse", "install", "--browser", "chromium"], check=True,
        stdout=subprocess.DEVNULL, env={**os.environ, "HOME": bench.work, "XDG_CONFIG_HOME": profiles})
    with open(f"{bench.work}/chromium.log", "ab") as log:
        chromium = Chromium(bench.enter(a.namespace), f"{profiles}/chromium", log)
    bench.processes.append(chromium.process)
    identifier = chromium.call("Extensions.loadUnpacked", path=os.path.join(os.path.dirname(here), "Extension"))["id"]
    target, popup = chromium.open(f"chrome-extension://{identifier}/popup.html")
    numbers = itertools.count()

    def request(path, expression):
        """Milliseconds from before the script is sent until the request has come."""
        begin = time.monotonic_ns()
        chromium.evaluate(popup, expression)
        asked = feed.wait("request", where=lambda line: line["path"] == path)
        chromium.close_pages(root)
        chromium.call("Target.activateTarget", targetId=target)
        time.sleep(0.3)
        return (asked["t"] - begin) / 1e6

    def bare():
        path = f"/bare{next(numbers)}"
        return request(path, f"void chrome.tabs.create({{url: '{root}{path}'}})")

    def click():
        path = f"/offered{next(numbers)}"
        offering = subprocess.Popen(
            [f"{bench.bin}/baton", "--home", b.home, "browse", root + path, "--title", path, "--once"],
            stdout=subprocess.DEVNULL)
        bench.processes.append(offering)
        chromium.wait(popup, f"document.querySelector('.offer .title')?.textContent === '{path}'")
        taken = request(path, "document.querySelector('.offer').click()")
        offering.wait(20)
        return taken

    bare(), click()
    blocks = [([bare() for _ in range(5)], [click() for _ in range(5)], [bare() for _ in range(5)])
              for _ in range(options.blocks)]
    chromium.end()
    ratios = [statistics.median(clicks) / statistics.median(before + after) for before, clicks, after in blocks]
    return {
        "bare_p50_ms": round(statistics.median(time for before, _, after in blocks for time in before + after), 1),
        "click_p50_ms": round(statistics.median(time for _, clicks, _ in blocks for time in clicks), 1),
        "ratio": {"median": round(statistics.median(ratios), 2), "min": round(min(ratios), 2),
                  "max": round(max(ratios), 2)},
    }


# --- The whole --------------------------------------------------------------------------------------------------------


def table(result):
    rows = []
    for name, figures in result.get("continuing", {}).items():
        base, cont, offer = figures["baseline"], figures["continue"], figures["offer"]
        rows += [
            (f"baseline, {name}", f"p50 {base['p50_ms']} ms, p99 {base['p99_ms']} ms", "1"),
            (f"continue, {name}", f"p50 {cont['p50_ms']} ms, p99 {cont['p99_ms']} ms",
             f"{cont['ratio']['median']} ({cont['ratio']['min']} to {cont['ratio']['max']}), "
             f"p99/p99 {cont['p99_to_baseline_p99']}; aim: at most 4"),
            (f"continue, {name}, from the call",
             f"p50 {figures['continue_from_call']['p50_ms']} ms, p99 {figures['continue_from_call']['p99_ms']} ms",
             "{median} ({min} to {max})".format(**figures["continue_from_call"]["ratio"])),
            (f"offer, {name}", f"p50 {offer['p50_ms']} ms, p99 {offer['p99_ms']} ms",
             f"{offer['ratio']['median']} ({offer['ratio']['min']} to {offer['ratio']['max']}); "
             f"aim: at most 2 and 5 ms = {offer['aim_ms']} ms"),
        ]
        if "continue_after_31_s_idle_ms" in figures:
            rows.append((f"continue after 31 s, {name}", f"{figures['continue_after_31_s_idle_ms']} ms", ""))
    if streams := result.get("streaming"):
        rows += [
            ("bare mutual TLS", f"{streams['bare_mb_s']} MB/s", "1"),
            ("streams, app to app", f"{streams['stream_mb_s']} MB/s",
             "{median} ({min} to {max}); aim: at least 0.6".format(**streams["ratio"])),
            ("scp", f"{streams['scp_mb_s']} MB/s" if "scp_mb_s" in streams else streams["scp"],
             f"streams to scp {streams['ratio_to_scp']}" if "scp_mb_s" in streams else ""),
        ]
    if clicks := result.get("extension"):
        rows += [
            ("opening a tab in Chromium", f"p50 {clicks['bare_p50_ms']} ms", "1"),
            ("click in the extension", f"p50 {clicks['click_p50_ms']} ms", "{median} ({min} to {max})".format(**clicks["ratio"])),
        ]
    for name, figures in result.get("discovery", {}).items():
        rows.append((f"discovery: {name}",
                     f"median {figures['median_ms']} ms, {figures['min_ms']} to {figures['max_ms']} ms", ""))
    idles = [("idle, 1 app, 1 peer", result.get("idle"))]
    if crowded := result.get("crowd"):
        where = f"{crowded['apps']} apps, {crowded['peers']} peers"
        rows.append((f"installing {crowded['apps']} apps",
                     f"{crowded['installing_all_s']} s; one p50 {crowded['installing_one_p50_ms']} ms", ""))
        rows.append((f"choosing the app of a URL, {where}", f"p50 {crowded['choosing']['p50_ms']} ms",
                     "{median} ({min} to {max}) of a bare call".format(**crowded["choosing"]["ratio"])))
        idles += [(f"idle, {where}", crowded["idle"]), (f"idle after a new start, {where}", crowded["idle_after_new_start"])]
    for name, figures in idles:
        if figures:
            rows.append((name, f"{figures['resident_kb'] / 1024:.1f} MB resident, {figures['anonymous_kb'] / 1024:.1f} MB "
                         f"anonymous, {figures['wakeups_per_minute']} wake-ups/min, "
                         f"{figures['cpu_seconds_per_hour_schedstat']} CPU s/h", ""))
    if found := result.get("matching"):
        rows.append((f"matching a URL with {found['components']} components",
                     f"{found['urls_per_second']} URLs/s, URLComponents {found['baseline_urls_per_second']} URLs/s",
                     f"{found['ratio']} times as long ({found['ratio_min']} to {found['ratio_max']})"))
    rows += opening.rows(result) + airdrop.rows(result)
    rows += cloud.rows(result) + documents.rows(result) + folders.rows(result) + starting.rows(result)
    rows += backup.rows(result) + records.rows(result) + search.rows(result) + media.rows(result)
    widths = [max(len(row[column]) for row in rows) for column in range(2)] if rows else [0, 0]
    for row in rows:
        print(f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]}".rstrip())


def matching(bench, blocks):
    """URLs against a site file with 1,000 components, and the same URLs taken apart by Foundation."""
    say("matching")
    lines = [json.loads(line) for line in run(f"{bench.bin}/baton-benchmark", "match", str(blocks)).splitlines()]
    found = [line for line in lines if line["event"] == "block"]
    ratios = [line["matching_ns"] / statistics.median(line["baseline_ns"]) for line in found]
    return {
        "components": lines[0]["components"],
        "urls_per_second": round(1e9 / statistics.median(line["matching_ns"] for line in found)),
        "baseline_urls_per_second": round(1e9 / statistics.median(b for line in found for b in line["baseline_ns"])),
        "ratio": round(statistics.median(ratios), 2), "ratio_min": round(min(ratios), 2),
        "ratio_max": round(max(ratios), 2),
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True, help="where the release build is")
    parser.add_argument(
        "--only", default="continuing,streaming,opening,airdrop,extension,discovery,idle,crowd,matching,cloud,postgres,store,sync,growth,documents,folders,starting,backup,records,search,media")
    parser.add_argument("--blocks", type=int, default=7)
    parser.add_argument("--count", type=int, default=40, help="of each measurement in a block")
    parser.add_argument("--cold", type=int, default=3, help="continuations after 31 s of idleness")
    parser.add_argument("--megabytes", type=int, default=512, help="of one measurement of streams")
    parser.add_argument("--airdrop-megabytes", type=int, default=1000, help="of the large file that is sent")
    parser.add_argument("--largest-megabytes", type=int, default=10_000, help="of the file during which memory is watched")
    parser.add_argument("--work", default="/tmp", help="where devices and files are; /dev/shm leaves the disk out of it")
    parser.add_argument("--lossy-megabytes", type=int, default=20, help="of the file that is sent over a bad network")
    parser.add_argument("--apps", type=int, default=1000)
    parser.add_argument("--peers", type=int, default=20)
    parser.add_argument("--writers", type=int, default=64, help="devices that write to a cloud at once")
    parser.add_argument("--subscribers", type=int, default=10_000, help="idle subscriptions of a cloud")
    parser.add_argument("--write-seconds", type=int, default=4, help="of a block of writes")
    parser.add_argument("--items", type=int, default=1_000_000, help="of the largest account")
    parser.add_argument("--documents", type=int, default=100_000, help="files in the largest container")
    parser.add_argument("--backup-megabytes", type=int, default=1000, help="in 10,000 files that are backed up")
    parser.add_argument("--backup-turns", type=int, default=3, help="of each program that backs up")
    parser.add_argument("--seconds", type=int, default=60, help="of watching an idle daemon")
    parser.add_argument("--json", help="write the figures to this file too")
    options = parser.parse_args()
    parts = options.only.split(",")
    bench = Bench(options.bin, options.work)
    result = {"machine": {"cpus": os.cpu_count(), "kernel": os.uname().release, "load_before": os.getloadavg()}}
    try:
        if {"continuing", "streaming", "opening", "airdrop", "extension", "discovery", "idle"} & set(parts):
            namespaces = bench.cable()
            a, b = Device(bench, "a", namespaces[0]), Device(bench, "b", namespaces[1])
            for device in (a, b):
                device.start()
                wait_for(device.is_ready, 20, "the daemon is ready")
            a.call("account", "create", "--name", "Device a")
            pair(a, b)
            wait_for(a.connected, 30, "connected")
            bundle = bench.make_bundle(APP, f"{bench.bin}/BenchmarkApp", APP + ".activity")
            a.call("team", "create", "Benchmark")
            a.call("sign", bundle)
            for device in (a, b):
                device.call("install", bundle, "--yes")
            say("two devices are ready")
            if "continuing" in parts:
                result["continuing"] = continuing(bench, a, b, options)
            if "streaming" in parts:
                result["streaming"] = streaming(bench, a, b, options)
            if "opening" in parts:
                result["opening"] = opening.measure(bench, a, options)
            if "airdrop" in parts:
                result["airdrop"] = airdrop.measure(bench, a, b, options)
            if "extension" in parts:
                result["extension"] = clicking(bench, a, b, options)
            if "discovery" in parts:
                result["discovery"] = discovery(a, b, 5)
            if "idle" in parts:
                for device in (a, b):
                    device.stop()
                    device.start()
                wait_for(lambda: b.is_ready() and a.is_ready() and a.connected(), 60, "connected")
                time.sleep(20)
                result["idle"] = idle(a.process.pid, options.seconds)
            for device in (a, b):
                device.stop()
        if "matching" in parts:
            result["matching"] = matching(bench, options.blocks)
        if "crowd" in parts:
            result["crowd"] = crowd(bench, options)
        for part, name, measure in (
                ("cloud", "cloud", cloud.writes), ("postgres", "cloud_postgres", cloud.writes_postgres),
                ("store", "store", cloud.store), ("sync", "sync", cloud.sync), ("growth", "growth", cloud.growth),
                ("documents", "documents", documents.measure),
                ("folders", "folders", folders.measure), ("starting", "starting", starting.measure),
                ("backup", "backup", backup.measure), ("records", "records", records.measure),
                ("search", "search", search.measure), ("media", "media", media.measure)):
            if part in parts:
                result[name] = measure(bench, options)
    except SystemExit:
        bench.tails()
        raise
    finally:
        bench.close()
    result["machine"]["load_after"] = os.getloadavg()
    table(result)
    print(json.dumps(result, indent=2))
    if options.json:
        with open(options.json, "w", encoding="utf8") as file:
            json.dump(result, file, indent=2)


if __name__ == "__main__":
    main()
