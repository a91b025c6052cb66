"""Runs tests in lanes, which are processes of their own, and reads from their event streams what became of each test."""

import dataclasses
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOGS = ROOT / ".build/test-logs"
# Every lane takes far less. One that takes longer hangs.
LIMIT = 15 * 60
QUIET = "quiet lane"
# Swift Testing's status when the options choose no test.
NO_TESTS = 69


def say(text=""):
    print(text, flush=True)


# --- Tests ------------------------------------------------------------------------------------------------------------


def without_place(test):
    """A test's identifier without the place in the sources that may end it."""
    return re.sub(r"/[^/]+\.swift:\d+:\d+$", "", test)


@dataclasses.dataclass
class Test:
    """One test, and what became of it in a lane."""

    id: str
    lane: str
    state: str = "unfinished"  # or passed, failed, skipped
    seconds: float = 0
    issues: list[str] = dataclasses.field(default_factory=list)

    @property
    def name(self):
        return without_place(self.id)


def escaped(text):
    """The text as a regular expression of Swift, which knows fewer escapes than Python's `re.escape` makes."""
    return re.sub(r"([\\.+*?()\[\]{}|^$/])", r"\\\1", text)


def either(expressions):
    """One expression for all: Swift Testing tries each one on each test."""
    expressions = list(expressions)
    return [f"(?:{'|'.join(expressions)})"] if expressions else []


def test_files():
    """(module, file, its lines) for each source file with tests."""
    for file in sorted((ROOT / "Tests").rglob("*.swift")):
        lines = file.read_text(encoding="utf8").splitlines()
        if any(is_test(line) for line in lines):
            yield file.relative_to(ROOT / "Tests").parts[0], file, lines


def is_test(line):
    return re.match(r"\s*@Test\b", line) is not None


def quiet_tests():
    """Expressions for the tests that a comment just above `@Test` puts into the quiet lane."""
    for module, file, lines in test_files():
        for index, line in enumerate(lines):
            if not is_test(line):
                continue
            above = index - 1
            while above >= 0 and lines[above].lstrip().startswith("//"):
                if QUIET in lines[above]:
                    yield rf"^{module}\..*\/{escaped(file.name)}:{index + 1}:"
                    break
                above -= 1


# --- Lanes ------------------------------------------------------------------------------------------------------------


