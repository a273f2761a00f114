"""What is shipped is what its card says."""

from tilescore.models.registry import PARTS, WEIGHTS_FOLDER, shipped


def test_the_card_tells_each_files_hash() -> None:
    card = (WEIGHTS_FOLDER.parent / "MODEL_CARD.md").read_text(encoding="utf-8")
    for model in shipped():
        for part in (getattr(model, part) for part in PARTS):
            if part is not None:
                (row,) = [line for line in card.splitlines() if line.startswith(f"| `{part.path.name}` |")]
                assert f"`{part.sha256[:16]}…`" in row
                assert part.path.stat().st_size < 25_000_000
