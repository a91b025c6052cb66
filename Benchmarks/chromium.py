"""Chromium without windows, driven over its debugging pipe, with Baton's extension."""
import json
import subprocess
import time

REDIRECTING = ["bash", "-c", 'exec 3<&0 4>&1 </dev/null >/dev/null; exec "$@"', "chromium"]


class Chromium:
    def __init__(self, enter, profile, log):
        self.process = subprocess.Popen(
            [*REDIRECTING, *enter, "chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--remote-debugging-pipe",
             "--enable-unsafe-extension-debugging", f"--user-data-dir={profile}", "about:blank"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        self.last = 0
        self.rest = b""

    def call(self, method, session=None, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self.process.stdin.write(json.dumps(message).encode() + b"\0")
        self.process.stdin.flush()
        while True:
            answer = self._next()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise SystemExit(f"Chromium refuses {method}: {answer['error']['message']}")
                return answer["result"]

    def _next(self):
        while b"\0" not in self.rest:
            data = self.process.stdout.read1(65536)
            if not data:
                raise SystemExit("Chromium has ended")
            self.rest += data
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def open(self, url):
        """A new tab: its target, and the session in which it is spoken to."""
        target = self.call("Target.createTarget", url=url)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.wait(session, "document.readyState === 'complete' && location.href !== 'about:blank'")
        return target, session

    def evaluate(self, session, expression):
        found = self.call(
            "Runtime.evaluate", session, expression=f"String({expression})", awaitPromise=True, userGesture=True)
        return found["result"].get("value", "")

    def wait(self, session, expression, seconds=20):
        end = time.monotonic() + seconds
        while self.evaluate(session, expression) != "true":
            if time.monotonic() > end:
                raise SystemExit(f"not within {seconds} s: {expression}")
            time.sleep(0.02)

    def close_pages(self, prefix):
        for target in self.call("Target.getTargets")["targetInfos"]:
            if target["type"] == "page" and target["url"].startswith(prefix):
                self.call("Target.closeTarget", targetId=target["targetId"])

    def end(self):
        self.process.terminate()
        self.process.wait()
