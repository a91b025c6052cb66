"""An account with its devices, certificates and statements, as docs/protocol.md has them under "Membership"."""

import base64
import datetime
import hashlib
import time

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

from messages import link


class Key:
    """A P-256 key of a device or of an account."""

    def __init__(self, kind):
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.public = self.private.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        digest = hashlib.sha256(f"baton-{kind}-v1\0".encode() + self.public).digest()
        self.id = base64.b32encode(digest).decode()[:26]

    def sign(self, purpose, content):
        signature = self.private.sign(purpose.encode() + b"\0" + content, ec.ECDSA(hashes.SHA256()))
        r, s = utils.decode_dss_signature(signature)
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")

    def certificate(self, subject, public_key=None):
        """That `subject` is let in, in DER."""
        def name(text):
            return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])
        now = datetime.datetime.utcnow()
        built = (
            x509.CertificateBuilder().subject_name(name(subject.id)).issuer_name(name(self.id))
            .public_key((public_key or subject).private.public_key()).serial_number(x509.random_serial_number())
            .not_valid_before(now).not_valid_after(now + datetime.timedelta(days=3650)))
        return built.sign(self.private, hashes.SHA256()).public_bytes(serialization.Encoding.DER)


class Account:
    def __init__(self):
        self.root = Key("account")
        self.first = Key("device")
        self.statements = []
        # By signer: its statements' exact bytes, in their order.
        self._chains = {}
        self._add(self.root, self.first)

    @property
    def id(self):
        return self.root.id

    def admit(self, signer=None):
        """Another device, let in by one of the account's."""
        device = Key("device")
        self._add(signer or self.first, device)
        return device

    def revoke(self, device, signer):
        chain = self._chains.get(device.id, [])
        end = hashlib.sha256(chain[-1]).digest() if chain else b""
        self._state(signer, revoke=link.RevokeDevice(
            device_id=device.id, last_valid_sequence=len(chain), last_valid_hash=end))

    def _add(self, signer, device):
        self._state(signer, add=link.AddDevice(device_id=device.id, certificate=signer.certificate(device)))

    def _state(self, signer, **kind):
        chain = self._chains.setdefault(signer.id, [])
        statement = link.MembershipStatement(
            account_id=self.id, signer=signer.id, sequence=len(chain) + 1,
            previous=hashlib.sha256(chain[-1]).digest() if chain else b"",
            timestamp=(time.time_ns() // 1_000_000) << 16, **kind).SerializeToString()
        chain.append(statement)
        self.statements.append(link.SignedStatement(
            statement=statement, signature=signer.sign("baton-membership-v1", statement)))
