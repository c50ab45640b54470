"""Clients of the server: single HTTP requests, a signed-in user, and an authorized assistant."""

import base64
import email
import email.policy
import hashlib
import http.client
import json
import re
import urllib.parse

from lib.machine import Failure, wait_until

_VERIFIER = "a-verifier-of-the-bench-that-is-long-enough-for-s256"
_REDIRECT = "http://127.0.0.1:4711/callback"
_FORM = "application/x-www-form-urlencoded"


def request(port, method, path, body=None, headers=None, tls=None):
    """Sends one request on its own connection; returns status, headers and body of the response. `tls` is an
    ssl.SSLContext, or None for plain HTTP."""
    if tls is None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    else:
        connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=tls)
    try:
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        return response.status, response.headers, response.read()
    finally:
        connection.close()


def sign_in(machine, roost, address, password):
    """Signs a user in, like the web app, with the code from the mail. Returns the headers of the user's requests."""
    outbox = machine.folder / f"{roost.name}-outbox"
    earlier = set(outbox.rglob("*.eml"))
    challenge = _post(roost, "/auth/login", {"email": address, "password": password}, 201)
    code = wait_until(lambda: mailed_code(set(outbox.rglob("*.eml")) - earlier), 30, "the code", poll=0.05)
    session = _post(roost, "/auth/verify-otp", {"challengeToken": challenge["challengeToken"], "otp": code}, 200)
    return {"Authorization": f"Bearer {session['token']}"}


def _post(roost, path, content, expected_status):
    status, _, body = roost.send("POST", path, content, {})
    if status != expected_status:
        raise Failure(f"{path} returned {status} {body!r}")
    return json.loads(body)


def mailed_code(mails):
    """Returns the sign-in code in one of the mail files, or None."""
    for file in sorted(mails):
        subject = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)["Subject"]
        if subject[:6].isdigit():
            return subject[:6]
    return None


class Assistant:
    """A registered client of the connector; `cookie` is the session of the user who authorizes it."""

    def __init__(self, roost, cookie):
        self._roost, self._cookie = roost, cookie
        status, _, body = roost.send("POST", "/oauth/register", {"redirect_uris": [_REDIRECT]}, {})
        if status != 201:
            raise Failure(f"/oauth/register returned {status} {body!r}")
        self.id = json.loads(body)["client_id"]

    def connect(self):
        """Authorizes a new connection and returns the token response."""
        challenge = base64.urlsafe_b64encode(hashlib.sha256(_VERIFIER.encode()).digest()).rstrip(b"=").decode()
        query = {"response_type": "code", "client_id": self.id, "redirect_uri": _REDIRECT,
                 "code_challenge": challenge, "code_challenge_method": "S256"}
        headers = {"Cookie": self._cookie}
        page = self._roost.get(f"/oauth/authorize?{urllib.parse.urlencode(query)}", headers)[2].decode()
        consent = re.search(r'name="consent" value="([^"]*)"', page)[1]
        redirect = self._post("/oauth/authorize", {**query, "consent": consent, "decision": "authorize"}, 302, headers)
        code = urllib.parse.parse_qs(urllib.parse.urlsplit(redirect[1]["Location"]).query)["code"][0]
        tokens = self._post("/oauth/token", {"grant_type": "authorization_code", "client_id": self.id, "code": code,
                                             "redirect_uri": _REDIRECT, "code_verifier": _VERIFIER}, 200)
        return json.loads(tokens[2])

    def _post(self, path, fields, expected_status, headers=None):
        response = self._roost.post(path, urllib.parse.urlencode(fields), {"Content-Type": _FORM, **(headers or {})})
        if response[0] != expected_status:
            raise Failure(f"{path} returned {response[0]} {response[2]!r}")
        return response
