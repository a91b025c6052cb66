"""What a client does: lets itself in, writes, reads, pages, subscribes, uploads."""

import hashlib
import json
import secrets
import time

from account import Account
from connect import Refusal, Server, Stream, WrongCertificate, envelope
from device import JSON, Device, batch, delete, name, put
from google.protobuf import json_format
from messages import cloud, path


def letting_in(checks, world):
    impostor = Server(f"https://{world.server.authority}", "00" * 32)
    try:
        impostor.open()
        checks.that("a certificate that is not the one named is noticed", False)
    except WrongCertificate:
        checks.that("a certificate that is not the one named is noticed", True)
    device = Device(world.server, Account())
    described = device.call("AccountService/GetServer", cloud.GetServerRequest())
    checks.same("the server speaks version 1", described.protocol_version, 1)
    checks.same("anybody may register", described.registration, cloud.GetServerResponse.REGISTRATION_OPEN)
    expires = device.register().expires - described.time
    checks.that("a token is good for an hour", 3_590_000 < expires < 3_700_000, f"{expires} ms")
    checks.same("a new account is empty", device.state(), ([], "quota_bytes: 10737418240\n"))
    device.register()
    checks.same("to register again lets in again", device.state()[0], [])
    device.token = None
    device.authenticate()
    checks.same("a challenge that is signed lets in", device.state()[0], [])
    second = Device(world.server, device.account, device.account.admit())
    checks.same("statements are merged", len(device.merge()), 2)
    checks.same("statements come once", len(device.merge()), 2)
    second.authenticate()
    device.call("AccountService/DeleteAccount", cloud.DeleteAccountRequest(account_id=device.account.id))
    checks.refused("a device of a deleted account", None, "unauthenticated", "unknown_account", device.state)


def items(checks, world):
    first, second = world.first, world.second
    checks.same("versions count from 1", list(first.write("items", put("a", b"1"), put("b", b"2")).versions), [1, 2])
    conflict = second.write("items", put("c", b"3"), put("a", b"other"))
    found = [(item.item_id, item.version, item.content.sealed) for item in conflict.conflicts]
    checks.same("a conflict brings the item as it is", found, [(name("a"), 1, b"1")])
    checks.same("a conflict writes nothing", (list(conflict.versions), second.page("items").items[-1].version), ([], 2))
    checks.same("a right version replaces", list(second.write("items", put("a", b"3", 1)).versions), [3])
    checks.same("an item is deleted", list(first.write("items", delete("b", 2)).versions), [4])
    request = cloud.FetchItemsRequest(zone_id=name("items"), item_ids=[name("a"), name("b"), name("none")])
    fetched = first.call("ZoneService/FetchItems", request).items
    found = {item.item_id: item.content.sealed if item.HasField("content") else None for item in fetched}
    checks.same("items are fetched, deleted ones too", found, {name("a"): b"3", name("b"): None})
    revived = first.write("items", put("b", b"5"))
    checks.same("a deleted item is not revived unknowingly", [item.version for item in revived.conflicts], [4])
    checks.same("with the deletion's version it is", list(first.write("items", put("b", b"5", 4)).versions), [5])
    checks.same("a deletion says why", list(second.write("said", delete("b", 0, b"why")).versions), [1])
    checks.same("and that is told with it", [item.deletion.sealed for item in first.page("said").items], [b"why"])
    checks.same("what never was is deleted", list(first.write("items", delete("never", 0)).versions), [6])
    absent = first.write("items", put("none", b"", 9))
    checks.same("an item that is not there has version 0", [item.version for item in absent.conflicts], [0])


def idempotency(checks, world):
    key = secrets.token_bytes(16)
    answer = world.first.write("once", put("a", b"1"), key=key)
    before = world.first.state()
    checks.same("a repeated batch has its first answer", world.first.write("once", put("a", b"1"), key=key), answer)
    checks.same("from another device too", world.second.write("once", put("a", b"1"), key=key), answer)
    checks.unchanged("a repeated batch changes nothing", before, world.first.state())
    key = secrets.token_bytes(16)
    world.first.write("once", put("a", b"2"), key=key)
    world.first.write("once", delete("a", 1))
    again = world.first.write("once", put("a", b"2"), key=key)
    checks.same("a batch in conflict is judged again", [item.version for item in again.conflicts], [2])
    key = secrets.token_bytes(16)
    answer = world.first.write("gone", put("a", b"1"), key=key)
    world.first.delete_zone("gone")
    before = world.first.state()
    checks.same("the answer outlives the zone", world.first.write("gone", put("a", b"1"), key=key), answer)
    checks.unchanged("and does not make it again", before, world.first.state())


def paging(checks, world):
    device = world.first
    device.write("pages", *(put(f"{number}", b"x") for number in range(7)))
    device.write("pages", put("2", b"y", 3))
    cursor, pages = b"", []
    while True:
        page = device.page("pages", cursor, 3)
        pages.append([item.version for item in page.items])
        cursor = page.cursor
        if not page.more:
            break
    checks.same("pages bring each item once, in order", pages, [[1, 2, 4], [5, 6, 7], [8]])
    checks.same("from the end there is nothing", list(device.page("pages", cursor).items), [])
    device.write("pages", delete("0", 1))
    page = device.page("pages", cursor)
    found = [(item.item_id, item.version, item.HasField("content")) for item in page.items]
    checks.same("a cursor brings what came since", found, [(name("0"), 9, False)])


