"""Who may not call, and what nobody may say of an account."""

import base64
import hashlib

from account import Account, Key
from connect import Refusal, Stream, envelope
from device import JSON, Device, put
from messages import cloud, link, path


def authentication(checks, world):
    device, server = world.first, world.server
    again = Device(server, world.account)

    def refused(title, code, reason, request):
        checks.refused(title, device, code, reason, lambda: again.call("AccountService/Authenticate", request))
    used = again.authentication()
    again.call("AccountService/Authenticate", used)
    refused("a challenge for the second time", "permission_denied", "used_already", used)
    challenge = again.challenge()
    refused("a signature by another key", "unauthenticated", "wrong_signature",
            again.authentication(Key("device"), challenge=challenge))
    refused("another device's signature", "unauthenticated", "wrong_signature",
            again.authentication(world.second.key, challenge=challenge))
    right = again.authentication(challenge=challenge)
    for title, signature in [
        ("no signature", b""), ("half a signature", right.signature[:32]), ("a signature of zeros", bytes(64)),
        ("a signature with a bit changed", bytes([right.signature[0] ^ 1]) + right.signature[1:]),
    ]:
        request = cloud.AuthenticateRequest(statement=right.statement, signature=signature)
        refused(title, "unauthenticated", "wrong_signature", request)
    for title, other in [
        ("no challenge", b""), ("a challenge that was made up", bytes(len(challenge))),
        ("a challenge cut short", challenge[:-1]), ("a challenge of another device", world.second.challenge()),
        ("a challenge of another account", world.stranger.challenge()),
        ("a challenge of another server", world.elsewhere.challenge()),
    ]:
        refused(title, "unauthenticated", "unknown_challenge", again.authentication(challenge=other))
    refused("a statement for another server", "permission_denied", "other_server",
            again.authentication(challenge=challenge, authority=world.elsewhere.server.authority))
    refused("a statement for another certificate", "permission_denied", "other_certificate",
            again.authentication(challenge=challenge, server_certificate=world.elsewhere.server.fingerprint))
    refused("a statement that is none", "invalid_argument", "malformed_authentication",
            cloud.AuthenticateRequest(statement=b"\xff\xff", signature=right.signature))
    refused("an account that is none", "invalid_argument", "invalid_identifier",
            again.authentication(challenge=challenge, account_id="../../etc"))
    refused("a statement over the limit", "resource_exhausted", "message_too_large",
            cloud.AuthenticateRequest(statement=bytes(65 << 10)))
    again.accept(again.call("AccountService/Authenticate", right))
    checks.same("what was refused has not used the challenge up", again.state(), device.state())
    outsider = Device(server, world.account, Key("device"))
    checks.refused("a device that nobody let in", device, "permission_denied", "not_a_member", outsider.authenticate)
    checks.refused("one that registers", device, "permission_denied", "not_a_member", outsider.register)
    unknown = Device(server, Account())
    checks.refused("an account that nobody registered", device, "unauthenticated", "unknown_account",
                   unknown.authenticate)


def registration(checks, world):
    """Nobody makes an account known but its own members, with its own key."""
    victim, thief, observer = Device(world.server, Account()), Account(), world.first

    def refused(title, reason, code="invalid_argument", **changed):
        checks.refused(title, observer, code, reason, lambda: victim.call(
            "AccountService/Register", victim.registration(**changed)))
    genesis = victim.account.statements[0]
    refused("another account's root key", "malformed_root_key", root_public_key=thief.root.public,
            membership=thief.statements)
    refused("no root key", "malformed_root_key", root_public_key=b"")
    refused("a root key that is no point", "malformed_root_key", root_public_key=b"\4" + bytes(64))
    refused("another account's statements", "invalid_genesis", membership=thief.statements)
    refused("no statements", "invalid_genesis", membership=[])
    forged = link.SignedStatement(
        statement=genesis.statement, signature=thief.root.sign("baton-membership-v1", genesis.statement))
    refused("a genesis that another root signed", "invalid_genesis", membership=[forged])
    for title, key, subject in [
        ("a certificate by another root", thief.root, victim.key),
        ("a certificate of another device", victim.account.root, thief.first),
    ]:
        statement = link.MembershipStatement.FromString(genesis.statement)
        statement.add.certificate = key.certificate(subject)
        content = statement.SerializeToString()
        signed = link.SignedStatement(
            statement=content, signature=victim.account.root.sign("baton-membership-v1", content))
        refused(title, "bad_certificate", "permission_denied", membership=[signed])
    checks.refused("none of these registered it", observer, "unauthenticated", "unknown_account", victim.authenticate)
    victim.register()
    checks.same("with what is right it is registered", victim.state()[0], [])


