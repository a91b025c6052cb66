"""Backups to a directory: Baton beside restic and borg, each with the same files, in turns."""
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import time

from cloud import spread
from harness import Device, cpu_seconds, say, wait_for

FILES = 10_000


def fill(folder, megabytes):
    """Half of the files are text, half are random bytes."""
    generator = random.Random(1)
    words = [f"word{number}" for number in range(5000)]
    size = megabytes * 1_000_000 // FILES
    for number in range(FILES):
        if number % 1000 == 0:
            directory = f"{folder}/{number // 1000}"
            os.makedirs(directory)
        with open(f"{directory}/{number}", "wb") as file:
            if number % 2:
                file.write(generator.randbytes(size))
            else:
                text = " ".join(generator.choices(words, k=size // 6)).encode()
                file.write((text * 2)[:size])


def change(folder, turn):
    with open(f"{folder}/3/3001", "r+b") as file:
        file.seek(1000)
        file.write(f"changed in turn {turn}".encode())
    # No program reads again what has the size and the time that it knows.
    time.sleep(2.1)


def stored(folder):
    return sum(os.stat(f"{path}/{name}").st_size for path, _, names in os.walk(folder) for name in names)


def flush():
    """What one program wrote is not left to the next one's disk."""
    os.sync()


class Program:
    """A program that is run for each piece of work."""

    def __init__(self, bench, name):
        self.bench, self.name = bench, name
        self.peak = 0

    def run(self, *command, folder=None):
        """Seconds, and seconds of processor."""
        flush()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begin = time.monotonic()
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder,
            env={**os.environ, "RESTIC_PASSWORD": "password", "BORG_PASSPHRASE": "password",
                 "RESTIC_CACHE_DIR": f"{self.bench.work}/restic-cache", "BORG_BASE_DIR": f"{self.bench.work}/borg-base"})
        _, status, usage = os.wait4(process.pid, 0)
        taken = time.monotonic() - begin
        if status:
            raise SystemExit(f"{' '.join(command)} failed")
        self.peak = max(self.peak, usage.ru_maxrss)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return taken, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Restic(Program):
    def begin(self, repository):
        self.repository = repository
        self.run("restic", "-r", repository, "init")

    def back_up(self, source):
        return self.run("restic", "-q", "-r", self.repository, "backup", source)

    def restore(self, _, out):
        return self.run("restic", "-q", "-r", self.repository, "restore", "latest", "--target", out)

    def end(self):
        pass


class Borg(Program):
    def begin(self, repository):
        self.repository, self.archives = repository, 0
        self.run("borg", "init", "--encryption", "repokey-blake2", repository)

    def back_up(self, source):
        self.archives += 1
        return self.run("borg", "create", "--compression", "zstd,3", f"{self.repository}::{self.archives}", source)

    def restore(self, _, out):
        os.makedirs(out)
        return self.run("borg", "extract", f"{self.repository}::{self.archives}", folder=out)

    def end(self):
        pass


class Baton:
    """The daemon does the work: its processor time counts, and the command's."""

    def __init__(self, bench, name):
        self.bench, self.name, self.peak, self.turn = bench, name, 0, 0

    def begin(self, repository):
        self.turn += 1
        self.device = Device(self.bench, f"backup{self.turn}", None)
        self.device.start("--interface", "lo")
        wait_for(self.device.is_ready, 20, "the daemon is ready")
        self.device.call("account", "create", "--name", "Backup")
        os.makedirs(repository)
        self.device.call("backup", "target", repository)
        self.isIncluded = False

    def run(self, *arguments):
        flush()
        pid = self.device.process.pid
        before, used = resource.getrusage(resource.RUSAGE_CHILDREN), cpu_seconds([pid])
        begin = time.monotonic()
        self.device.call("backup", *arguments)
        taken = time.monotonic() - begin
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return taken, (cpu_seconds([pid]) - used + after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

    def back_up(self, source):
        if not self.isIncluded:
            self.device.call("backup", "include", source)
            self.isIncluded = True
        return self.run("now")

    def restore(self, source, out):
        return self.run("restore", "latest", source, "--to", out)

    def end(self):
        with open(f"/proc/{self.device.process.pid}/status", encoding="utf8") as file:
            self.peak = max(self.peak, int(dict(line.split(":", 1) for line in file)["VmHWM"].split()[0]))
        self.device.stop()


def measure(bench, options):
    kinds = [Baton(bench, "baton")]
    for kind, program in ((Restic, "restic"), (Borg, "borg")):
        if shutil.which(program):
            kinds.append(kind(bench, program))
        else:
            say(f"{program} is not measured: it is not here (dev/setup --benchmarks)")
    source = f"{bench.work}/backup-source"
    fill(source, options.backup_megabytes)
    steps = ("first", "unchanged", "changed", "restore")
    times = {kind.name: {step: [] for step in steps} for kind in kinds}
    sizes = {}
    for turn in range(options.backup_turns):
        for kind in kinds:
            repository, out = f"{bench.work}/backup-{kind.name}", f"{bench.work}/backup-out"
            kind.begin(repository)
            found = times[kind.name]
            found["first"].append(kind.back_up(source))
            found["unchanged"].append(kind.back_up(source))
            change(source, f"{turn} {kind.name}")
            found["changed"].append(kind.back_up(source))
            found["restore"].append(kind.restore(source, out))
            kind.end()
            restored = sum(len(names) for _, _, names in os.walk(out))
            if restored != FILES:
                raise SystemExit(f"{kind.name} restored {restored} of {FILES} files")
            sizes[kind.name] = stored(repository)
            shutil.rmtree(repository)
            shutil.rmtree(out)
            say(f"backup, turn {turn + 1}, {kind.name}: "
                + ", ".join(f"{step} {found[step][-1][0]:.2f} s ({found[step][-1][1]:.2f} of processor)" for step in steps))
    result = {"files": FILES, "megabytes": options.backup_megabytes, "programs": {}}
    for kind in kinds:
        found = times[kind.name]
        result["programs"][kind.name] = {
            "stored_mb": round(sizes[kind.name] / 1e6, 1), "peak_mb": round(kind.peak / 1024, 1),
            **{step: {"seconds": spread([wall for wall, _ in found[step]]),
                      "cpu": round(statistics.median(cpu for _, cpu in found[step]), 2),
                      "ratio": spread([wall / own for (wall, _), (own, _) in zip(times["baton"][step], found[step])])}
               for step in steps}}
    say(f"backup: {json.dumps(result)}")
    shutil.rmtree(source)
    return result


def rows(result):
    if not (figures := result.get("backup")):
        return []
    names = {"first": "first backup", "unchanged": "nothing changed", "changed": "one file changed", "restore": "restore"}
    rows = []
    for step, title in names.items():
        for program, found in figures["programs"].items():
            rows.append((
                f"{title}, {figures['files']} files, {figures['megabytes']} MB, {program}",
                "{median} s ({min} to {max})".format(**found[step]["seconds"]) + f", {found[step]['cpu']} s of processor",
                "1" if program == "baton" else "baton to it {median} ({min} to {max})".format(**found[step]["ratio"])))
    rows += [
        (f"stored, and most memory, {program}", f"{found['stored_mb']} MB", f"{found['peak_mb']} MB")
        for program, found in figures["programs"].items()]
    return rows
