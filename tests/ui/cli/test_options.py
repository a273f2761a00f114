"""Options that several commands share: a cluster without TLS is used on this machine alone, unless asked for."""

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tilescore.datasets.sample import SAMPLES
from tilescore.errors import InputError
from tilescore.processes.parallel import Pool
from tilescore.ui.cli.main import app
from tilescore.ui.cli.options import is_safe, pool_of

ADDRESSES = [
    ("tls://10.0.0.5:8786", True),
    ("tcp://127.0.0.1:8786", True),
    ("tcp://localhost:8786", True),
    ("127.0.0.2:8786", True),
    ("tcp://[::1]:8786", True),
    ("inproc://1.2.3.4/5/6", True),
    ("tcp://10.0.0.5:8786", False),
    ("10.0.0.5:8786", False),
    ("ws://10.0.0.5:8786", False),
    ("tcp://localhost.evil.example:8786", False),
    ("tcp://127.0.0.1.evil.example:8786", False),
    ("tcp://0.0.0.0:8786", False),
    ("ucx://10.0.0.5:8786", False),
    ("somewhere", False),
]


@pytest.mark.parametrize(("address", "safe"), ADDRESSES)
def test_a_cluster_beyond_this_machine_needs_tls(
    address: str,
    safe: bool,  # noqa: FBT001
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert is_safe(address) == safe
    if not safe:
        with pytest.raises(InputError, match="--insecure-cluster"):
            pool_of(2, address, insecure=False)
    assert pool_of(2, address, insecure=True) == Pool(2, address)
    assert ("has no TLS" in capsys.readouterr().err) != safe


@pytest.mark.parametrize("words", ["read a.jpg", "dataset prelabel .", "dataset check .", "dataset split . out"])
def test_every_command_refuses_it(words: str) -> None:
    done = CliRunner().invoke(app, [*words.split(), "--cluster", "tcp://10.0.0.5:8786"])
    assert isinstance(done.exception, InputError)
    assert done.exception.code == "insecure_cluster"


@pytest.mark.parametrize(
    "command",
    ["read", "score -r mcr", "annotate --model no", "dataset check", "dataset prelabel", "train --data", "train --val"],
)
def test_an_empty_name_is_not_the_current_folder(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(SAMPLES / "winning_hand.jpg", tmp_path)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, [*command.split(), ""])
    assert (done.exit_code, "'' names no file and no folder" in " ".join(done.output.split())) == (2, True), done.output
    assert [path.name for path in tmp_path.iterdir()] == ["winning_hand.jpg"], "nothing is written beside the photos"
