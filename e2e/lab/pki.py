"""Keys and certificates of the lab: a throw-away authority for each control plane, or one that a Secret holds."""

from __future__ import annotations

import datetime as dt
import ipaddress
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_DAYS = 2
_SigningKey = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


def private_pem(key: _SigningKey) -> bytes:
    """The key, unencrypted, in the form that Kubernetes' programs read."""
    kind = serialization.PrivateFormat.TraditionalOpenSSL
    return key.private_bytes(serialization.Encoding.PEM, kind, serialization.NoEncryption())


def new_key() -> ec.EllipticCurvePrivateKey:
    """A P-256 key: made in a millisecond, where RSA takes a tenth of a second."""
    return ec.generate_private_key(ec.SECP256R1())


@dataclass(frozen=True, slots=True)
class Authority:
    """A certificate authority."""

    key: _SigningKey
    certificate: x509.Certificate

    @classmethod
    def create(cls, name: str) -> Self:
        """A fresh authority that signs itself."""
        key = new_key()
        subject = _name(name)
        builder = _valid_for_days(subject, subject, key).add_extension(
            x509.BasicConstraints(ca=True, path_length=0), critical=True
        )
        return cls(key, builder.sign(key, hashes.SHA256()))

    @classmethod
    def load(cls, certificate: bytes, key: bytes) -> Self:
        """The authority in these PEM blocks.

        Raises:
            TypeError: its key is neither elliptic nor RSA.
        """
        loaded = serialization.load_pem_private_key(key, password=None)
        if not isinstance(loaded, ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey):
            msg = f"an authority's key of type {type(loaded).__name__} is not supported"
            raise TypeError(msg)
        return cls(loaded, x509.load_pem_x509_certificate(certificate))

    @property
    def pem(self) -> bytes:
        """Its certificate."""
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    def _subject(self) -> x509.Name:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # Crossplane's own authority has "Earth" as its country
            return self.certificate.subject

    def issue(self, folder: Path, name: str, hosts: Sequence[str]) -> None:
        """Writes tls.crt, tls.key and ca.crt, the names of a TLS Secret's keys, for a server at these hosts."""
        key = new_key()
        builder = (
            _valid_for_days(_name(name), self._subject(), key)
            .add_extension(x509.SubjectAlternativeName([_host(each) for each in hosts]), critical=False)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        )
        signed = builder.sign(self.key, hashes.SHA256())
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "tls.crt").write_bytes(signed.public_bytes(serialization.Encoding.PEM))
        (folder / "tls.key").write_bytes(private_pem(key))
        (folder / "ca.crt").write_bytes(self.pem)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _host(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        return x509.DNSName(text)


def _valid_for_days(subject: x509.Name, issuer: x509.Name, key: _SigningKey) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(minutes=5))
        .not_valid_after(now + dt.timedelta(days=_DAYS))
    )
