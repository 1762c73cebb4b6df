"""The compiled translations (`.mo`): write them from the `.po` files, or check that they hold the same messages.

The compiled files are committed, so a fresh machine needs no gettext.
"""

from __future__ import annotations

import sys
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parent.parent
LOCALES = ROOT / "exercises" / "locale"


def main(arguments: list[str]) -> int:
    """Write (`--write`), else check."""
    stale = [source for source in sorted(LOCALES.glob("*/LC_MESSAGES/*.po")) if not is_current(source)]
    for source in stale:
        if "--write" in arguments:
            source.with_suffix(".mo").write_bytes(compiled(source))
        else:
            print(f"messages: {source.relative_to(ROOT)} is newer than its .mo file: run `make messages`")
    return 1 if stale and "--write" not in arguments else 0


def is_current(source: Path) -> bool:
    """Whether the compiled file holds the same messages, whichever program compiled it."""
    target = source.with_suffix(".mo")
    return target.exists() and messages(target.read_bytes()) == messages(compiled(source))


def compiled(source: Path) -> bytes:
    """The source as a compiled catalogue; fuzzy entries are left out, as gettext does."""
    with source.open("rb") as file:
        catalogue = read_po(file)
    target = BytesIO()
    write_mo(target, catalogue, use_fuzzy=False)
    return target.getvalue()


def messages(binary: bytes) -> dict[object, str]:
    """Every message with its translation; the header, which holds dates and tools, is left out."""
    catalogue = dict(vars(GNUTranslations(BytesIO(binary)))["_catalog"])
    return {key: text for key, text in catalogue.items() if key != ""}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
