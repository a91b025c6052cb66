"""A device of an account that calls a cloud (docs/cloud.md)."""

import base64
import hashlib
import secrets
import time

from google.protobuf import json_format

from connect import Connection, Refusal, Stream, Wire, envelope
from messages import cloud, path, response

BINARY, JSON = "application/proto", "application/json"


def name(text):
    """32 bytes for a zone or an item. A device of Baton's blinds with a key; to the cloud, all bytes are the same."""
    return hashlib.sha256(text.encode()).digest()


def put(item, sealed, replaces=0, blobs=()):
    content = cloud.ItemContent(sealed=sealed, blobs=blobs)
    return cloud.ItemWrite(item_id=name(item), replaces=replaces, put=content)


def delete(item, replaces, sealed=b""):
    return cloud.ItemWrite(item_id=name(item), replaces=replaces, delete=cloud.ItemDeletion(sealed=sealed))


def batch(zone, writes, key=None):
    key = secrets.token_bytes(16) if key is None else key
    return cloud.WriteItemsRequest(zone_id=name(zone), idempotency_key=key, writes=writes)


class Device:
    def __init__(self, server, account, key=None):
        self.server, self.account, self.key = server, account, key or account.first
        self.connection = Connection(server)
        self.token = None

    # Calls

    def headers(self, content_type=BINARY, **more):
        fields = {"Content-Type": content_type, **more}
        if self.token is not None:
            fields["Authorization"] = f"Bearer {self.token}"
        return fields

    def call(self, method, request, content_type=BINARY):
        is_json = content_type.startswith(JSON)
        body = json_format.MessageToJson(request).encode() if is_json else request.SerializeToString()
        answer = self.connection.unary(path(method), self.headers(content_type), body)
        if is_json:
            return json_format.Parse(answer, response(method)())
        return response(method).FromString(answer)

    def send(self, method, body, content_type=BINARY, **headers):
        """A call with whatever bytes for a body."""
        return self.connection.unary(path(method), self.headers(content_type, **headers), body)

    def begin(self, method, length, **headers):
        """A connection on which the head of a call has gone out, and nothing of its body."""
        wire = Wire(self.server)
        fields = {"Host": self.server.authority, **self.headers(**headers)}
        if length is not None:
            fields["Content-Length"] = length
        wire.head(f"POST {path(method)}", fields)
        return wire

    # Letting in

    def challenge(self):
        request = cloud.GetChallengeRequest(account_id=self.account.id, device_id=self.key.id)
        return self.call("AccountService/GetChallenge", request).challenge

    def authentication(self, signer=None, **changed):
        """What the device signs, with what is to be otherwise."""
        fields = {
            "account_id": self.account.id, "device_id": self.key.id, "authority": self.server.authority,
            "server_certificate": self.server.fingerprint, **changed}
        if "challenge" not in fields:
            fields["challenge"] = self.challenge()
        statement = cloud.AuthenticationStatement(**fields).SerializeToString()
        signature = (signer or self.key).sign("baton-cloud-v1", statement)
        return cloud.AuthenticateRequest(statement=statement, signature=signature)

    def accept(self, answer):
        self.token = base64.urlsafe_b64encode(answer.token).rstrip(b"=").decode()
        return answer

    def authenticate(self):
        return self.accept(self.call("AccountService/Authenticate", self.authentication()))

    def registration(self, **changed):
        return cloud.RegisterRequest(**{
            "authentication": self.authentication(), "root_public_key": self.account.root.public,
            "membership": self.account.statements, **changed})

    def register(self):
        return self.accept(self.call("AccountService/Register", self.registration()))

    def merge(self):
        request = cloud.MergeMembershipRequest(statements=self.account.statements)
        return self.call("AccountService/MergeMembership", request).statements

    # Items

    def write(self, zone, *writes, key=None):
        return self.call("ZoneService/WriteItems", batch(zone, writes, key))

    def page(self, zone, cursor=b"", limit=0):
        request = cloud.FetchChangesRequest(zone_id=name(zone), cursor=cursor, limit=limit)
        return self.call("ZoneService/FetchChanges", request)

    def delete_zone(self, zone):
        self.call("ZoneService/DeleteZone", cloud.DeleteZoneRequest(zone_id=name(zone)))

    def subscribe(self, *zones):
        body = envelope(cloud.SubscribeRequest(zone_ids=[name(zone) for zone in zones]).SerializeToString())
        return Stream(self.server, path("ZoneService/Subscribe"), self.headers("application/connect+proto"), body)

    def state(self):
        """All that a refused call might have changed: each zone's head and epoch, and what the account keeps."""
        zones = self.call("ZoneService/ListZones", cloud.ListZonesRequest()).zones
        usage = self.call("AccountService/GetUsage", cloud.GetUsageRequest())
        return sorted((zone.zone_id, zone.head, zone.epoch) for zone in zones), str(usage)

    def state_with(self, usage):
        """The state, once the usage has that line."""
        while usage + "\n" not in (state := self.state())[1]:
            time.sleep(0.01)
        return state

    # Blobs

    def blob_path(self, digest, **query):
        text = "&".join(f"{key}={value}" for key, value in query.items())
        return f"/v1/blobs/{digest.hex()}" + (f"?{text}" if text else "")

    def put_blob(self, digest, content, offset, size):
        """The JSON of the answer."""
        where = self.blob_path(digest, offset=offset, size=size)
        status, _, body = self.connection.exchange(
            "PUT", where, self.headers("application/octet-stream"), content)
        if status != 200:
            raise Refusal(status, body)
        return body

    def begin_blob(self, digest, offset, size, length):
        """A connection on which the head of an upload has gone out, and nothing of its body."""
        wire = Wire(self.server)
        headers = {"Host": self.server.authority, **self.headers("application/octet-stream"), "Content-Length": length}
        wire.head(f"PUT {self.blob_path(digest, offset=offset, size=size)}", headers)
        return wire

    def get_blob(self, digest, byte_range=None):
        fields = self.headers()
        del fields["Content-Type"]
        if byte_range:
            fields["Range"] = f"bytes={byte_range}"
        status, headers, body = self.connection.exchange("GET", self.blob_path(digest), fields)
        if status not in (200, 206):
            raise Refusal(status, body)
        return status, headers, body

    def missing(self, *digests):
        request = cloud.FindMissingBlobsRequest(hashes=digests)
        answer = self.call("BlobService/FindMissingBlobs", request)
        return {found.hash: found.received for found in answer.missing}
