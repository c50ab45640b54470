"""The certificate that both sides of a comparison over TLS use, and how their sessions are kept alike."""

import os
import socket
import ssl

from lib.machine import Failure, run

# A server that hands out no session tickets: a new connection is then a full handshake on both sides, whatever their
# own settings for sessions are.
_NO_TICKETS = """
openssl_conf = start
[start]
ssl_conf = tls
[tls]
system_default = servers
[servers]
Options = -SessionTicket
NumTickets = 0
"""


class Certificate:
    """A certificate for 127.0.0.1 with an ECDSA key, its own authority."""

    def __init__(self, machine):
        self.file, self.key = machine.folder / "certificate.pem", machine.folder / "key.pem"
        run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
             "-keyout", self.key, "-out", self.file])
        settings = machine.folder / "openssl.cnf"
        settings.write_text(_NO_TICKETS)
        self.environment = {**os.environ, "OPENSSL_CONF": str(settings)}  # of a server that uses the certificate
        self.client = ssl.create_default_context(cafile=self.file)

    def require_same_sessions(self, *ports):
        """Both servers agree on one protocol version and cipher, and resume no session."""
        sessions = [self._session(port) for port in ports]
        if len(set(sessions)) != 1:
            raise Failure(f"the two sides do not speak the same TLS: {sessions}")

    def _session(self, port):
        with self._connection(port) as first:
            cipher, version, _ = first.cipher()
            # What a server sends after its handshake, tickets among it, comes with the first answer at the latest.
            first.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            while first.recv(4096):
                pass
            session = first.session
        with self._connection(port, session) as second:
            if second.session_reused:
                raise Failure("a TLS session was resumed, where every handshake has to be a full one")
        return version, cipher

    def _connection(self, port, session=None):
        return self.client.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=60),
                                       server_hostname="127.0.0.1", session=session)
