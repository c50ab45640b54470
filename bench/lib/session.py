"""A user who signs in, as the web app does it."""

import email
import email.policy
import json

from lib.machine import Failure, wait_until


def sign_in(machine, roost, address, password):
    """Signs in with the code that the server mails, and answers the headers of the user's requests."""
    outbox = machine.folder / f"{roost.name}-outbox"
    earlier = set(outbox.rglob("*.eml"))
    challenge = _post(roost, "/auth/login", {"email": address, "password": password}, 201)
    code = wait_until(lambda: _mailed_code(set(outbox.rglob("*.eml")) - earlier), 30, "the code", poll=0.05)
    session = _post(roost, "/auth/verify-otp", {"challengeToken": challenge["challengeToken"], "otp": code}, 200)
    return {"Authorization": f"Bearer {session['token']}"}


def _post(roost, path, content, wanted):
    status, _, body = roost.send("POST", path, content, {})
    if status != wanted:
        raise Failure(f"{path} was answered with {status} {body!r}")
    return json.loads(body)


def _mailed_code(mails):
    for file in sorted(mails):
        subject = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)["Subject"]
        if subject[:6].isdigit():
            return subject[:6]
    return None
