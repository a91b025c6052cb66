"""One line for each check: what holds, what does not and why."""

import sys
import traceback

from connect import Refusal


class Checks:
    def __init__(self, verbose):
        self.verbose = verbose
        self.done = self.failed = 0

    def that(self, name, condition, why="", found=""):
        self.done += 1
        if condition:
            print(f"ok {name}" + (f": {found}" if self.verbose and found else ""), flush=True)
        else:
            self.failed += 1
            print(f"FAIL {name}: {why or 'it does not hold'}", flush=True)

    def same(self, name, found, expected):
        self.that(name, found == expected, f"{found!r} instead of {expected!r}")

    def refused(self, name, observer, code, reason, call, status=None):
        """That `call` is refused with that code and reason and a sentence, and changes nothing that `observer` sees."""
        before = observer.state() if observer else None
        try:
            call()
            why, found = "it was not refused", ""
        except Refusal as refusal:
            why, found = self._judge(refusal, code, reason, status), str(refusal)
        except Exception as error:
            why, found = f"{type(error).__name__}: {error}", ""
        if not why and observer:
            why = self._difference(before, observer.state())
        self.that(name, not why, why, found)

    def unchanged(self, name, before, after):
        why = self._difference(before, after)
        self.that(name, not why, why)

    @staticmethod
    def _difference(before, after):
        """What has changed between two of a device's states."""
        (zones, usage), (zones_after, usage_after) = before, after
        was = [f"{zone.hex()[:8]} at {head}" for zone, head, _ in zones if (zone, head, _) not in zones_after]
        now = [f"{zone.hex()[:8]} at {head}" for zone, head, _ in zones_after if (zone, head, _) not in zones]
        if was or now:
            return f"the zones {was} became {now}"
        return f"the usage “{usage}” became “{usage_after}”".replace("\n", " ") if usage != usage_after else ""

    @staticmethod
    def _judge(refusal, code, reason, status):
        if (refusal.code, refusal.reason) != (code, reason):
            return f"{refusal} instead of {code} ({reason})"
        if status and refusal.status != status:
            return f"{refusal} instead of the status {status}"
        sentence = refusal.message
        begins = sentence[:1].isupper() or sentence[:1].isdigit() or sentence[:1] == "“"
        if not begins or sentence[-1:] not in list(".!?") or len(sentence.split()) < 3:
            return f"{refusal}: that is no sentence"
        return None

    def section(self, function, *arguments):
        """A part that does not stop the others when it breaks down."""
        try:
            function(self, *arguments)
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            place = [frame for frame in frames if frame.filename.startswith(sys.path[0])][-1]
            where = f"line {place.lineno} of {place.name}"
            self.that(function.__name__, False, f"{where}: {type(error).__name__}: {error}")
