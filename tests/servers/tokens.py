#!/usr/bin/env python3
"""An authorisation server for the tests: RFC 6749 (refresh, code), RFC 7636, RFC 8628 and RFC 7662, on one loopback port.

POST /device      a device code; it is "typed in" by POST /approve
POST /token       tokens for a refresh token, a device code or a code
POST /introspect  asked by Dovecot: is this access token sound, and whose is it
POST /approve     the umpire types the device code in
POST /revoke      throws all access tokens away; with everything=1 all leave, too
GET  /asked       how often each grant was asked for, as JSON
GET  /authorize   sends the browser back with a code
"""
import base64
import hashlib
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

USER = "umpire@example.org"
state = {"access": set(), "refresh": set(), "approved": False, "count": 0, "codes": {}, "asked": {}}


def tokens():
    state["count"] += 1
    access, refresh = f"access-{state['count']}", f"refresh-{state['count']}"
    state["access"].add(access)
    # A new refresh token each time, as Microsoft gives: the old one is worth nothing any more.
    state["refresh"] = {refresh}
    return {"access_token": access, "refresh_token": refresh, "expires_in": 3600, "token_type": "Bearer"}


def answer_token(form):
    grant = form.get("grant_type", "")
    state["asked"][grant] = state["asked"].get(grant, 0) + 1
    if form.get("client_id") != "umpire-tests":
        return 401, {"error": "invalid_client"}
    if grant == "refresh_token":
        if form.get("refresh_token") not in state["refresh"]:
            return 400, {"error": "invalid_grant", "error_description": "Token has been revoked."}
        return 200, tokens()
    if grant.endswith("device_code"):
        if form.get("device_code") != "device-secret":
            return 400, {"error": "expired_token"}
        if not state["approved"]:
            return 400, {"error": "authorization_pending"}
        return 200, tokens()
    if grant == "authorization_code":
        challenge = state["codes"].pop(form.get("code"), None)
        proof = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest()).rstrip(b"=")
        if challenge is None or proof.decode() != challenge:
            return 400, {"error": "invalid_grant", "error_description": "no such code, or no proof"}
        return 200, tokens()
    return 400, {"error": "unsupported_grant_type"}


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def say(self, code, value, headers=()):
        body = json.dumps(value).encode()
        self.send_response(code)
        for name, text in headers:
            self.send_header(name, text)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        url = urlsplit(self.path)
        query = {key: values[0] for key, values in parse_qs(url.query).items()}
        if url.path == "/asked":
            return self.say(200, state["asked"])
        if url.path == "/authorize":
            state["codes"]["a/code"] = query["code_challenge"]
            back = query["redirect_uri"] + "?" + urlencode({"state": query["state"], "code": "a/code"})
            return self.say(302, {}, [("Location", back)])
        self.say(404, {"error": "no such page"})

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        form = {key: values[0] for key, values in parse_qs(self.rfile.read(length).decode()).items()}
        path = urlsplit(self.path).path
        if path == "/device":
            return self.say(200, {"device_code": "device-secret", "user_code": "NARV-1700", "expires_in": 60, "interval": 1,
                                  "verification_uri": "https://login.example.org/device"})
        if path == "/token":
            return self.say(*answer_token(form))
        if path == "/introspect":
            known = form.get("token") in state["access"]
            return self.say(200, {"active": True, "username": USER} if known else {"active": False})
        if path == "/approve":
            state["approved"] = True
            return self.say(200, {})
        if path == "/revoke":
            state["access"].clear()
            if form.get("everything"):
                state["refresh"] = set()
            return self.say(200, {})
        self.say(404, {"error": "no such page"})


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
