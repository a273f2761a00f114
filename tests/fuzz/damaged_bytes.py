"""Corrupt any file: flip, cut or double bytes; replace JSON values and text tokens."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from random import Random

NASTY: Final[tuple[Any, ...]] = (
    None, True, False, 0, -1, 1, 3, 2**31, 2**63, -(2**64), 10**400, 0.5, -0.0, 1e308, float("inf"), float("nan"),
    "", " ", "0", "-1", "nan", "1e999", "x", "E", "5m", "0m", "1f", "back", "\x00", "\ud800", "\u202e", "١", "🀀", "Ａ",
    "../../etc/passwd", "%s%n{0}", "9" * 5000, "5m" * 5000, [], [[]], [None], {}, {"": {}}, [1] * 5000,
    {"tiles": "555m", "kind": "pung"}, "mcr", "riichi", "self_draw", "discard",
)  # fmt: skip
"""Values that many readers do not expect."""
TOKENS: Final = (
    b"nan", b"-inf", b"1e999", b"0x10", b"-1", b"99999999999999999999", b"", b" ", b"\x00", b"\xff\xfe",
    b"\xef\xbb\xbf", b"\xed\xa0\x80", b"../", b"&a;",
    b"<!DOCTYPE a>", b"]]>", b"{", b"}", b"[" * 3000, b'"', b"\\u0000", b"\r", b"-",
    b":", b"&a", b"*a", b"!!python/object:os.system", "５".encode(), "₅".encode(),
)  # fmt: skip


def corrupted_bytes(random: Random, data: bytes) -> bytes:
    """The bytes with one to five corruptions, most of them near the beginning, where headers are."""
    made = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 3, 5))):
        reach = len(made) if random.random() < 0.5 else min(len(made), 600)
        place = random.randrange(reach) if reach else 0
        end = place + random.choice((1, 2, 4, 16, 200))
        choice = random.randrange(7)
        if choice == 0:
            del made[place:]
        elif choice == 1 and made:
            made[place] ^= 1 << random.randrange(8)
        elif choice == 2:
            made[place:end] = random.randbytes(min(end, len(made)) - place)
        elif choice == 3:
            del made[place:end]
        elif choice == 4:
            made[place:place] = made[place:end] * random.choice((1, 2, 100))
        elif choice == 5:
            made[place:end] = bytes((random.choice((0, 255)),)) * (min(end, len(made)) - place)
        else:
            made[place:place] = random.choice(TOKENS)
    return bytes(made)


def corrupted_json(random: Random, value: Any, *, others: tuple[str, ...] = ()) -> str:
    """A JSON text in which up to four values are replaced.

    `others` are strings that have a meaning for the reader, so that a wrong value is often nearly right.
    """
    box = [json.loads(json.dumps(value))]
    for _ in range(random.choice((0, 1, 1, 1, 2, 4))):
        holder, key = random.choice(_places(box))
        choice = random.random()
        if choice < 0.4:
            holder[key] = deepcopy(random.choice(NASTY))
        elif choice < 0.6 and others:
            holder[key] = random.choice(others)
        elif choice < 0.7 and isinstance(holder[key], str) and holder[key]:
            text = holder[key]
            cut = random.randrange(len(text))
            holder[key] = random.choice((text[:cut], text[cut:] + text[:cut], text + text[cut:], text[:cut] + "x"))
        elif choice < 0.8 and isinstance(holder, dict):
            holder[random.choice(("colour", "", *holder))] = holder.pop(key)
        elif choice < 0.9 and isinstance(holder, list) and holder is not box:
            holder += [holder[key]] * random.choice((1, 3, 40))
        elif holder is not box:
            del holder[key]
    text = json.dumps(box[0])
    return corrupted_bytes(random, text.encode()).decode(errors="replace") if random.random() < 0.1 else text


def _places(box: Any) -> list[tuple[Any, Any]]:
    """Every pair of a list or object and one of its indices or keys, at any depth."""
    found: list[tuple[Any, Any]] = []
    waiting = [box]
    while waiting:
        holder = waiting.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            found.append((holder, key))
            if isinstance(holder[key], dict | list):
                waiting.append(holder[key])
    return found
