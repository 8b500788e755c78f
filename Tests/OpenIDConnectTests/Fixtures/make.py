#!/usr/bin/env python3
"""Makes tokens.json: ID tokens that PyPI's `PyJWT` signs and takes, with the JWK Set that verifies them.

    pip install 'pyjwt[crypto]' && python3 make.py

The keys are new each time, so the file changes; what it says must not.
"""

import hashlib
import json
import pathlib

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa

ISSUER, AUDIENCE, NONCE, NOW = "https://id.example", "com.example.juliet", "n-0S6_WzA2Mj", 1_800_000_000
KEYS = {
    "ec": ("ES256", ec.generate_private_key(ec.SECP256R1())),
    "rsa-2048": ("RS256", rsa.generate_private_key(public_exponent=65537, key_size=2048)),
    "rsa-3072": ("RS256", rsa.generate_private_key(public_exponent=3, key_size=3072)),
    "rsa-4096": ("RS256", rsa.generate_private_key(public_exponent=65537, key_size=4096)),
}


def public(name):
    algorithm, key = KEYS[name]
    kind = jwt.algorithms.ECAlgorithm if algorithm == "ES256" else jwt.algorithms.RSAAlgorithm
    return {**kind.to_jwk(key.public_key(), as_dict=True), "kid": name, "use": "sig", "alg": algorithm}


def token(kid, **changes):
    algorithm, key = KEYS[kid]
    claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "001234.abc", "iat": NOW - 10, "exp": NOW + 600, "nonce": NONCE}
    claims.update(changes)
    text = jwt.encode(claims, key, algorithm=algorithm, headers={"kid": kid})
    read = jwt.decode(
        text, key.public_key(), algorithms=[algorithm], issuer=ISSUER, audience=AUDIENCE, options={"verify_exp": False,
        "verify_iat": False, "verify_nbf": False}
    )
    return {"kid": kid, "token": text, "subject": read["sub"]}


tokens = [token(kid) for kid in KEYS] + [
    token("ec", aud=[AUDIENCE], nonce=hashlib.sha256(NONCE.encode()).hexdigest()),
    token("ec", exp=NOW + 0.5, iat=NOW - 0.25, nbf=NOW - 1.5),
    token("rsa-2048", sub="ü" * 255, email="ada@example.org", email_verified="true", azp=AUDIENCE, amr=["pwd"]),
]
fixture = {
    "issuer": ISSUER, "audience": AUDIENCE, "nonce": NONCE, "now": NOW,
    "keys": {"keys": [public(name) for name in KEYS]}, "tokens": tokens,
}
path = pathlib.Path(__file__).with_name("tokens.json")
path.write_text(json.dumps(fixture, indent=1, ensure_ascii=True) + "\n")
print(f"{path.name}: {len(tokens)} tokens")
