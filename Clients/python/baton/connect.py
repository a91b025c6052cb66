"""The Connect protocol over a Unix socket: unary calls, and streams of answers."""

import http.client
import json
import os
import socket
import struct

PROTOCOL_VERSION = 1
_END_OF_STREAM = 0b10


class BatonError(Exception):
    """What the daemon refused, with a code and a reason for programs, and a sentence for people."""

    def __init__(self, code, reason, message):
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = message

    @classmethod
    def parse(cls, body):
        return cls(body.get("code", "unknown"), body.get("reason", ""), body.get("message", ""))


class _SocketConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


def default_socket():
    """Where the person's daemon listens, as the command line finds it."""
    if "BATON_HOME" in os.environ:
        return os.path.join(os.environ["BATON_HOME"], "run", "batond.sock")
    runtime = os.environ.get("XDG_RUNTIME_DIR") or "/run/user/%d" % os.getuid()
    return os.path.join(runtime, "baton", "batond.sock")


class Connection:
    """A way to the daemon. Each call has a connection of its own, so it may be used from several threads."""

    def __init__(self, path=None, fields=None):
        self.path = path or default_socket()
        self._fields = fields or {}

    def calling_as(self, bundle_id):
        """The same way, with every call in the name of an app: for the app plane."""
        # A character that no field can hold becomes “?”, which no bundle identifier has: the daemon says so.
        name = "".join(character if "!" <= character <= "~" else "?" for character in bundle_id)
        return Connection(self.path, {"Baton-Bundle-ID": name, "Baton-Protocol-Version": str(PROTOCOL_VERSION)})

    def _post(self, method, content_type, body, timeout):
        connection = _SocketConnection(self.path, timeout)
        try:
            connection.request("POST", "/" + method, body, {"Content-Type": content_type, **self._fields})
            response = connection.getresponse()
        except OSError as error:
            connection.close()
            raise BatonError("unavailable", "no_daemon", "The daemon does not answer at %s: %s" % (self.path, error)) from error
        if response.status != 200:
            try:
                raise BatonError.parse(json.loads(response.read() or b"{}"))
            except ValueError:
                raise BatonError("unknown", "", "The daemon answered with %d." % response.status) from None
            finally:
                connection.close()
        return connection, response

    def unary(self, method, request, answer, timeout=30):
        """Calls `package.Service/Method` and returns the answer, an `answer`."""
        connection, response = self._post(method, "application/proto", request.SerializeToString(), timeout)
        try:
            return answer.FromString(response.read())
        finally:
            connection.close()

    def stream(self, method, request, answer, timeout=None):
        """Yields each answer. Closing the generator ends the call."""
        data = request.SerializeToString()
        body = struct.pack(">BI", 0, len(data)) + data
        connection, response = self._post(method, "application/connect+proto", body, timeout)
        try:
            while True:
                flags, size = struct.unpack(">BI", self._read(response, 5))
                payload = self._read(response, size)
                if flags & _END_OF_STREAM:
                    error = json.loads(payload or b"{}").get("error")
                    if error:
                        raise BatonError.parse(error)
                    return
                yield answer.FromString(payload)
        finally:
            connection.close()

    @staticmethod
    def _read(response, size):
        data = b""
        while len(data) < size:
            part = response.read(size - len(data))
            if not part:
                raise BatonError("unavailable", "cut", "The daemon has gone.")
            data += part
        return data
