"""What comes many times at once: it counts once, or for one of them."""

import hashlib
import secrets
from concurrent.futures import ThreadPoolExecutor

from calls import finish
from connect import Refusal
from device import Device, delete, name, put

CALLERS = 12


def at_once(device, call):
    """What each of many connections of a device got, in order: a reason where it was refused."""
    def one(_):
        caller = Device(device.server, device.account, device.key)
        caller.token = device.token
        try:
            return call(caller)
        except Refusal as refusal:
            return refusal.reason
    with ThreadPoolExecutor(CALLERS) as pool:
        return list(pool.map(one, range(CALLERS)))


def writes(checks, world):
    device, key = world.first, secrets.token_bytes(16)
    found = at_once(device, lambda caller: tuple(caller.write("together", put("a", b"1"), key=key).versions))
    checks.same("one batch at once is written once", found, [(1,)] * CALLERS)
    found = at_once(device, lambda caller: tuple(caller.write("together", put("b", secrets.token_bytes(9))).versions))
    checks.same("of many writers of an item one wins", sorted(found), [()] * (CALLERS - 1) + [(2,)])
    found = at_once(device, lambda caller: caller.write("together", put(secrets.token_hex(8), b"1")).versions[0])
    checks.same("each write has a version of its own", sorted(found), list(range(3, 3 + CALLERS)))


def challenges(checks, world):
    request = world.first.authentication()
    found = at_once(world.first, lambda caller: bool(caller.call("AccountService/Authenticate", request).token))
    checks.same("a challenge lets in once", sorted(found, key=str), [True] + ["used_already"] * (CALLERS - 1))


def quota(checks, world):
    device = world.elsewhere
    # A zone that was deleted would count until all of it is gone.
    versions = {item.item_id: item.version for item in device.page("full").items}
    device.write("full", *(delete(item, versions[name(item)]) for item in "0123"))
    found = at_once(device, lambda caller: bool(caller.write(secrets.token_hex(8), put("a", bytes(60_000))).versions))
    checks.same("many writes do not get over the quota", sorted(found, key=str),
                [True] * 3 + ["quota_exceeded"] * (CALLERS - 3))


def uploads(checks, world):
    device, content = world.first, secrets.token_bytes(3_000_000)
    digest = hashlib.sha256(content).digest()
    found = set(at_once(device, lambda caller: bool(caller.put_blob(digest, content, 0, len(content)))))
    checks.that("a blob may be brought by many at once", found <= {True, "wrong_offset", "blob_busy"}, f"{found}")
    if device.missing(digest):
        # Each was in another's way; then one goes on, as a device would.
        finish(device, digest, content)
    checks.that("and comes whole", device.get_blob(digest)[2] == content)


SECTIONS = [writes, challenges, quota, uploads]
