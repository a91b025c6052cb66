"""Uploads and downloads that are refused."""

import hashlib
import secrets

from connect import Refusal
from device import put


def wrong_bytes(checks, world):
    """Of a blob that is not begun yet, or begun rightly, a refused part leaves what was there."""
    device, content = world.first, secrets.token_bytes(5000)
    digest = hashlib.sha256(content).digest()
    device.put_blob(digest, content[:2000], 0, len(content))
    for title, code, reason, part, offset, size in [
        ("bytes that leave a gap", "failed_precondition", "wrong_offset", content[3000:], 3000, 5000),
        ("bytes that came before", "failed_precondition", "wrong_offset", content[1000:3000], 1000, 5000),
        ("more bytes than were told", "invalid_argument", "too_many_bytes", content[2000:] + b"more", 2000, 5000),
        ("a size below 0", "invalid_argument", "malformed_query", b"x", 2000, -1),
        ("a size that is none", "invalid_argument", "malformed_query", b"x", 2000, "many"),
        ("a size of 80 digits", "invalid_argument", "malformed_query", b"x", 2000, "9" * 80),
    ]:
        checks.refused(title, device, code, reason, lambda: device.put_blob(digest, part, offset, size))
        checks.same(f"{title}: what came before stays", device.missing(digest), {digest: 2000})
    try:
        device.put_blob(digest, bytes(3000), 2000, 5000)
        checks.that("a blob whose bytes do not match", False, "it was taken")
    except Refusal as refusal:
        checks.same("a blob whose bytes do not match", (refusal.code, refusal.reason), ("invalid_argument", "blob_mismatch"))
    checks.same("it is dropped", device.missing(digest), {digest: 0})
    checks.refused("a dropped blob is not read", device, "not_found", "unknown_blob", lambda: device.get_blob(digest))
    checks.refused("a dropped blob is not named", device, "failed_precondition", "blob_missing",
                   lambda: device.write("bad", put("blob", b"", blobs=[digest])))
    device.put_blob(digest, content, 0, len(content))
    checks.same("the right bytes are taken then", device.get_blob(digest)[2], content)
    device.put_blob(digest, b"", len(content), len(content))
    checks.same("the end of an upload may be said twice", device.missing(digest), {})


def not_there(checks, world):
    device, owner = world.stranger, world.first
    content = secrets.token_bytes(100)
    digest = hashlib.sha256(content).digest()
    owner.put_blob(digest, content, 0, len(content))
    checks.refused("another account's blob", owner, "not_found", "unknown_blob", lambda: device.get_blob(digest), 404)
    checks.refused("another account's blob is not named", device, "failed_precondition", "blob_missing",
                   lambda: device.write("bad", put("x", b"", blobs=[digest])))
    checks.same("it is missing there", device.missing(digest), {digest: 0})
    status, headers, _ = owner.connection.exchange(
        "GET", owner.blob_path(digest), {**owner.headers(), "Range": "bytes=100-"})
    checks.same("a range beyond the end", (status, headers["Content-Range"]), (416, "bytes */100"))


def not_a_blob(checks, world):
    device = world.first

    def get(path):
        status, _, body = device.connection.exchange("GET", path, device.headers())
        raise Refusal(status, body)
    for title, path in [
        ("a blob's name in upper case", "/v1/blobs/" + "AB" * 32), ("a blob's name that is short", "/v1/blobs/ab"),
        ("a blob's name that leads out", "/v1/blobs/../../etc/passwd"), ("no blob's name", "/v1/blobs/"),
        ("a blob's name with zeros", "/v1/blobs/%00" + "a" * 61),
    ]:
        checks.refused(title, device, "invalid_argument", "malformed_name", lambda: get(path), 400)
    checks.refused("a blob of 1 GB", device, "resource_exhausted", "blob_too_large",
                   lambda: device.put_blob(bytes(32), b"x", 0, 1 << 30))
    checks.refused("a hash of 5 bytes", device, "invalid_argument", "malformed_name", lambda: device.missing(b"short"))


SECTIONS = [wrong_bytes, not_there, not_a_blob]