class Lane:
    """A process that runs some of the tests."""

    def __init__(self, name, only=(), without=(), parallel=False, limit=LIMIT, environment=None):
        self.name, self.only, self.without = name, list(only), list(without)
        self.parallel, self.limit, self.environment = parallel, limit, environment or {}
        base = re.sub(r"[^\w.-]+", "-", name)[:80]
        self.log, self.events = LOGS / f"{base}.log", LOGS / f"{base}.events"
        self.process, self.tests, self.loose, self.failure, self.seconds = None, {}, [], None, 0
        # How many of its kind may run at once, and whether what it needs is there.
        self.at_once, self.is_ready = None, lambda: True

    def start(self, binary):
        LOGS.mkdir(parents=True, exist_ok=True)
        command = [str(binary), "--testing-library", "swift-testing"]
        command += ["--event-stream-output-path", str(self.events), "--event-stream-version", "0"]
        if self.parallel:
            command += ["--experimental-maximum-parallelization-width", str(os.cpu_count() or 1)]
        else:
            command += ["--no-parallel"]
        for option, expressions in (("--filter", either(self.only)), ("--skip", either(self.without))):
            for expression in expressions:
                command += [option, expression]
        self.events.write_text("")
        self.begin = time.monotonic()
        with open(self.log, "w", encoding="utf8") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                start_new_session=True, env={**os.environ, "NO_COLOR": "1", **self.environment})

    def is_over(self):
        """Whether it has ended; one that hangs is ended here."""
        status = self.process.poll()
        elapsed = time.monotonic() - self.begin
        if status is None and elapsed < self.limit:
            return False
        self.end()
        self.seconds = elapsed
        self.tests, self.loose = read_events(self.events, self.name)
        if status is None:
            self.failure = f"was ended after {self.limit / 60:.0f} minutes"
        elif status < 0:
            self.failure = f"crashed with {signal.Signals(-status).name}"
        elif status == NO_TESTS and not self.tests:
            pass  # All of them are in another lane.
        elif self.unfinished() or not self.tests and status != 0:
            self.failure = f"ended early with status {status}"
        elif status != 0 and not self.failed():
            self.failure = "had a failure that belongs to no test"
        return True

    def end(self):
        """Ends the process and what it has started, if any of it still runs."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()

    def failed(self):
        return [test for test in self.tests.values() if test.state == "failed"]

    def unfinished(self):
        return [test for test in self.tests.values() if test.state == "unfinished"]

    def again(self):
        """A lane for what this one left open, when it crashed or hung; for all of it, when that is not known."""
        rest = [f"^{escaped(test.id)}$" for test in self.unfinished() or self.tests.values()]
        return Lane(
            f"{self.name} again", only=rest or self.only, without=[] if rest else self.without, limit=self.limit,
            environment=self.environment)

    def tail(self, count=40):
        lines = self.log.read_text(encoding="utf8", errors="replace").splitlines()
        return [line for line in lines if "◇ Test case" not in line][-count:]


def alone(test, environment=None):
    """A lane for one test."""
    return Lane(f"alone {test.name}", only=[f"^{escaped(test.id)}$"], environment=environment)


def read_events(path, lane):
    """The tests of a lane by their identifiers, and the issues that belong to no test."""
    tests, loose, begun, cases = {}, [], {}, {}
    for line in path.read_text(encoding="utf8", errors="replace").split("\n"):
        try:
            record = json.loads(line)
        except ValueError:
            continue  # cut off in the middle, when the process was ended
        payload = record.get("payload", {})
        if record.get("kind") == "test":
            if payload.get("kind") == "function":
                tests[payload["id"]] = Test(payload["id"], lane)
            continue
        kind, test = payload.get("kind"), tests.get(payload.get("testID"))
        now = payload.get("instant", {}).get("absolute", 0)
        if kind == "issueRecorded":
            issue = payload.get("issue", {})
            if issue.get("isKnown") or issue.get("_severity", issue.get("severity")) == "warning":
                continue
            text = " ".join(message.get("text", "") for message in payload.get("messages", []))
            place = issue.get("sourceLocation") or {}
            place = f"{place.get('fileID', '?')}:{place.get('line', '?')}"
            (test.issues if test else loose).append(f"{place}: {text}")
        elif test is None:
            continue
        elif kind == "testStarted":
            begun[test.id] = now
        # An event of a test with arguments, which may wait for others between its cases.
        elif kind in ("testCaseStarted", "testCaseEnded"):
            cases[test.id] = cases.get(test.id, 0) + (now if kind == "testCaseEnded" else -now)
        elif kind == "testSkipped":
            test.state = "skipped"
        elif kind == "testEnded":
            test.state = "failed" if test.issues else "passed"
            test.seconds = cases.get(test.id, now - begun.get(test.id, now))
    return tests, loose


def run_lanes(lanes, binary, at_once=1, begins=lambda lane: None):
    """Runs the lanes in their order, so many at once, or as many as each says itself; one that is not ready lets others go first."""
    waiting, running = list(lanes), []

    def next_lane():
        lane = next((lane for lane in waiting if lane.is_ready()), None)
        taken = sum(1 / (lane.at_once or at_once) for lane in running)
        return lane if lane and taken + 1 / (lane.at_once or at_once) < 1.001 else None

    try:
        while waiting or running:
            while lane := next_lane():
                waiting.remove(lane)
                begins(lane)
                lane.start(binary)
                running.append(lane)
            for lane in [lane for lane in running if lane.is_over()]:
                running.remove(lane)
                tell(lane)
            time.sleep(0.05)
    finally:
        for lane in running:
            lane.end()


def tell(lane):
    """A line for a lane that is over, and what went wrong in it."""
    passed = sum(test.state == "passed" for test in lane.tests.values())
    say(f"   {lane.name}: {passed} passed, {len(lane.failed())} failed in {lane.seconds:.0f} s")
    for test in lane.failed():
        say(f"   ✘ {test.name}")
        for issue in test.issues[:10]:
            say("     " + issue[:2000].replace("\n", "\n     "))
    for issue in lane.loose[:10]:
        say("   ✘ " + issue[:2000])
    if lane.failure:
        say(f"   ✘ This lane {lane.failure}. Tests that had not finished: {len(lane.unfinished())}. Its output ends so:")
        for line in lane.tail():
            say("     " + line[:500])


def list_tests(binary):
    """The names of all tests."""
    shown = subprocess.run(
        [str(binary), "--testing-library", "swift-testing", "--list-tests"], cwd=ROOT, stdin=subprocess.DEVNULL,
        capture_output=True, text=True)
    # With its place where two modules have suites and tests of one name.
    return {without_place(line) for line in shown.stdout.split("\n") if line}


def find_binary():
    """The program of the tests, as it was built; None if it is not there."""
    shown = subprocess.run(
        ["swift", "build", "--show-bin-path"], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    found = sorted(pathlib.Path(shown.stdout.strip()).glob("*PackageTests.xctest")) if shown.returncode == 0 else []
    return found[0] if found else None


def prepare():
    """What each script that runs tests begins with: it works with closed input, in any folder, with no environment."""
    if sys.stdin is None:
        os.open(os.devnull, os.O_RDONLY)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf8", errors="replace", line_buffering=True)
    os.chdir(ROOT)