def statements(checks, world):
    """Statements that no rule keeps are passed over, each by itself: the answer is what the cloud knows."""
    device, intruder = world.first, Key("device")
    known = sorted(signed.statement for signed in device.merge())

    def addition(signer, certificate, sequence, previous, signs=None):
        content = link.MembershipStatement(
            account_id=world.account.id, signer=signer.id, sequence=sequence, previous=previous, timestamp=1,
            add=link.AddDevice(device_id=intruder.id, certificate=certificate)).SerializeToString()
        return link.SignedStatement(statement=content, signature=(signs or signer).sign("baton-membership-v1", content))
    first, second = world.account.first, world.second.key
    revocation = link.MembershipStatement(
        account_id=world.account.id, signer=second.id, sequence=1, timestamp=1,
        revoke=link.RevokeDevice(device_id=first.id)).SerializeToString()
    for title, statement in [
        ("an addition by a stranger", addition(intruder, intruder.certificate(intruder), 1, b"")),
        ("an addition with another's signature", addition(second, second.certificate(intruder), 1, b"", intruder)),
        ("an addition that does not follow", addition(second, second.certificate(intruder), 2, bytes(32))),
        ("an addition with another's certificate", addition(second, intruder.certificate(intruder), 1, b"")),
        ("a second genesis", addition(world.account.root, world.account.root.certificate(intruder), 1, b"")),
        ("a revocation with a forged signature", link.SignedStatement(
            statement=revocation, signature=intruder.sign("baton-membership-v1", revocation))),
        ("another account's statement", Account().statements[0]),
        ("a statement that is none", link.SignedStatement(statement=b"\xff\xff", signature=bytes(64))),
    ]:
        before = device.state()
        request = cloud.MergeMembershipRequest(statements=[statement])
        answer = device.call("AccountService/MergeMembership", request).statements
        checks.same(f"{title} is passed over", sorted(signed.statement for signed in answer), known)
        checks.unchanged(f"{title} changes nothing", before, device.state())
    checks.refused("who was never added stays out", device, "permission_denied", "not_a_member",
                   Device(world.server, world.account, intruder).authenticate)


def every_call(caller):
    """A call of every kind: binary, JSON, a stream, an upload, a download."""
    digest = hashlib.sha256(b"x").digest()

    def subscribe():
        with caller.subscribe() as events:
            events.next()

    def subscribe_in_json():
        headers = caller.headers("application/connect+json")
        with Stream(caller.server, path("ZoneService/Subscribe"), headers, envelope(b"{}")) as events:
            events.next()
    usage = cloud.GetUsageRequest()
    return [
        ("a write", lambda: caller.write("bad", put("forged", b"x"))),
        ("a read", lambda: caller.page("items")),
        ("a call in JSON", lambda: caller.call("AccountService/GetUsage", usage, JSON)),
        ("a deletion", lambda: caller.delete_zone("items")),
        ("a merge", caller.merge),
        ("the end of the account", lambda: caller.call(
            "AccountService/DeleteAccount", cloud.DeleteAccountRequest(account_id=caller.account.id))),
        ("a subscription", subscribe),
        ("a subscription in JSON", subscribe_in_json),
        ("an upload", lambda: caller.put_blob(digest, b"x", 0, 1)),
        ("a download", lambda: caller.get_blob(digest)),
        ("a look for blobs", lambda: caller.missing(digest)),
    ]


def tokens(checks, world):
    good = world.first.token
    caller = Device(world.server, world.account)
    other = "B" if good[20] == "A" else "A"
    for title, token, reason in [
        ("no token", None, "no_token"), ("an empty token", "", "invalid_token"),
        ("a short token", "x", "invalid_token"), ("a token cut short", good[:-1], "invalid_token"),
        ("a token with more", good + "AAAA", "invalid_token"),
        ("a forged token", good[:20] + other + good[21:], "invalid_token"),
        ("a token that is no base64url", "+/=" + good[3:], "invalid_token"),
        ("a token of another server", world.elsewhere.token, "invalid_token"),
    ]:
        caller.token = token
        for kind, call in every_call(caller):
            checks.refused(f"{title}: {kind}", world.first, "unauthenticated", reason, call)
    caller.token = good
    checks.same("the token itself is right", caller.state(), world.first.state())

    def with_scheme():
        return world.first.connection.unary(
            path("ZoneService/ListZones"), {"Content-Type": JSON, "Authorization": f"Basic {good}"}, b"{}")
    checks.refused("a token of another scheme", world.first, "unauthenticated", "invalid_token", with_scheme)
    taken, content = [], base64.urlsafe_b64decode(good + "=" * (-len(good) % 4))
    for index in range(len(content)):
        changed = content[:index] + bytes([content[index] ^ 1]) + content[index + 1:]
        caller.token = base64.urlsafe_b64encode(changed).rstrip(b"=").decode()
        try:
            caller.page("items")
            taken.append(index)
        except Refusal as refusal:
            if refusal.reason != "invalid_token":
                taken.append((index, str(refusal)))
    checks.same("a token that is changed anywhere", taken, [])


SECTIONS = [authentication, registration, statements, tokens]
