"""The certificate of both sides of a comparison over TLS, and the check that their sessions are equal."""

import os
import socket
import ssl

from lib.machine import Failure, run

# Disables session tickets, so that every new connection takes a full handshake on both sides, regardless of their settings.
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
    """A self-signed certificate for 127.0.0.1 with an ECDSA key."""

    def __init__(self, machine):
        self.file, self.key = machine.folder / "certificate.pem", machine.folder / "key.pem"
        run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
             "-keyout", self.key, "-out", self.file])
        settings = machine.folder / "openssl.cnf"
        settings.write_text(_NO_TICKETS)
        self.environment = {**os.environ, "OPENSSL_CONF": str(settings)}  # for servers that use the certificate
        self.client = ssl.create_default_context(cafile=self.file)

    def require_same_sessions(self, *ports):
        """Requires that all servers negotiate the same protocol version and cipher, and resume no session."""
        sessions = [self._session(port) for port in ports]
        if len(set(sessions)) != 1:
            raise Failure(f"the two sides negotiate different TLS sessions: {sessions}")

    def _session(self, port):
        with self._connection(port) as first:
            cipher, version, _ = first.cipher()
            # Messages after the handshake, such as tickets, arrive with the first response at the latest.
            first.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            while first.recv(4096):
                pass
            session = first.session
        with self._connection(port, session) as second:
            if second.session_reused:
                raise Failure("a TLS session was resumed, but every handshake must be a full one")
        return version, cipher

    def _connection(self, port, session=None):
        return self.client.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=60),
                                       server_hostname="127.0.0.1", session=session)
