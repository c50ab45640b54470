"""One HTTP request on a connection of its own, plain or over TLS."""

import http.client


def ask(port, method, path, body=None, headers=None, tls=None):
    """Status, headers and body of the answer. `tls` is the client's ssl.SSLContext; without one the request is plain."""
    if tls is None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    else:
        connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=tls)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()
