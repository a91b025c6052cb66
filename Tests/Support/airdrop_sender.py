"""Strangers who send by AirDrop as they should not.

    python3 airdrop_sender.py HOST PORT CASE

Prints one JSON value: what the receiver answered.
"""

import contextlib
import gzip
import http.client
import json
import os
import plistlib
import ssl
import subprocess
import sys

HOST, PORT, CASE = sys.argv[1], int(sys.argv[2]), sys.argv[3]


def connect(source=None):
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    address = (source, 0) if source else None
    connection = http.client.HTTPSConnection(HOST, PORT, context=context, timeout=20, source_address=address)
    connection.connect()
    return connection


def post(connection, path, body, kind="application/octet-stream"):
    try:
        connection.request("POST", path, body, {"Content-Type": kind})
        answer = connection.getresponse()
        answer.read()
        return answer.status
    except (OSError, http.client.HTTPException):
        return 0


def question(names):
    files = [{"FileName": name, "FileType": "public.data", "FileBomPath": "./" + name} for name in names]
    return plistlib.dumps({"SenderComputerName": "Stranger", "Files": files}, fmt=plistlib.FMT_BINARY)


def ask(connection, *names):
    return post(connection, "/Ask", question(names))


def entry(name, content, mode=0o100644):
    name = name.encode() + b"\0"
    header = "070707%06o%06o%06o%06o%06o%06o%06o%011o%06o%011o" % (0, 0, mode, 0, 0, 1, 0, 0, len(name), len(content))
    return header.encode() + name + content


def archive(files):
    body = b"".join(entry("./" + name, content) for name, content in files)
    return gzip.compress(body + entry("TRAILER!!!", b"", 0))


def upload(connection, files):
    return post(connection, "/Upload", archive(files), "application/x-cpio")


def other_client():
    """Somebody else uploads what this one may; it does so itself, then again."""
    own, other = connect(), connect()
    asked = ask(own, "one.bin")
    return [
        asked,
        upload(other, [("one.bin", b"wrong")]),
        upload(own, [("one.bin", b"right")]),
        upload(connect(), [("one.bin", b"again")]),
    ]


def unasked():
    return [upload(connect(), [("one.bin", b"unasked")])]


def one_name():
    """Names that are one on many disks."""
    own = connect()
    names = ["a.txt", "A.txt", "A.TXT"]
    return [ask(own, *names), upload(own, [(name, name.encode()) for name in names])]


def killed():
    """Goes away in the middle of its upload."""
    own = connect()
    asked = ask(own, "half.bin")
    own.putrequest("POST", "/Upload")
    own.putheader("Content-Type", "application/x-cpio")
    own.putheader("Content-Length", "1000000")
    own.endheaders()
    own.send(archive([("half.bin", os.urandom(500000))])[:400000])
    print(json.dumps([asked]), flush=True)
    os._exit(0)


def large_question():
    """Nearly as much as a question may have: more than other messages of strangers."""
    names = ["%05d-%s" % (number, "n" * 150) for number in range(8000)]
    return [len(question(names)), ask(connect(), *names)]


def held():
    """Holds connections open, some with a question, until its input ends."""
    tried, connections = 12, []
    for _ in range(tried):
        # The receiver may refuse what is too much, and end older ones for newer ones.
        with contextlib.suppress(OSError):
            connections.append(connect())
    for connection in connections[-4:]:
        with contextlib.suppress(OSError):
            connection.request("POST", "/Ask", question(["held.bin"]), {"Content-Type": "application/octet-stream"})
    print(json.dumps([tried]), flush=True)
    sys.stdin.read()
    os._exit(0)


def hang_up():
    """Three who ask and are gone, each from an address of its own."""
    for source in addresses(3):
        connection = connect(source)
        body = question(["gone.bin"])
        connection.sock.sendall(
            b"POST /Ask HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\n"
            b"Content-Length: %d\r\n\r\n" % len(body) + body)
        connection.sock.close()
    return [3]


def once():
    """Asks, and sends when it may."""
    own = connect()
    return [ask(own, "once.bin"), upload(own, [("once.bin", b"whole")])]


def slow():
    """An upload that goes on when its input says so."""
    own = connect()
    asked = ask(own, "slow.bin")
    body = archive([("slow.bin", os.urandom(300000))])
    own.putrequest("POST", "/Upload")
    own.putheader("Content-Type", "application/x-cpio")
    own.putheader("Content-Length", str(len(body)))
    own.endheaders()
    own.send(body[:150000])
    print(json.dumps([asked]), flush=True)
    sys.stdin.readline()
    try:
        own.send(body[150000:])
        answer = own.getresponse()
        answer.read()
        return [asked, answer.status]
    except (OSError, http.client.HTTPException):
        return [asked, 0]


def addresses(count):
    """Further addresses of this machine, which is a namespace of a test."""
    lines = subprocess.run(["ip", "-o", "-4", "addr", "show", "scope", "global"], capture_output=True, text=True)
    device, own = [(line.split()[1], line.split()[3]) for line in lines.stdout.splitlines()][0]
    prefix = own.split("/")[0].rsplit(".", 1)[0]
    sources = ["%s.%d" % (prefix, 254 - number) for number in range(count)]
    for source in sources:
        subprocess.run(["ip", "addr", "add", source + "/24", "dev", device], check=True)
    return sources


def flood():
    """A hundred connections from as many addresses, which say nothing more."""
    connections = [connect(source) for source in addresses(100)]
    print(json.dumps([len(connections)]), flush=True)
    sys.stdin.read()
    os._exit(0)


print(json.dumps(globals()[CASE]()))
