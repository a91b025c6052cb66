#!/usr/bin/env python3
"""A client of `baton-cloud` that shares no code with it: made of docs/cloud.md, docs/protocol.md and Protocol/ alone.

    python3 Tests/Support/cloud_client [--verbose] URL FINGERPRINT OTHER-URL OTHER-FINGERPRINT

Two servers, each with the SHA-256 of its certificate; the other one has a quota of 200,000 bytes. Prints a line for
each check, and ends with 1 when one failed. Needs Debian's protobuf-compiler, python3-protobuf, python3-cryptography.
"""

import argparse
import sys

# Before the modules beside this one are read: nothing is left among the sources.
sys.dont_write_bytecode = True

import bad_blobs
import bad_callers
import bad_http
import bad_items
import calls
import revocation
import together
import unchanged
from account import Account
from checks import Checks
from connect import Server
from device import Device


class World:
    """What the checks share: an account of two devices, another account on the same server, one on another server."""

    def __init__(self, server, other_server):
        self.server = server
        self.account = Account()
        self.first = Device(server, self.account)
        self.second = Device(server, self.account, self.account.admit())
        self.stranger = Device(server, Account())
        self.elsewhere = Device(other_server, Account())
        for device in (self.first, self.second, self.stranger, self.elsewhere):
            device.register()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--verbose", action="store_true", help="say what each refused call was told")
    for name in ("url", "fingerprint", "other_url", "other_fingerprint"):
        parser.add_argument(name)
    arguments = parser.parse_args()
    server = Server(arguments.url, arguments.fingerprint)
    world = World(server, Server(arguments.other_url, arguments.other_fingerprint))
    checks = Checks(arguments.verbose)
    for module in (calls, bad_items, bad_blobs, bad_callers, bad_http, together, unchanged, revocation):
        for section in module.SECTIONS:
            checks.section(section, world)
    print(f"{checks.done} checks, {checks.failed} failed")
    return 1 if checks.failed else 0


sys.exit(main())