def next_event(events, kind, zone=None):
    """The next of a kind. Others may come at any time: that a stream is alive, and news from just before it began."""
    while True:
        event = cloud.SubscribeEvent.FromString(events.next())
        found = getattr(event, kind)
        if event.WhichOneof("kind") == kind and (zone is None or found.zone_id == name(zone)):
            return found


def subscription(checks, world):
    world.first.write("heard", put("a", b"1"))
    with world.second.subscribe() as events:
        heads = {}
        while len(heads) < len(world.first.state()[0]):
            head = next_event(events, "head")
            heads[head.zone_id] = head.head
        checks.same("a subscription begins with the heads", heads.get(name("heard")), 1)
        world.first.write("heard", put("a", b"2", 1))
        head = next_event(events, "head")
        checks.same("and tells what moves", (head.zone_id, head.head), (name("heard"), 2))
        world.first.delete_zone("heard")
        checks.same("and which zone has gone", next_event(events, "gone", "heard").zone_id, name("heard"))
    with world.second.subscribe("later") as events:
        world.first.write("later", put("a", b"1"))
        head = next_event(events, "head")
        checks.same("a zone that was not there is told of when it is", (head.zone_id, head.head), (name("later"), 1))
    headers, request = world.second.headers("application/connect+json"), json_format.MessageToJson(
        cloud.SubscribeRequest(zone_ids=[name("items")])).encode()
    with Stream(world.server, path("ZoneService/Subscribe"), headers, envelope(request)) as events:
        event = json_format.Parse(events.next(), cloud.SubscribeEvent())
        checks.same("a subscription in JSON, to one zone", event.head.zone_id, name("items"))


def finish(device, digest, content):
    """Goes on with an upload whose connection was cut: the server may still be at what had come by then."""
    for _ in range(100):
        received = device.missing(digest)[digest]
        try:
            return device.put_blob(digest, content[received:], received, len(content))
        except Refusal as refusal:
            if refusal.reason not in ("wrong_offset", "blob_busy"):
                raise
            time.sleep(0.01)
    raise TimeoutError("the upload does not come to rest")


def blobs(checks, world):
    device, content = world.first, secrets.token_bytes(300_000)
    digest = hashlib.sha256(content).digest()
    checks.same("a blob is missing first", device.missing(digest), {digest: 0})
    answer = json.loads(device.put_blob(digest, content[:100_000], 0, len(content)))
    checks.same("a part of a blob", answer, {"complete": False, "received": 100_000})
    checks.same("how far an upload has come", world.second.missing(digest), {digest: 100_000})
    rest = content[100_000:]
    with world.first.begin_blob(digest, 100_000, len(content), len(rest)) as wire:
        wire.send(rest[:50_000])
    answer = json.loads(finish(device, digest, content))
    checks.same("an upload that was cut goes on", answer, {"complete": True, "received": len(content)})
    checks.same("a whole blob is not missing", device.missing(digest), {})
    status, headers, body = world.second.get_blob(digest)
    checks.that("a blob is read", (status, body) == (200, content), f"{status}, {len(body)} bytes")
    status, headers, body = world.second.get_blob(digest, "1000-1999")
    found = (status, headers["Content-Range"], body == content[1000:2000])
    checks.same("a blob's range is read", found, (206, "bytes 1000-1999/300000", True))
    checks.same("the last bytes are read", world.second.get_blob(digest, "-7")[2], content[-7:])
    checks.same("an item names it", list(device.write("blobs", put("a", b"1", blobs=[digest])).versions), [1])


def in_json(checks, world):
    def call(method, request):
        return world.stranger.call(method, request, JSON)
    written = call("ZoneService/WriteItems", batch("json", [put("a", b"\0\xff1"), put("b", b"")]))
    checks.same("items are written in JSON", list(written.versions), [1, 2])
    page = call("ZoneService/FetchChanges", cloud.FetchChangesRequest(zone_id=name("json")))
    checks.same("and read", [(item.version, item.content.sealed) for item in page.items], [(1, b"\0\xff1"), (2, b"")])
    binary = world.stranger.page("json")
    checks.same("as in binary", list(page.items), list(binary.items))
    conflict = call("ZoneService/WriteItems", batch("json", [put("a", b"2")]))
    checks.same("conflicts come in JSON", [item.version for item in conflict.conflicts], [1])
    zones = json.loads(world.stranger.send("ZoneService/ListZones", b"", "application/json; charset=utf-8"))["zones"]
    checks.same("an empty body is an empty message, numbers of 64 bits are text", [z["head"] for z in zones], ["2"])
    passed_over = world.stranger.send("ZoneService/ListZones", b'{"future":{"x":[1]}}', JSON)
    checks.same("unknown fields are passed over", json.loads(passed_over)["zones"], zones)
    call("ZoneService/DeleteZone", cloud.DeleteZoneRequest(zone_id=name("json")))
    checks.same("a zone is deleted in JSON", world.stranger.state()[0], [])


SECTIONS = [letting_in, items, idempotency, paging, subscription, blobs, in_json]
