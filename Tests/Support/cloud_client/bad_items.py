"""Writes and reads that are refused, or must not count twice."""

import secrets

from device import JSON, batch, delete, name, put
from messages import cloud

GIGABYTE = 1 << 30


def stale(checks, world):
    device = world.first
    device.write("bad", put("a", b"1"))
    device.write("bad", put("a", b"2", 1))
    before = device.state()
    for title, write in [
        ("a stale version", put("a", b"3", 1)), ("a version of the future", put("a", b"3", 99)),
        ("an item as new that is there", put("a", b"3")), ("a deletion of a stale version", delete("a", 1)),
    ]:
        # A conflict is an answer, not an error: it brings what the device must merge with.
        answer = world.second.write("bad", put("b", b"1"), write)
        found = list(answer.versions), [(item.version, item.content.sealed) for item in answer.conflicts]
        checks.same(f"{title}: the winner comes", found, ([], [(2, b"2")]))
        checks.unchanged(f"{title}: nothing changes", before, device.state())


def replayed(checks, world):
    device, key = world.first, secrets.token_bytes(16)
    device.write("bad", put("replayed", b"1"), key=key)

    def refused(title, call):
        checks.refused(title, device, "invalid_argument", "idempotency_key_reused", call)
    refused("an idempotency key with another content", lambda: device.write("bad", put("replayed", b"2"), key=key))
    refused("an idempotency key with another version",
            lambda: device.write("bad", put("replayed", b"1", 7), key=key))
    refused("an idempotency key with one item more",
            lambda: device.write("bad", put("replayed", b"1"), put("more", b"1"), key=key))
    refused("an idempotency key with a deletion instead",
            lambda: world.second.write("bad", delete("replayed", 0), key=key))


def over_limits(checks, world):
    device = world.first
    limits = device.call("AccountService/GetServer", cloud.GetServerRequest()).limits

    def refused(title, reason, *writes):
        checks.refused(title, device, "resource_exhausted", reason, lambda: device.write("bad", *writes))
    most = limits.item_bytes
    refused("an item over the limit", "item_too_large", put("large", bytes(most + 1)))
    count = limits.batch_bytes // most
    full = [put(f"large {number}", bytes(most)) for number in range(count)]
    refused("a batch over the limit", "batch_too_large", *full, put("one more", b"x"))
    many = [put(f"{number}", b"") for number in range(limits.items_per_batch + 1)]
    refused("a batch of too many items", "too_many_items", *many)
    room = 4096
    refused("more said of a deletion than the limit", "tombstone_too_large", delete("said", 0, bytes(room + 1)))
    checks.same("as much as the limit", list(device.write("said of it", delete("said", 0, bytes(room))).versions), [1])
    named = [secrets.token_bytes(32) for _ in range(limits.blobs_per_item + 1)]
    refused("an item with too many blobs", "too_many_blobs", put("many", b"", blobs=named))
    for title, length, pieces in [
        ("an item of 1 GB", GIGABYTE, (bytes(1 << 16) for _ in range(GIGABYTE >> 16))),
        ("an item of 1 GB in chunks", None, (b"10000\r\n" + bytes(1 << 16) + b"\r\n" for _ in range(GIGABYTE >> 16))),
        ("an item of 1 GB that is only told of", GIGABYTE, []),
    ]:
        headers = {} if length else {"Transfer-Encoding": "chunked"}
        with device.begin("ZoneService/WriteItems", length, **headers) as wire:
            sent = wire.flood(pieces)
            checks.refused(title, device, "resource_exhausted", "message_too_large", wire.refusal)
            checks.that(f"{title}: it is not read to its end", sent < 64 << 20, f"{sent} bytes went out")


def over_quota(checks, world):
    device = world.elsewhere
    quota = device.call("AccountService/GetUsage", cloud.GetUsageRequest()).quota_bytes
    checks.same("the other server's quota", quota, 200_000)
    for number in range(3):
        device.write("full", put(f"{number}", bytes(60_000)))

    def refused(title, call):
        checks.refused(title, device, "resource_exhausted", "quota_exceeded", call)
    refused("a write over quota", lambda: device.write("full", put("3", bytes(60_000))))
    refused("a change over quota", lambda: device.write("full", put("0", bytes(100_000), 1)))
    refused("a batch that is over quota with its last item",
            lambda: device.write("full", put("small", b"x"), put("3", bytes(60_000))))
    refused("a zone of its own over quota", lambda: device.write("another", put("3", bytes(60_000))))
    refused("a blob over quota", lambda: device.put_blob(bytes(32), bytes(1000), 0, 60_000))
    checks.same("what makes it smaller is let in", list(device.write("full", put("0", b"small", 1)).versions), [4])
    checks.same("then there is room", list(device.write("full", put("3", bytes(50_000))).versions), [5])


