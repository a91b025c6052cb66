"""Stands before an S3 server and answers as that does, but for what it is told to spoil.

One line of its input for each: MODE COUNT METHOD. `none` ends all.
"""

import http.client
import http.server
import socketserver
import sys
import threading
import time

target = int(sys.argv[1])
plans = []
lock = threading.Lock()


def next_plan(method):
    with lock:
        for plan in plans:
            if plan[2] in (method, "*") and plan[1] > 0:
                plan[1] -= 1
                return plan[0]
    return None


def with_last_byte_wrong(content):
    return content[:-1] + bytes([content[-1] ^ 1])


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def handle_any(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        mode = next_plan(self.command)
        if mode == "fail":
            return self.answer(503, {}, b"<Error><Code>SlowDown</Code></Error>")
        if mode == "break":
            return self.answer(500, {}, b"<Error><Code>InternalError</Code></Error>")
        if mode == "refuse":
            return self.answer(403, {}, b"<Error><Code>AccessDenied</Code></Error>")
        if mode == "full":
            return self.answer(507, {}, b"<Error><Code>XMinioStorageFull</Code></Error>")
        if mode == "cut":
            self.close_connection = True
            return None
        if mode == "slow":
            time.sleep(2)
        headers = {k: v for k, v in self.headers.items() if k.lower() != "content-length"}
        if mode == "store" and body:
            body = with_last_byte_wrong(body)
            headers["x-amz-content-sha256"] = "UNSIGNED-PAYLOAD"
        upstream = http.client.HTTPConnection("127.0.0.1", target)
        upstream.request(self.command, self.path, body or None, headers)
        response = upstream.getresponse()
        content = response.read()
        if mode == "read" and content:
            content = with_last_byte_wrong(content)
        left_out = ("transfer-encoding", "connection", "content-length", "date", "server")
        headers = {k: v for k, v in response.getheaders() if k.lower() not in left_out}
        length = response.getheader("content-length")
        return self.answer(response.status, headers, content, length, mode == "truncate")

    def answer(self, status, headers, content, length=None, truncate=False):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 204:
            size = length if self.command == "HEAD" and length else str(len(content))
            self.send_header("content-length", size)
        self.end_headers()
        if truncate:
            content = content[:len(content) // 2]
            self.close_connection = True
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = handle_any


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128


server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
for line in sys.stdin:
    mode, count, method = line.split()
    with lock:
        if mode == "none":
            plans.clear()
        else:
            plans.append([mode, int(count), method])
    print("done", flush=True)
