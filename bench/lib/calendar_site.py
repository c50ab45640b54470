"""A site that serves the calendars of short-term hosts over https, on several addresses of the loopback network."""

import http.server
import ipaddress
import ssl
import sys
import threading

from lib.machine import run

# Run as a program: python3 calendar_site.py CERTIFICATE KEY PORT HOSTS EVENTS. Prints the number of requests answered so far
# for each line of its input.


def hosts(count):
    """Returns this number of addresses."""
    first = ipaddress.ip_address("127.0.1.1")
    return [str(first + number) for number in range(count)]


def certificate(folder, count):
    """Creates a certificate for the addresses, and returns the files of it and of its key."""
    file, key = folder / "site.pem", folder / "site-key.pem"
    names = ",".join(f"IP:{address}" for address in hosts(count))
    run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=calendars", "-addext", f"subjectAltName={names}", "-keyout", key, "-out", file])
    return file, key


def calendar(path, events):
    """Returns a calendar with this number of events, at different dates for different paths."""
    shift = sum(path.encode()) % 200
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//site//bench//EN"]
    for number in range(events):
        first = 20270101 + 10000 * ((shift + number) // 12 % 8) + 100 * ((shift + number) % 12)
        lines += ["BEGIN:VEVENT", f"UID:{number}@{path}", "DTSTAMP:20261101T000000Z", f"DTSTART;VALUE=DATE:{first}",
                  f"DTEND;VALUE=DATE:{first + 9}", "SUMMARY:Reserved", "END:VEVENT"]
    return ("\r\n".join([*lines, "END:VCALENDAR"]) + "\r\n").encode()


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    requests, events = 0, 0
    lock = threading.Lock()

    def do_GET(self):
        with _Handler.lock:
            _Handler.requests += 1
        tag = f'"{sum(self.path.encode())}"'
        is_known = self.headers["If-None-Match"] == tag
        body = b"" if is_known else calendar(self.path, _Handler.events)
        self.send_response(304 if is_known else 200)
        self.send_header("ETag", tag)
        if not is_known:
            self.send_header("Content-Type", "text/calendar; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def _serve(file, key, port, count, events):
    _Handler.events = int(events)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file, key)
    for address in hosts(int(count)):
        server = http.server.ThreadingHTTPServer((address, int(port)), _Handler)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
    print("ready", flush=True)
    for _ in sys.stdin:
        print(_Handler.requests, flush=True)


if __name__ == "__main__":
    _serve(*sys.argv[1:])
