"""Search, pages, predictions, requests and contacts: what they find, and what they cost. Nothing of it needs a daemon."""
import os
import shutil

from harness import Tool, here, say

DATA = f"{here}/../../shared/data"
ITEMS = 100_000
CARDS = 10_000


def measure(bench, options):
    folder = f"{bench.work}/search"
    result = {}

    def run(name, *arguments, last):
        """All lines of a part, until the one that is the last."""
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        tool = Tool(bench, None, name, *arguments)
        lines = []
        while not lines or lines[-1]["event"] != last:
            lines.append(tool.feed.lines.get(timeout=1200))
        tool.end()
        result[name] = lines
        for line in lines:
            say(f"{name}: {line}")

    if os.path.exists(DATA):
        run("search-quality", f"{DATA}/cranfield", folder, last="mistyped")
        run("prediction", f"{DATA}/apps/desktop.csv", last="cost")
    else:
        say("The collections of ../shared/data are not there: how well search and predictions guess is not measured.")
    run("search-speed", ITEMS, folder, last="call")
    run("pages", options.blocks, last="end")
    run("requests", last="end")
    run("cards", CARDS, folder, last="cards")
    shutil.rmtree(folder, ignore_errors=True)
    return result


def rows(result):
    if not (figures := result.get("search")):
        return []
    rows = []
    for line in figures.get("search-quality", []):
        if line["event"] == "step":
            rows.append((f"search: mean average precision, {line['name']}", f"{line['map']:.3f}", "aim: .335"))
        elif line["event"] == "mistyped":
            rows.append(("search: a title with a mistyped word is in the first ten",
                         f"{line['found']} of {line['queries']}", "aim: 95 of 100"))
    for line in figures.get("search-speed", []):
        if line["event"] == "look":
            bare = f"; bare FTS5 {line['bare_p95_ms']:.1f}" if "bare_p95_ms" in line else ""
            rows.append((f"search: {line['what']}", f"p95 {line['p95_ms']:.1f} ms{bare}", "aim: 5 ms"))
    return rows
