"""The certificate of a shared app: made once, renewed in time, for the addresses of this machine."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

from tilescore.errors import InputError
from tilescore.ui.server import certificate
from tilescore.ui.server.certificate import certificate_for

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path))
    return tmp_path


def test_it_is_made_once_and_serves() -> None:
    made = certificate_for(("192.168.1.20",))
    assert made.is_new
    again = certificate_for(("192.168.1.20",))
    assert not again.is_new
    assert again.fingerprint == made.fingerprint
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(made.path, made.key_path)
    found = x509.load_pem_x509_certificate(made.path.read_bytes())
    names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert "localhost" in names.get_values_for_type(x509.DNSName)
    assert "192.168.1.20" in map(str, names.get_values_for_type(x509.IPAddress))
    assert made.key_path.stat().st_mode & 0o77 == 0


def test_another_address_needs_another_one() -> None:
    first = certificate_for(("192.168.1.20",))
    assert certificate_for(("my-laptop",)).fingerprint != first.fingerprint


def test_one_that_runs_out_is_renewed(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as old:
        old.setattr(certificate, "_VALID", timedelta(days=3))
        first = certificate_for(("192.168.1.20",))
    second = certificate_for(("192.168.1.20",))
    assert second.is_new
    assert second.fingerprint != first.fingerprint


@pytest.mark.parametrize(
    "ahead", [timedelta(days=2), timedelta(days=4000), timedelta(days=-500), timedelta(days=-20000)]
)
def test_one_of_a_wrong_clock_is_replaced(ahead: timedelta, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as wrong:
        wrong.setattr(certificate, "datetime", SimpleNamespace(now=lambda tz: datetime.now(tz) + ahead))
        first = certificate_for(("192.168.1.20",))
    second = certificate_for(("192.168.1.20",))
    assert second.is_new
    found = x509.load_pem_x509_certificate(second.path.read_bytes())
    assert found.not_valid_before_utc < datetime.now(UTC) < found.not_valid_after_utc
    assert second.fingerprint != first.fingerprint
    assert not certificate_for(("192.168.1.20",)).is_new


def test_nobody_else_may_look_into_the_data_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILESCORE_DATA", str(folder / "new" / "data"))
    certificate_for(("192.168.1.20",))
    ours = folder / "new" / "data"
    assert {path.stat().st_mode & 0o77 for path in (ours, *ours.rglob("*"))} == {0}
    ours.chmod(0o755)
    (ours / "certificate").chmod(0o755)
    assert not certificate_for(("192.168.1.20",)).is_new
    assert {path.stat().st_mode & 0o77 for path in (ours, ours / "certificate")} == {0}, "nor into an earlier one"


def pem(key: ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey, password: str = "") -> bytes:
    """A private key as text."""
    secret = serialization.BestAvailableEncryption(password.encode()) if password else serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, secret)


FOREIGN_KEYS = {
    "another": pem(ec.generate_private_key(ec.SECP256R1())),
    "another kind": pem(ed25519.Ed25519PrivateKey.generate()),
    "with a password": pem(ec.generate_private_key(ec.SECP256R1()), "secret"),
    "empty": b"",
    "no text": bytes(range(256)),
}


@pytest.mark.parametrize("key", FOREIGN_KEYS)
def test_a_key_that_does_not_fit_is_replaced(folder: Path, key: str) -> None:
    certificate_for(("192.168.1.20",))
    (folder / "certificate" / "key.pem").write_bytes(FOREIGN_KEYS[key])
    made = certificate_for(("192.168.1.20",))
    assert made.is_new
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(made.path, made.key_path)


@pytest.mark.parametrize("name", ["certificate.pem", "key.pem"])
def test_a_damaged_one_is_replaced(folder: Path, name: str) -> None:
    certificate_for(("192.168.1.20",))
    (folder / "certificate" / name).write_text("damaged")
    assert certificate_for(("192.168.1.20",)).is_new


def test_a_folder_that_cannot_be_written_is_one_sentence(folder: Path) -> None:
    (folder / "certificate").write_text("a file in the way")
    with pytest.raises(InputError, match="that the folder is yours"):
        certificate_for(("192.168.1.20",))
