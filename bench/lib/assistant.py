"""An assistant that a user lets in: registered, agreed to, and given tokens, as browsers and clients do it."""

import base64
import hashlib
import json
import re
import urllib.parse

from lib.machine import Failure

_VERIFIER = "a-verifier-of-the-bench-that-is-long-enough-for-s256"
_REDIRECT = "http://127.0.0.1:4711/callback"
_FORM = "application/x-www-form-urlencoded"


class Assistant:
    """One client of the connector; `cookie` is the session's of the user who agrees."""

    def __init__(self, roost, cookie):
        self._roost, self._cookie = roost, cookie
        status, _, body = roost.send("POST", "/oauth/register", {"redirect_uris": [_REDIRECT]}, {})
        if status != 201:
            raise Failure(f"/oauth/register was answered with {status} {body!r}")
        self.id = json.loads(body)["client_id"]

    def connect(self):
        """The answer with the tokens of a new connection."""
        challenge = base64.urlsafe_b64encode(hashlib.sha256(_VERIFIER.encode()).digest()).rstrip(b"=").decode()
        asked = {"response_type": "code", "client_id": self.id, "redirect_uri": _REDIRECT,
                 "code_challenge": challenge, "code_challenge_method": "S256"}
        headers = {"Cookie": self._cookie}
        page = self._roost.get(f"/oauth/authorize?{urllib.parse.urlencode(asked)}", headers)[2].decode()
        consent = re.search(r'name="consent" value="([^"]*)"', page)[1]
        done = self._post("/oauth/authorize", {**asked, "consent": consent, "decision": "authorize"}, 302, headers)
        code = urllib.parse.parse_qs(urllib.parse.urlsplit(done[1]["Location"]).query)["code"][0]
        tokens = self._post("/oauth/token", {"grant_type": "authorization_code", "client_id": self.id, "code": code,
                                             "redirect_uri": _REDIRECT, "code_verifier": _VERIFIER}, 200)
        return json.loads(tokens[2])

    def _post(self, path, fields, wanted, headers=None):
        answer = self._roost.post(path, urllib.parse.urlencode(fields), {"Content-Type": _FORM, **(headers or {})})
        if answer[0] != wanted:
            raise Failure(f"{path} was answered with {answer[0]} {answer[2]!r}")
        return answer
