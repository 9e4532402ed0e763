"""A real redis-server on loopback, which tests stop, continue, kill, flush and fill."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
from datetime import datetime, timedelta, timezone
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

try:
    import redis
except ImportError:
    redis = None
needs_redis_py = pytest.mark.skipif(
    redis is None, reason='no redis-py: pip install "scrapy-mainblock[redis]"'
)


class Certificate(NamedTuple):
    """A self-signed certificate for the loopback address only, and its key."""

    file: Path
    key: Path

    @classmethod
    def made_in(cls, directory: Path, name: str = "server") -> Certificate:
        key = ec.generate_private_key(ec.SECP256R1())
        own = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        now = datetime.now(timezone.utc)
        builder = (
            x509.CertificateBuilder(own, own, key.public_key(), x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=1))
            .add_extension(
                x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), False
            )
        )
        made = cls(directory / f"{name}.crt", directory / f"{name}.key")
        made.file.write_bytes(builder.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM))
        made.key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        return made


def _listening(port: int, certificate: Certificate | None) -> list[str]:
    if certificate is None:
        return ["--port", str(port)]
    words = ["--port", "0", "--tls-port", str(port), "--tls-auth-clients", "no"]
    words += ["--tls-cert-file", str(certificate.file), "--tls-key-file", str(certificate.key)]
    return words


class RedisServer:
    """One server, on its own port."""

    def __init__(self, directory: Path, certificate: Certificate | None = None) -> None:
        """With a certificate, serve TLS only."""
        program = shutil.which("redis-server")
        if program is None:
            pytest.skip("no redis-server: apt-get install redis-server")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"{'rediss' if certificate else 'redis'}://127.0.0.1:{self.port}/0"
        self._command = [program, "--bind", "127.0.0.1", "--dir", str(directory), "--save", ""]
        self._command += ["--appendonly", "no", *_listening(self.port, certificate)]
        trusted = {"ssl": True, "ssl_ca_certs": str(certificate.file)} if certificate else {}
        self.client = redis.Redis("127.0.0.1", self.port, decode_responses=True, **trusted)
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        end = time.monotonic() + 20
        while True:
            try:
                self.client.ping()
                break
            except redis.ConnectionError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def stop(self) -> None:
        """Suspend the server: connections stay open, and nothing answers."""
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(20)


def wait_until(condition: object, seconds: float = 5.0) -> float:
    """Wait until a condition is true and return how long that took; fail after `seconds`."""
    begin = time.monotonic()
    assert callable(condition)
    while not condition():
        assert time.monotonic() - begin < seconds, "it has not happened"
        time.sleep(0.02)
    return time.monotonic() - begin
