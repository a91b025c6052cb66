"""What must hold of a refused upload, and of answers that are no call's."""

import hashlib
import secrets

from account import Account
from connect import Refusal, Wire
from device import BINARY, Device
from messages import path


def uploads(checks, world):
    """Nothing of a blob that was not begun: it counts from its first byte on."""
    device = world.first
    for title, code, reason, part, offset, size in [
        ("of no blob's first byte", "failed_precondition", "wrong_offset", b"abc", 5, 1000),
        ("of more bytes than were told", "invalid_argument", "too_many_bytes", b"abc", 0, 2),
        ("of bytes that do not match", "invalid_argument", "blob_mismatch", b"abc", 0, 3),
    ]:
        digest = secrets.token_bytes(32)
        checks.refused(f"an upload {title} leaves nothing", device, code, reason,
                       lambda: device.put_blob(digest, part, offset, size))


def another_size(checks, world):
    """The size that an upload was begun with is what it counts with, and what is read."""
    device, content = world.elsewhere, secrets.token_bytes(15_000)
    digest = hashlib.sha256(content).digest()
    with device.begin_blob(digest, 0, len(content), len(content)) as upload:
        upload.send(content[:14_000])
        before = device.state_with("blobs: 1")
        try:
            device.put_blob(digest, b"", len(content) - 1, 1)
            checks.that("another size for an upload under way", False, "it was taken")
        except Refusal as refusal:
            checks.same("another size for an upload under way", refusal.code, "failed_precondition")
        checks.unchanged("another size changes nothing", before, device.state())
        upload.send(content[14_000:])
        upload.answer()
    checks.same("another size of a blob that is there", refusal_of(lambda: device.put_blob(digest, b"", 7, 7)),
                ("failed_precondition", "other_size"))
    checks.that("the blob counts whole", "blob_bytes: 15000\n" in device.state()[1], device.state()[1])
    checks.same("the blob is read whole", len(device.get_blob(digest)[2]), len(content))


def quota(checks, world):
    """A refused part makes no room: here 150,000 of 170,000 bytes stay counted, in a quota of 200,000."""
    device, content = Device(world.elsewhere.server, Account()), secrets.token_bytes(170_000)
    device.register()
    digest = hashlib.sha256(content).digest()
    device.put_blob(digest, content[:150_000], 0, len(content))
    checks.refused("an end with a size of 1", device, "failed_precondition", "other_size",
                   lambda: device.put_blob(digest, b"", 150_000, 1))
    checks.refused("a second blob over the quota", device, "resource_exhausted", "quota_exceeded",
                   lambda: device.put_blob(secrets.token_bytes(32), bytes(100), 0, 50_000))
    device.put_blob(digest, content[150_000:], 150_000, len(content))
    checks.that("the blob comes whole all the same", device.get_blob(digest)[2] == content)


def refusal_of(call):
    try:
        call()
    except Refusal as refusal:
        return refusal.code, refusal.reason
    return None


def answers(checks, world):
    device, content = world.first, secrets.token_bytes(100)
    digest = hashlib.sha256(content).digest()
    device.put_blob(digest, content, 0, len(content))
    checks.refused("a range beyond the end has an error's body", device, "out_of_range", "range_not_satisfiable",
                   lambda: device.get_blob(digest, "100-"), 416)

    def post():
        status, _, body = device.connection.exchange("POST", device.blob_path(digest), device.headers())
        raise Refusal(status, body)
    checks.refused("POST of a blob", device, "unimplemented", "method_not_allowed", post, 405)
    for where in (path("ZoneService/ListZones"), device.blob_path(digest), "/none"):
        with Wire(world.server) as wire:
            wire.head(f"HEAD {where}", {"Host": world.server.authority, "Connection": "close"})
            received = b""
            while piece := wire.socket.recv(4096):
                received += piece
        checks.same(f"HEAD of {where[:12]} has no body in its answer", received.partition(b"\r\n\r\n")[2], b"")
    fields = {"Host": world.server.authority, **device.headers(BINARY), "Transfer-Encoding": "chunked"}
    with Wire(world.server) as wire:
        wire.head(f"POST {path('ZoneService/ListZones')}", fields)
        wire.send(b"zz\r\n\r\n")
        found = wire.answer()
    checks.same("chunks without a length are the caller's fault", found and found[0], 400)
    with Wire(world.server) as wire:
        wire.head(f"POST {path('ZoneService/ListZones')}", {**device.headers(BINARY), "Content-Length": 0})
        found = wire.answer()
    checks.same("HTTP/1.1 without a host", found and found[0], 400)
    device.connection.exchange("HEAD", "/none", device.headers())
    found = device.connection.exchange("HEAD", device.blob_path(digest), device.headers())
    checks.same("the next answer after one to HEAD is read", (found[0], found[1]["Content-Length"]), (200, "100"))
    with Wire(world.server) as wire:
        headers = {"Host": world.server.authority, **device.headers(), "Content-Length": 100, "Expect": "100-continue"}
        content = secrets.token_bytes(100)
        digest = hashlib.sha256(content).digest()
        wire.head(f"PUT {device.blob_path(digest, offset=0, size=100)}", headers)
        wire.socket.settimeout(5)
        try:
            found = wire.socket.recv(100).split(b"\r\n")[0]
        except TimeoutError:
            found = b"nothing in 5 s"
        checks.same("who waits for 100 is told to go on", found, b"HTTP/1.1 100 Continue")
        wire.send(content)
        found = wire.answer()
    checks.same("and the body is taken then", (found and found[0], device.missing(digest)), (200, {}))


SECTIONS = [uploads, another_size, quota, answers]
