"""A hundred and thirty odd inputs in place of a photo: the right hand, or one sentence at once."""

from __future__ import annotations

import io
import os
import random
import socket
import time
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from PIL import Image

from tests.harness.figures import Figure, at_most
from tilescore.datasets.sample import SAMPLES
from tilescore.errors import InputError
from tilescore.models.registry import load_reader
from tilescore.vision.image.photo import load_photo

if TYPE_CHECKING:
    from collections.abc import Iterator

COUNT: Final = 130
_TELLING_S: Final = 1.0
_SAMPLE: Final = SAMPLES / "winning_hand.jpg"


def figures(count: int = COUNT, seed: int = 0) -> list[Figure]:
    """The figures of the first inputs; those that need no reading come first."""
    reader = load_reader()
    expected = reader.read(load_photo(_SAMPLE)).to_json()["hand"]
    raw = wrong = slow = read = tried = 0
    with TemporaryDirectory() as temporary:
        for path, is_whole in _inputs(Path(temporary), seed, count):
            tried += 1
            began = time.monotonic()
            try:
                photo = load_photo(path)
            except InputError as error:
                slow += time.monotonic() - began > _TELLING_S
                raw += "\n" in str(error) or not str(error).endswith(".")
                continue
            except Exception as error:  # noqa: BLE001  # this is what is counted
                print(f"{path.name}: {error!r}")
                raw += 1
                continue
            read += 1
            if is_whole and reader.read(photo).to_json()["hand"] != expected:
                print(f"{path.name}: another hand")
                wrong += 1
    return [
        Figure("odd inputs in place of a photo", tried),
        Figure("of them photos after all", read),
        at_most("raw errors", raw, 0),
        at_most("whole photos in another form, read as another hand", wrong, 0),
        at_most(f"refused only after {_TELLING_S:g} s", slow, 0),
    ]


def _inputs(folder: Path, seed: int, count: int) -> Iterator[tuple[Path, bool]]:
    """The inputs, and whether each is the whole sample in another form."""
    drawn = random.Random(seed)
    every = chain(_no_files(folder), _no_pictures(folder), _pictures(folder), _damaged(folder, drawn))
    yield from islice(every, count)


def _no_files(folder: Path) -> Iterator[tuple[Path, bool]]:
    """What is no plain file."""
    names = {name: folder / f"{name}.jpg" for name in ("pipe", "socket", "folder", "round", "sparse", "up", "gone")}
    os.mkfifo(names["pipe"])
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(names["socket"]))
    names["folder"].mkdir()
    names["round"].symlink_to("round.jpg")
    names["up"].symlink_to(folder)
    with names["sparse"].open("wb") as file:
        file.truncate(6_000_000_000)
    devices = [folder / f"{name}.jpg" for name in ("zero", "null", "tty")]
    for path in devices:
        path.symlink_to(f"/dev/{path.stem}")
    others = [Path("/proc/self/mem"), Path("/proc/kmsg"), folder / "\0.jpg", folder / ("x" * 300), folder / "a.jpg/b"]
    yield from ((path, False) for path in (*names.values(), *devices, *others))


def _no_pictures(folder: Path) -> Iterator[tuple[Path, bool]]:
    """Files with other content."""
    contents = {
        "empty": b"", "zero": b"\0", "text": b"a photo", "html": b"<html><body>404</body></html>", "pdf": b"%PDF-1.7\n",
        "zip": b"PK\3\4" + bytes(60), "elf": b"\x7fELF" + bytes(60), "jpeg head": b"\xff\xd8\xff\xe0",
        "png head": b"\x89PNG\r\n\x1a\n", "webp head": b"RIFF\0\0\0\0WEBP", "heic head": b"\0\0\0\x18ftypheic",
        "svg": b"<svg/>", "zeros": bytes(100_000), "utf-16": "photo".encode("utf-16"),
        "gif head": b"GIF89a", "video": b"\0\0\0\x18ftypmp42" + bytes(100), "psd": b"8BPS\0\1", "eps": b"%!PS-Adobe",
    }  # fmt: skip
    for name, data in contents.items():
        yield _written(folder, f"no {name}", data), False


def _pictures(folder: Path) -> Iterator[tuple[Path, bool]]:
    """The sample in other forms, and pictures that show nothing."""
    with Image.open(_SAMPLE) as sample:
        picture = sample.convert("RGB")
    exact: dict[str, dict[str, Any]] = {
        "png": {"format": "PNG"}, "webp": {"format": "WEBP", "lossless": True, "method": 0},
        "turned": {"format": "PNG", "exif": _turned()},
    }  # fmt: skip
    for name, how in exact.items():
        shown = picture.transpose(Image.Transpose.ROTATE_90) if name == "turned" else picture
        yield _saved(folder, f"as {name}", shown, **how), True
    yield _saved(folder, "with alpha", picture.convert("RGBA"), format="PNG"), True
    for mode, name in (("L", "PNG"), ("P", "PNG"), ("1", "PNG"), ("CMYK", "JPEG"), ("I;16", "PNG"), ("LA", "PNG")):
        turned = picture.convert("L").convert("I;16") if mode == "I;16" else picture.convert(mode)
        yield _saved(folder, f"mode {mode.replace(';', '')}", turned, format=name), False
    for name in ("GIF", "TIFF", "BMP", "PPM", "ICO", "TGA"):
        yield _saved(folder, f"format {name}", picture.resize((200, 150)), format=name), False
    for size in ((1, 1), (31, 400), (400, 31), (3000, 60), (32, 32)):
        yield _saved(folder, f"size {size[0]}x{size[1]}", Image.new("RGB", size), format="PNG"), False


def _damaged(folder: Path, drawn: random.Random) -> Iterator[tuple[Path, bool]]:
    """The sample cut short, with flipped bits, with bytes taken out, put in, and doubled."""
    data = _SAMPLE.read_bytes()
    for number in range(COUNT):
        at = drawn.randrange(2, len(data))
        kind = number % 4
        damaged = {
            0: data[:at],
            1: data[:at] + bytes([data[at] ^ (1 << drawn.randrange(8))]) + data[at + 1 :],
            2: data[:at] + data[at + drawn.randrange(1, 5000) :],
            3: data[:at] + drawn.randbytes(20) + data[at:],
        }[kind]
        yield _written(folder, f"damage {number}", damaged), False


def _written(folder: Path, name: str, data: bytes) -> Path:
    path = folder / f"{name}.jpg"
    path.write_bytes(data)
    return path


def _saved(folder: Path, name: str, picture: Image.Image, **how: Any) -> Path:
    data = io.BytesIO()
    picture.save(data, **how)
    return _written(folder, name, data.getvalue())


def _turned() -> Image.Exif:
    exif = Image.Exif()
    exif[0x0112] = 6
    return exif
