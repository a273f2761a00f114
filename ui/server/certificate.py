"""The certificate of an app that others in the network use: made on this machine, so that a phone's camera works.

No authority knows it, so a browser asks once whether to trust it; the fingerprint tells that it is this one.
"""

import ipaddress
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tilescore.files.outputs import cannot_write
from tilescore.files.paths import data_folder, private_file, private_folder

_VALID: Final = timedelta(days=397)
"""Phones refuse certificates that are valid for longer."""
_RENEWED_BEFORE: Final = timedelta(days=7)
_HERE: Final = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate on the disk."""

    path: Path  # the certificate, PEM
    key_path: Path  # its private key, PEM; only this user can read it
    fingerprint: str  # its SHA-256 in pairs of digits, as browsers show it
    is_new: bool  # whether it was made just now


def certificate_for(addresses: Sequence[str]) -> Certificate:
    """The certificate for these addresses and this machine; a new one if there is none that holds now and for a while.

    Raises InputError if the folder of the program cannot be written.
    """
    folder = data_folder() / "certificate"
    path, key_path = folder / "certificate.pem", folder / "key.pem"
    names = tuple(dict.fromkeys((*addresses, *_HERE)))
    try:
        private_folder(folder)
        existing = _known(path, key_path, names)
        if existing is not None:
            return Certificate(path, key_path, _fingerprint(existing), is_new=False)
        key = ec.generate_private_key(ec.SECP256R1())
        made = _made(key, names)
        secret = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        _write(key_path, secret)
        _write(path, made.public_bytes(serialization.Encoding.PEM))
    except OSError as error:
        raise cannot_write(folder, error) from None
    return Certificate(path, key_path, _fingerprint(made), is_new=True)


def _known(path: Path, key_path: Path, names: Sequence[str]) -> x509.Certificate | None:
    try:
        certificate = x509.load_pem_x509_certificate(path.read_bytes())
        key = serialization.load_pem_private_key(key_path.read_bytes(), password=None)
        held = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        since, until = certificate.not_valid_before_utc, certificate.not_valid_after_utc
        fits = key.public_key() == certificate.public_key()
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm, x509.ExtensionNotFound, x509.DuplicateExtension):
        return None
    now = datetime.now(UTC)
    holds = since <= now and now + _RENEWED_BEFORE < until  # a clock that was wrong may have dated it
    return certificate if fits and holds and all(_name(name) in held for name in names) else None


def _made(key: ec.EllipticCurvePrivateKey, names: Sequence[str]) -> x509.Certificate:
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tilescore on this network")])
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + _VALID)
        .add_extension(x509.SubjectAlternativeName([_name(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )


def _name(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        return x509.DNSName(text)


def _fingerprint(certificate: x509.Certificate) -> str:
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def _write(path: Path, data: bytes) -> None:
    """Write a file that only this user can read, all of it or nothing."""
    partial = private_file(path.with_name(f".{path.name}.{os.getpid()}"))
    partial.write_bytes(data)
    partial.replace(path)
