"""Requests that are no calls, end too early, or are cut."""

import secrets
import struct

from connect import Refusal, Stream, Wire, envelope
from device import BINARY, JSON, batch, name, put
from messages import cloud, path

WRITE = "ZoneService/WriteItems"


def bodies(checks, world):
    device = world.first

    def refused(title, reason, body, content_type=BINARY, code="invalid_argument", status=400, **headers):
        checks.refused(title, device, code, reason, lambda: device.send(WRITE, body, content_type, **headers), status)
    whole = batch("bad", [put("cut", b"sealed bytes")]).SerializeToString()
    for title, body in [
        ("bytes that are no message", b"\xff\xff"), ("a field that is longer than the message", b"\x0a\x7fabc"),
        ("a number without an end", b"\x08" + b"\xff" * 11), ("a group that does not end", b"\x0b"),
        ("a field of another type", b"\x08\x01"), ("a message cut in a field", whole[:-3]),
        ("an envelope", envelope(whole)), ("JSON that is told to be binary", b'{"writes":[]}'),
    ]:
        checks.refused(title, device, "invalid_argument", lacking(body), lambda: device.send(WRITE, body), 400)
    taken = []
    for length in range(len(whole)):
        before = device.state()
        try:
            device.send(WRITE, whole[:length])
            taken.append(length)
        except Refusal as refusal:
            if refusal.code != "invalid_argument":
                taken.append((length, str(refusal)))
        if device.state() != before:
            taken.append((length, "changed"))
    checks.same("a message cut anywhere is refused and changes nothing", taken, [])
    for title, body in [
        ("JSON that does not end", b'{"zoneId":'), ("JSON that is no object", b"[]"), ("binary for JSON", whole),
        ("JSON of a wrong type", b'{"writes":7}'), ("JSON with bytes that are no base64", b'{"zoneId":"%%%"}'),
        ("JSON that is no UTF-8", b'{"zoneId":"\xff"}'), ("JSON in UTF-16", "{}".encode("utf-16")),
        ("JSON that is deep", b'{"writes":' + b"[" * 10_000 + b"]" * 10_000 + b"}"),
        ("a number out of range in JSON", b'{"writes":[{"replaces":"18446744073709551616"}]}'),
    ]:
        refused(title, "malformed_message", body, JSON)
    # An unknown field of a message may be anything, and is passed over.
    deep = b'{"x":' + b"[" * 50_000 + b"]" * 50_000 + b"}"
    before = device.state()
    device.send("ZoneService/ListZones", deep, JSON)
    checks.unchanged("a deep unknown field in JSON", before, device.state())
    for content_type in ("text/plain", "application/x-protobuf", "application/grpc", "application/connect+proto", ""):
        refused(f"the content type “{content_type}”", "unsupported_content_type", whole, content_type, status=415)
    refused("a compressed body", "unsupported_encoding", whole, code="unimplemented", status=415,
            **{"Content-Encoding": "gzip"})
    for timeout in ("-1", "1s", "10000000000", ""):
        refused(f"the timeout “{timeout}”", "invalid_timeout", whole, **{"Connect-Timeout-Ms": timeout})


def lacking(body):
    """What is a message, though not one of a batch, is refused for what it lacks."""
    return "malformed_name" if body == b"\x08\x01" else "malformed_message"


def methods(checks, world):
    device = world.first

    def call(method, where):
        status, _, body = device.connection.exchange(method, where, device.headers())
        raise Refusal(status, body)
    for where in ("/baton.cloud.v1.ZoneService/Nothing", "/baton.cloud.v1.Nothing/ListZones", "/", "/v2/blobs/",
                  "/baton.cloud.v1.ZoneService/listzones", "/baton.control.v1.ControlService/Status",
                  "/baton.cloud.v1.ZoneService/ListZones/../GetUsage", "/baton.cloud.v1.ZoneService"):
        checks.refused(f"the method {where}", device, "unimplemented", "unknown_method",
                       lambda: call("POST", where), 404)
    for method in ("GET", "PUT", "DELETE", "OPTIONS", "PATCH"):
        checks.refused(f"{method} of a method", device, "unimplemented", "method_not_allowed",
                       lambda: call(method, path(WRITE)), 405)


