"""Continues the first offer, and reads and writes a key-value store. Prints what happened, a line of JSON each."""

import json
import sys

import baton

daemon = baton.Daemon()


def say(**what):
    print(json.dumps(what), flush=True)


def continued(activity_type, title, user_info, page):
    say(event="continued", type=activity_type, title=title, user_info=user_info)
    return True


app = baton.App("com.example.notes", ["com.example.notes.editing"], continued)
for offers in daemon.watch_offers():
    if offers:
        break
steps = [event.step for event in daemon.continue_offer(offers[0].offer_id)]
say(event="steps", last=steps[-1])
daemon.set_key_value("com.example.notes", "page", {"number": 12, "marks": [b"\x00\xff", None, 0.5]}, create=True)
say(event="stored", is_same=daemon.key_values("com.example.notes")["page"] == {"number": 12, "marks": [b"\x00\xff", None, 0.5]})
try:
    daemon.key_values("com.example.nobody")
except baton.BatonError as error:
    say(event="refused", code=error.code, reason=error.reason)
sys.stdin.read()
