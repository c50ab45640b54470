"""nginx with one worker, serving static files with good settings."""

import os
import pathlib

from lib import clients
from lib.machine import free_port, wait_until

_CONFIGURATION = """
daemon off;
{user}
worker_processes 1;
pid {folder}/nginx.pid;
error_log stderr warn;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  sendfile on;
  tcp_nopush on;
  gzip_static on;
  keepalive_requests 1000000000;
  default_type application/json;
  types {{ }}
  client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
  uwsgi_temp_path {folder}; scgi_temp_path {folder};
  server {{
    listen 127.0.0.1:{port}{tls};
    root {folder}/files;
  }}
}}
"""

_TLS = """ ssl;
    ssl_certificate {certificate.file};
    ssl_certificate_key {certificate.key};
    ssl_protocols TLSv1.3"""


class Nginx:
    """Uses HTTPS if there is a certificate."""

    def __init__(self, machine, core, certificate=None):
        self.folder = machine.folder / "nginx"
        (self.folder / "files").mkdir(parents=True)
        self.port = free_port()
        # A worker without root permissions could not enter the folder, which is private to its owner.
        user = "user root;" if os.geteuid() == 0 else ""
        tls = _TLS.format(certificate=certificate) if certificate else ""
        text = _CONFIGURATION.format(user=user, folder=self.folder, port=self.port, tls=tls)
        (self.folder / "nginx.conf").write_text(text)
        self._tls = certificate and certificate.client
        self.url = f"{'https' if certificate else 'http'}://127.0.0.1:{self.port}"
        self._process = machine.start(
            ["/usr/sbin/nginx", "-p", self.folder, "-c", self.folder / "nginx.conf"], core, "nginx",
            env=certificate and certificate.environment)
        wait_until(self._is_ready, 10, "nginx")

    def add(self, name, content):
        (self.folder / "files" / name).write_bytes(content)

    def has(self, name):
        return (self.folder / "files" / name).exists()

    def get(self, path, headers=None):
        """Sends one request on its own connection; returns status, headers and body."""
        return clients.request(self.port, "GET", path, None, headers, self._tls)

    def pid(self):
        """Returns the worker's process id."""
        children = pathlib.Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        return int(children.read_text().split()[0])

    def _is_ready(self):
        try:
            return self.get("/")[0] > 0
        except OSError:
            return False
