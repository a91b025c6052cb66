"""Connect over HTTP/1.1 and TLS, with a server that is known by its certificate (docs/protocol.md, "Calls")."""

import hashlib
import http.client
import io
import json
import socket
import ssl
import struct
import urllib.parse

SECONDS = 30


class Refusal(Exception):
    """An error's body: what the server says no with."""

    def __init__(self, status, body):
        try:
            fields = json.loads(body)
            self.code, self.message = fields["code"], fields.get("message", "")
            self.reason = fields.get("reason", "")
        except (ValueError, KeyError, TypeError, AttributeError):
            self.code, self.reason, self.message = "", "", f"no error's body: {bytes(body[:200])}"
        self.status = status
        super().__init__(f"{status} {self.code} ({self.reason}): {self.message}")


class WrongCertificate(Exception):
    """Somebody else answers."""


class Server:
    def __init__(self, url, fingerprint):
        parts = urllib.parse.urlsplit(url)
        self.host, self.port = parts.hostname, parts.port
        self.authority = f"{self.host}:{self.port}"
        self.fingerprint = bytes.fromhex(fingerprint)

    def open(self):
        """A connection whose other end is the server."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        # The fingerprint says who it is, not a name or a root.
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        transport = socket.create_connection((self.host, self.port), SECONDS)
        # A request goes out in several pieces, none of which is to wait for the one before.
        transport.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = context.wrap_socket(transport)
        if hashlib.sha256(connection.getpeercert(binary_form=True)).digest() != self.fingerprint:
            connection.close()
            raise WrongCertificate("The server shows a certificate that is not the one that was named.")
        return connection


class Connection(http.client.HTTPConnection):
    """Calls one after another over one connection, which is opened anew when the server has closed it."""

    def __init__(self, server):
        super().__init__(server.host, server.port, timeout=SECONDS)
        self.server = server

    def connect(self):
        self.sock = self.server.open()

    def exchange(self, method, path, headers, body=b""):
        """The status, the header, the body."""
        try:
            self.request(method, path, body, headers)
            answer = self.getresponse()
            return answer.status, answer.headers, answer.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise

    def unary(self, path, headers, body):
        """The answer's body, which has the type of the request's."""
        status, fields, answer = self.exchange("POST", path, headers, body)
        if status != 200:
            raise Refusal(status, answer)
        if fields["Content-Type"] != headers["Content-Type"].split(";")[0]:
            raise Refusal(status, b"the answer is " + str(fields["Content-Type"]).encode())
        return answer


def envelope(message, flags=0):
    return struct.pack(">BI", flags, len(message)) + message


class Stream:
    """What a server's stream brings, on a connection of its own."""

    def __init__(self, server, path, headers, body):
        self.connection = Connection(server)
        self.connection.request("POST", path, body, headers)
        self.answer = self.connection.getresponse()
        if self.answer.status != 200:
            with self:
                raise Refusal(self.answer.status, self.answer.read())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.answer.close()
        self.connection.close()

    def next(self):
        """The next message, or None at an end without an error."""
        flags, length = struct.unpack(">BI", self._read(5))
        payload = self._read(length)
        if flags == 0:
            return payload
        if flags != 2:
            raise Refusal(200, b"an envelope with other flags")
        end = json.loads(payload)
        if "error" in end:
            raise Refusal(200, json.dumps(end["error"]).encode())
        return None

    def _read(self, count):
        found = self.answer.read(count)
        if len(found) < count:
            raise ConnectionError("The stream was cut.")
        return found


class Kept(io.BufferedReader):
    """`HTTPResponse` closes what it reads from; more may come here."""

    def close(self):
        pass


class Wire(io.RawIOBase):
    """A connection on which any bytes can be sent: for requests that no client should make."""

    def __init__(self, server):
        super().__init__()
        self.socket = server.open()
        self.early = b""
        self.reader = Kept(self)

    def close(self):
        self.socket.close()
        super().close()

    def send(self, *parts):
        self.socket.sendall(b"".join(parts))

    def head(self, line, headers):
        fields = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.send(f"{line} HTTP/1.1\r\n{fields}\r\n".encode())

    def flood(self, pieces):
        """Sends until the server answers or closes. How many bytes went out."""
        sent = 0
        for piece in pieces:
            try:
                self.socket.settimeout(0)
                self.early += self.socket.recv(16384)
                break
            except (ssl.SSLWantReadError, BlockingIOError):
                pass
            except OSError:
                break
            finally:
                self.socket.settimeout(SECONDS)
            try:
                self.socket.sendall(piece)
            except OSError:
                break
            sent += len(piece)
        return sent

    def makefile(self, _):
        """For `HTTPResponse`: what came while more was sent, and then the rest."""
        return self.reader

    def readable(self):
        return True

    def readinto(self, buffer):
        if not self.early:
            return self.socket.recv_into(buffer)
        count = min(len(buffer), len(self.early))
        buffer[:count], self.early = self.early[:count], self.early[count:]
        return count

    def answer(self):
        """The status, the header and the body of what comes; None when the connection ends without an answer."""
        answer = http.client.HTTPResponse(self)
        try:
            answer.begin()
            return answer.status, answer.headers, answer.read()
        except (OSError, http.client.HTTPException):
            return None

    def refusal(self):
        found = self.answer()
        if found is None:
            raise ConnectionError("The connection was closed without an answer.")
        if found[0] == 200:
            return
        raise Refusal(found[0], found[2])
