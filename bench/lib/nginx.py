"""nginx with one worker, serving files as a well-kept static site does."""

import http.client
import os
import pathlib

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
    listen 127.0.0.1:{port};
    root {folder}/files;
  }}
}}
"""


class Nginx:
    def __init__(self, machine, core):
        self.folder = machine.folder / "nginx"
        (self.folder / "files").mkdir(parents=True)
        self.port = free_port()
        # A worker that gave up root could not enter the folder, which is its owner's only.
        user = "user root;" if os.geteuid() == 0 else ""
        text = _CONFIGURATION.format(user=user, folder=self.folder, port=self.port)
        (self.folder / "nginx.conf").write_text(text)
        self._process = machine.start(
            ["/usr/sbin/nginx", "-p", self.folder, "-c", self.folder / "nginx.conf"], core, "nginx")
        wait_until(self._answers, 10, "nginx")

    def add(self, name, content):
        (self.folder / "files" / name).write_bytes(content)

    def get(self, path, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", path, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def worker(self):
        children = pathlib.Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        return int(children.read_text().split()[0])

    def _answers(self):
        try:
            return self.get("/")[0] > 0
        except OSError:
            return False
