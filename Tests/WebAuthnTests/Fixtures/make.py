#!/usr/bin/env python3
"""Makes ceremonies.json: registrations and assertions that PyPI's `webauthn` and `fido2` both take, and what they read in them.

    pip install webauthn fido2 && python3 make.py

The keys are new each time, so the file changes; what it says must not.
"""

import hashlib
import json
import os
import pathlib
import struct

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from fido2 import cbor
from fido2.cose import ES256, RS256, CoseKey, EdDSA
from fido2.webauthn import AuthenticatorData, CollectedClientData
from webauthn import verify_authentication_response, verify_registration_response
from webauthn.helpers import bytes_to_base64url as encode

RP_ID = "juliet.example"
ORIGIN = "https://juliet.example"
UP, UV, BE, BS, AT, ED = 1, 4, 8, 16, 64, 128


def es256():
    key = ec.generate_private_key(ec.SECP256R1())
    return ES256.from_cryptography_key(key.public_key()), lambda data: key.sign(data, ec.ECDSA(hashes.SHA256()))


def eddsa():
    key = ed25519.Ed25519PrivateKey.generate()
    return EdDSA.from_cryptography_key(key.public_key()), key.sign


def rs256(bits):
    key = rsa.generate_private_key(public_exponent=65537, key_size=bits)
    return RS256.from_cryptography_key(key.public_key()), lambda data: key.sign(
        data, padding.PKCS1v15(), hashes.SHA256()
    )


def client_data(kind, challenge, extra):
    members = {"type": kind, "challenge": encode(challenge), "origin": ORIGIN, "crossOrigin": False, **extra}
    return json.dumps(members, separators=(",", ":"), ensure_ascii=False).encode()


def authenticator_data(flags, count, credential=b"", extensions=None):
    data = hashlib.sha256(RP_ID.encode()).digest() + struct.pack(">BI", flags, count) + credential
    return data + (cbor.encode(extensions) if extensions is not None else b"")


def ceremony(name, key, sign, *, flags=UP | UV, counts=(0, 0), id_size=32, statement=None, extra=None, extensions=None):
    credential_id, aaguid, user = os.urandom(id_size), os.urandom(16), os.urandom(16)
    challenges = os.urandom(32), os.urandom(32)
    extended = ED if extensions is not None else 0
    extra = extra or {}
    attested = aaguid + struct.pack(">H", id_size) + credential_id + cbor.encode(key)
    created = authenticator_data(flags | AT | extended, counts[0], attested, extensions)
    made = client_data("webauthn.create", challenges[0], extra)
    if statement == "packed":
        signed = sign(created + hashlib.sha256(made).digest())
        attestation = {"fmt": "packed", "attStmt": {"alg": key[3], "sig": signed}, "authData": created}
    else:
        attestation = {"fmt": "none", "attStmt": {}, "authData": created}
    registration = {
        "id": encode(credential_id),
        "rawId": encode(credential_id),
        "type": "public-key",
        "authenticatorAttachment": "platform",
        "clientExtensionResults": {"credProps": {"rk": True}},
        "response": {
            "clientDataJSON": encode(made),
            "attestationObject": encode(cbor.encode(attestation)),
            "transports": ["internal", "hybrid"],
        },
    }
    verified = verify_registration_response(
        credential=registration, expected_challenge=challenges[0], expected_rp_id=RP_ID, expected_origin=ORIGIN
    )
    asserted = authenticator_data(flags | extended, counts[1], b"", extensions)
    got = client_data("webauthn.get", challenges[1], extra)
    assertion = {
        "id": encode(credential_id),
        "rawId": encode(credential_id),
        "type": "public-key",
        "authenticatorAttachment": "platform",
        "clientExtensionResults": {},
        "response": {
            "clientDataJSON": encode(got),
            "authenticatorData": encode(asserted),
            "signature": encode(sign(asserted + hashlib.sha256(got).digest())),
            "userHandle": encode(user),
        },
    }
    authenticated = verify_authentication_response(
        credential=assertion,
        expected_challenge=challenges[1],
        expected_rp_id=RP_ID,
        expected_origin=ORIGIN,
        credential_public_key=verified.credential_public_key,
        credential_current_sign_count=verified.sign_count,
    )
    # The other library must read the same.
    read = AuthenticatorData(created)
    assert read.credential_data.credential_id == verified.credential_id
    assert cbor.encode(read.credential_data.public_key) == verified.credential_public_key
    assert read.counter == verified.sign_count
    CoseKey.parse(cbor.decode(verified.credential_public_key)).verify(
        asserted + CollectedClientData(got).hash, bytes.fromhex(sign_hex(assertion))
    )
    return {
        "name": name,
        "userHandle": encode(user),
        "registration": {
            "challenge": encode(challenges[0]),
            "response": registration,
            "credentialID": encode(verified.credential_id),
            "publicKey": encode(verified.credential_public_key),
            "algorithm": key[3],
            "aaguid": verified.aaguid.replace("-", ""),
            "signCount": verified.sign_count,
            "isUserVerified": verified.user_verified,
            "isBackupEligible": verified.credential_device_type.value == "multi_device",
            "isBackedUp": verified.credential_backed_up,
        },
        "authentication": {
            "challenge": encode(challenges[1]),
            "response": assertion,
            "signCount": authenticated.new_sign_count,
            "isUserVerified": authenticated.user_verified,
            "isBackedUp": authenticated.credential_backed_up,
        },
    }


def sign_hex(assertion):
    from webauthn.helpers import base64url_to_bytes

    return base64url_to_bytes(assertion["response"]["signature"]).hex()


synced = UP | UV | BE | BS
ceremonies = [
    ceremony("ES256", *es256()),
    ceremony("ES256, synced", *es256(), flags=synced),
    ceremony("ES256, may be synced, and is not", *es256(), flags=UP | UV | BE),
    ceremony("ES256, counts", *es256(), counts=(41, 42)),
    ceremony("ES256, counts to the end", *es256(), counts=(0, 2**32 - 1)),
    ceremony("ES256, nobody verified", *es256(), flags=UP),
    ceremony("ES256, attests itself", *es256(), statement="packed"),
    ceremony("ES256, a name of 1,023 bytes", *es256(), id_size=1023),
    ceremony("ES256, a name of 16 bytes", *es256(), id_size=16),
    ceremony("ES256, extensions", *es256(), extensions={"credProtect": 2, "hmac-secret": True}),
    ceremony("ES256, client data of another time", *es256(), extra={"grün": "\U0001f511 \" \\ \u2028", "n": [1.5e3, None]}),
    ceremony("EdDSA", *eddsa(), flags=synced),
    ceremony("EdDSA, attests itself", *eddsa(), statement="packed", counts=(1, 7)),
    ceremony("RS256, 2,048 bits", *rs256(2048)),
    ceremony("RS256, 3,072 bits, attests itself", *rs256(3072), statement="packed", counts=(2, 3)),
    ceremony("RS256, 4,096 bits", *rs256(4096), flags=synced),
]
fixture = {"relyingParty": RP_ID, "origin": ORIGIN, "ceremonies": ceremonies}
path = pathlib.Path(__file__).with_name("ceremonies.json")
path.write_text(json.dumps(fixture, indent=1, ensure_ascii=True) + "\n")
print(f"{path.name}: {len(ceremonies)} ceremonies")