def streams(checks, world):
    device = world.first

    def refused(title, code, reason, body, content_type="application/connect+proto", where="ZoneService/Subscribe"):
        def call():
            with Stream(world.server, path(where), device.headers(content_type), body) as events:
                events.next()
        checks.refused(title, device, code, reason, call)
    refused("a stream without a request", "invalid_argument", "missing_request", b"")
    refused("a compressed envelope", "unimplemented", "unknown_envelope_flags", envelope(b"", 1))
    refused("an envelope with an unknown flag", "unimplemented", "unknown_envelope_flags", envelope(b"", 0x40))
    refused("an end of stream from the caller", "invalid_argument", "unexpected_end_of_stream", envelope(b"{}", 2))
    refused("an envelope that is cut", "invalid_argument", "truncated_message", envelope(b"12345")[:-2])
    refused("an envelope of 4 GB", "resource_exhausted", "message_too_large", struct.pack(">BI", 0, 0xFFFF_FFFF))
    refused("an envelope with no message", "invalid_argument", "malformed_message", envelope(b"\xff\xff"))
    refused("a zone of 1 byte", "invalid_argument", "malformed_name",
            envelope(cloud.SubscribeRequest(zone_ids=[b"x"]).SerializeToString()))
    refused("a stream that is called as unary", "invalid_argument", "unsupported_content_type", b"", BINARY)
    refused("a unary method that is called as a stream", "invalid_argument", "unsupported_content_type", envelope(b""),
            where="ZoneService/ListZones")


def heads(checks, world):
    """What is no request of HTTP is no call: there may be no error's body, and the connection ends."""
    device, body = world.first, batch("bad", [put("smuggled", b"x")]).SerializeToString()
    fields = {"Host": world.server.authority, **device.headers(), "Content-Length": len(body)}

    def turned_away(title, line=f"POST {path(WRITE)}", raw=None, **headers):
        before = device.state()
        with Wire(world.server) as wire:
            if raw is None:
                wire.head(line, {**fields, **headers})
                raw = body
            try:
                wire.send(raw)
            except OSError:
                pass
            found = wire.answer()
            # A second answer would mean that a body was taken for a request.
            second = wire.answer() if found else None
        status = found[0] if found else None
        checks.that(title, status in (None, 400, 414, 431, 501, 505), f"it is answered with {status}", f"{status}")
        checks.that(f"{title}: the connection ends", second is None, f"another answer: {second}")
        checks.unchanged(f"{title}: nothing changes", before, device.state())
    turned_away("a header field of 64 KiB", **{"X-Large": "x" * 65536})
    turned_away("header fields of 64 KiB together", **{f"X-{number}": "x" * 4096 for number in range(16)})
    turned_away("1000 header fields", **{f"X-{number}": "x" for number in range(1000)})
    turned_away("a path of 64 KiB", f"POST /{'x' * 65536}")
    turned_away("two lengths", **{"content-length": 0})
    turned_away("a length that is no number", **{"Content-Length": "ten"})
    turned_away("a length below 0", **{"Content-Length": -1})
    turned_away("a length and chunks", **{"Transfer-Encoding": "chunked"})
    turned_away("an unknown transfer encoding", **{"Transfer-Encoding": "gzip"})
    turned_away("a field with a zero byte", **{"X-Zero": "a\0b"})
    turned_away("an unknown method of HTTP", f"BREW {path(WRITE)}")
    turned_away("bytes that are no HTTP", raw=secrets.token_bytes(200) + b"\r\n\r\n")
    turned_away("the beginning of HTTP/2", raw=b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")


def cut(checks, world):
    """A connection that is cut within a request writes nothing; one that is cut before the answer, once."""
    device = world.first
    device.write("cut", put("a", b"1"))
    content = secrets.token_bytes(40_000)
    request = batch("cut", [put("b", content), put("c", content)])
    body = request.SerializeToString()
    before = device.state()
    for length in [0, 1, 20, 60, 100, len(body) // 2, 40_060, len(body) - 1]:
        with device.begin(WRITE, len(body)) as wire:
            wire.send(body[:length])
    with Wire(world.server) as wire:
        wire.send(f"POST {path(WRITE)} HTTP/1.1\r\nHo".encode())
    checks.unchanged("a connection cut within a write", before, device.state())
    with device.begin(WRITE, None, **{"Transfer-Encoding": "chunked"}) as wire:
        # All of the message, and no end of it.
        wire.send(b"%x\r\n" % len(body) + body + b"\r\n")
    checks.unchanged("a connection cut before the last chunk", before, device.state())
    for _ in range(20):
        with device.begin(WRITE, len(body)) as wire:
            wire.send(body)
    answer = device.call(WRITE, request)
    checks.same("a write whose answer was missed is there once", list(answer.versions), [2, 3])
    heads_now = {zone: head for zone, head, _ in device.state()[0]}
    checks.same("however often it was sent", heads_now[name("cut")], 3)
    page = device.page("cut")
    checks.same("and whole", [len(item.content.sealed) for item in page.items], [1, 40_000, 40_000])
    for _ in range(20):
        # More than a device may have: each is given back when its connection ends.
        with device.subscribe() as events:
            events.next()
    checks.that("subscriptions that were cut are over", True)


SECTIONS = [bodies, methods, streams, heads, cut]
