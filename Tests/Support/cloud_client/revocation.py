"""A device that is revoked, also in the middle of what it does. The account has a device less afterwards."""

import hashlib
import secrets
import time

from bad_callers import every_call
from connect import Refusal, Wire
from device import Device, batch, put
from messages import cloud

WRITE = "ZoneService/WriteItems"


class Thief:
    """A device of the account with everything under way when it is revoked."""

    def __init__(self, world):
        self.device = Device(world.server, world.account, world.account.admit(world.second.key))
        world.second.merge()
        self.device.authenticate()
        self.key = secrets.token_bytes(16)
        self.device.write("thief", put("a", b"before"), key=self.key)
        self.request = batch("thief", [put("b", bytes(50_000))]).SerializeToString()
        self.write = self.device.begin(WRITE, len(self.request))
        self.write.send(self.request[:30_000])
        self.head = self.device.begin(WRITE, len(self.request))
        self.events = self.device.subscribe()
        self.events.next()
        self.content = secrets.token_bytes(8 << 20)
        self.upload_digest = hashlib.sha256(self.content).digest()
        self.upload = self.device.begin_blob(self.upload_digest, 0, len(self.content), len(self.content))
        self.upload.send(self.content[:3 << 20])
        # So that it waits within the body, and not only within the connection's buffers.
        while world.second.missing(self.upload_digest)[self.upload_digest] == 0:
            time.sleep(0.01)
        self.stored = self.content[::-1]
        self.stored_digest = hashlib.sha256(self.stored).digest()
        self.device.put_blob(self.stored_digest, self.stored, 0, len(self.stored))
        self.downloads = [self._download(world, self.stored_digest) for _ in range(2)]

    def _download(self, world, digest):
        wire = Wire(world.server)
        headers = {"Host": world.server.authority, **self.device.headers()}
        wire.head(f"GET {self.device.blob_path(digest)}", headers)
        wire.early = wire.socket.recv(1000)
        return wire


def revoked(checks, world):
    witness, thief = world.second, Thief(world)
    device = thief.device
    own = witness.subscribe()
    for _ in witness.state()[0]:
        own.next()
    world.account.revoke(device.key, witness.key)
    witness.merge()
    event = cloud.SubscribeEvent.FromString(own.next())
    while event.WhichOneof("kind") == "head":
        event = cloud.SubscribeEvent.FromString(own.next())
    checks.same("others hear of it", event.WhichOneof("kind"), "membership")

    def refused(title, call):
        checks.refused(f"revoked: {title}", witness, "permission_denied", "device_revoked", call)

    def stream():
        while thief.events.next() is not None:
            pass

    def rest(wire, content):
        wire.send(content)
        wire.refusal()
    refused("a subscription that is open", stream)
    refused("a write whose body had half come", lambda: rest(thief.write, thief.request[30_000:]))
    refused("a write whose head had come", lambda: rest(thief.head, thief.request))
    for kind, call in every_call(device):
        refused(kind, call)
    refused("a write that was answered before, repeated",
            lambda: device.write("thief", put("a", b"before"), key=thief.key))
    refused("a new token", device.authenticate)
    refused("to register again", device.register)
    transfers(checks, witness, thief)
    accomplice(checks, world, witness, device)
    for connection in (own, thief.events):
        connection.__exit__()
    for wire in (thief.write, thief.head, thief.upload, *thief.downloads):
        wire.close()


def transfers(checks, witness, thief):
    try:
        thief.upload.flood([thief.content[3 << 20:]])
        answer = thief.upload.answer()
        found = "cut" if answer is None else str(Refusal(answer[0], answer[2]))
    except (OSError, ValueError) as error:
        found = f"cut ({type(error).__name__})"
    checks.that("revoked: an upload under way ends", found.startswith("cut") or "device_revoked" in found, found, found)
    received = witness.missing(thief.upload_digest).get(thief.upload_digest)
    checks.that("revoked: its blob is not there", received is not None and received < len(thief.content), f"{received}")
    checks.refused("revoked: nor is it read", witness, "not_found", "unknown_blob",
                   lambda: witness.get_blob(thief.upload_digest))
    for wire in thief.downloads:
        try:
            answer = wire.answer()
        except ValueError:
            answer = None
        size = len(answer[2]) if answer else 0
        checks.that("revoked: a download under way ends", size < len(thief.stored), f"all {size} bytes came")
    checks.that("another device goes on reading", witness.get_blob(thief.stored_digest)[2] == thief.stored)


def accomplice(checks, world, witness, device):
    """Whom a revoked device lets in afterwards is out as well."""
    friend = Device(world.server, world.account, world.account.admit(device.key))
    before = witness.state()
    witness.merge()
    checks.refused("revoked: whom it lets in", witness, "permission_denied", "not_a_member", friend.authenticate)
    checks.unchanged("revoked: its statements change nothing", before, witness.state())


SECTIONS = [revoked]