def unknown(checks, world):
    device = world.first
    fetch = cloud.FetchItemsRequest(zone_id=name("none"), item_ids=[name("a")])
    for title, call in [
        ("changes of an unknown zone", lambda: device.page("none")),
        ("items of an unknown zone", lambda: device.call("ZoneService/FetchItems", fetch)),
    ]:
        checks.refused(title, device, "not_found", "unknown_zone", call, 404)
    before = device.state()
    device.delete_zone("none")
    checks.unchanged("an unknown zone is deleted already", before, device.state())


def of_another(checks, world):
    """A zone belongs to its account: the same 32 bytes are another zone in another one."""
    owner, stranger = world.first, world.stranger
    owner.write("private", put("a", b"1"))
    mine = owner.page("private").cursor
    fetch = cloud.FetchItemsRequest(zone_id=name("private"), item_ids=[name("a")])
    for title, call in [
        ("another account's changes", lambda: stranger.page("private")),
        ("another account's items", lambda: stranger.call("ZoneService/FetchItems", fetch)),
    ]:
        checks.refused(title, owner, "not_found", "unknown_zone", call)
        checks.refused(title + " in JSON", owner, "not_found", "unknown_zone",
                       lambda: stranger.call("ZoneService/FetchItems", fetch, JSON))
    checks.refused("another account's cursor", owner, "out_of_range", "cursor_of_another_time",
                   lambda: stranger.page("private", mine))
    checks.refused("another account is not deleted", owner, "invalid_argument", "other_account", lambda: stranger.call(
        "AccountService/DeleteAccount", cloud.DeleteAccountRequest(account_id=owner.account.id)))
    before = owner.state()
    stranger.delete_zone("private")
    checks.unchanged("another account's zone is not deleted", before, owner.state())
    stranger.write("private", put("a", b"theirs"))
    checks.unchanged("another account's zone is not written", before, owner.state())
    checks.same("nor read", [item.content.sealed for item in owner.page("private").items], [b"1"])
    stranger.delete_zone("private")


def cursors(checks, world):
    device = world.first
    device.write("cursor", put("a", b"1"))
    first = device.page("cursor").cursor
    device.write("cursor", put("b", b"1"))
    second = device.page("cursor").cursor

    def refused(title, code, reason, cursor, zone="cursor"):
        checks.refused(title, device, code, reason, lambda: device.page(zone, cursor))
    # The form of a cursor is the server's own matter. Where one differs from the next is how far it has come.
    moved = [index for index in range(len(first)) if first[index] != second[index]]
    future = bytearray(second)
    future[moved[0]] = 0xFF
    refused("a cursor from the future", "out_of_range", "cursor_from_the_future", bytes(future))
    for title, cursor in [
        ("one byte for a cursor", b"\1"), ("a cut cursor", second[:-1]), ("a cursor with more", second + b"\0"),
        ("text for a cursor", b"0" * len(second)), ("a megabyte for a cursor", bytes(1 << 20)),
    ]:
        refused(title, "invalid_argument", "malformed_cursor", cursor)
    refused("a cursor of another zone", "out_of_range", "cursor_of_another_time", second, "items")
    device.delete_zone("cursor")
    refused("a cursor of a zone that is gone", "out_of_range", "cursor_of_another_time", second)
    device.write("cursor", put("a", b"1"))
    refused("a cursor of the zone before", "out_of_range", "cursor_of_another_time", second)
    checks.same("from the start it is read", [item.version for item in device.page("cursor").items], [1])


def malformed(checks, world):
    device = world.first

    def refused(title, reason, request, code="invalid_argument"):
        checks.refused(title, device, code, reason, lambda: device.call("ZoneService/WriteItems", request))
    refused("an item twice in a batch", "item_twice", batch("bad", [put("x", b"1"), put("x", b"2")]))
    refused("a batch of nothing", "empty_batch", batch("bad", []))
    for length in (0, 15, 17):
        refused(f"an idempotency key of {length} bytes", "malformed_key", batch("bad", [put("x", b"1")], bytes(length)))
    for title, change in [
        ("a zone of 31 bytes", {"zone_id": bytes(31)}), ("no zone", {"zone_id": b""}),
        ("an item of 33 bytes", {"writes": [cloud.ItemWrite(item_id=bytes(33), put=cloud.ItemContent())]}),
        ("a blob of 5 bytes", {"writes": [put("x", b"", blobs=[b"short"])]}),
    ]:
        request = batch("bad", [put("x", b"1")])
        for field, value in change.items():
            request.ClearField(field)
            request.MergeFrom(cloud.WriteItemsRequest(**{field: value}))
        refused(title, "malformed_name", request)
    refused("a write of no kind", "malformed_write", batch("bad", [cloud.ItemWrite(item_id=name("x"))]))
    refused("a blob that was not uploaded", "blob_missing", batch("bad", [put("x", b"", blobs=[bytes(32)])]),
            "failed_precondition")


SECTIONS = [stale, replayed, over_limits, over_quota, unknown, of_another, cursors, malformed]
