"""Offers an activity until it is killed. A line of JSON says when."""

import json
import sys

import baton

app = baton.App("com.example.notes", ["com.example.notes.editing"])
app.become_current("com.example.notes.editing", "Shopping", {"line": 7, "text": "Butter"})
print(json.dumps({"event": "offered"}), flush=True)
sys.stdin.read()
