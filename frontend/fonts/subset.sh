#!/bin/sh
# Makes the maths font of the pages: a small, renamed subset of Latin Modern Math.
#
# Needed only when the set of characters changes; the result is committed.
#   apt-get install fonts-lmodern && pip install fonttools brotli
#   sh frontend/fonts/subset.sh /usr/share/texmf/fonts/opentype/public/lm-math/latinmodern-math.otf
#
# The names inside the font are replaced, as its licence asks of a changed font.
# Kept: Latin and Greek, upright, italic and bold; double-struck capitals; the operators,
# arrows and fences that the lessons use, with their stretchy variants (the MATH table).
set -eu
source_font=${1:?path of latinmodern-math.otf}
target="$(dirname "$0")/../../exercises/static/exercises/qkv-maths.woff2"

letters="U+0020-007E,U+00A0,U+00AC,U+00B1,U+00B7,U+00D7,U+00F7,U+0393,U+0394,U+0398,U+039B,U+03A3,U+03A6,U+03A9"
accents="U+0302,U+0304,U+20D7,U+02C6,U+00AF"
styled="U+1D400-1D467,U+1D6F4,U+1D6FC-1D71B,U+2115,U+211D,U+2124,U+210E"
operators="U+2032-2033,U+2020,U+2022,U+2026,U+2061-2064,U+2190-2194,U+21A6,U+21D2,U+21D4,U+2200,U+2202-2203"
operators="$operators,U+2207-2208,U+2209,U+220F,U+2211-2213,U+2215,U+2217-2218,U+221A,U+221D-221E,U+2225,U+2227-2228"
operators="$operators,U+223C,U+2243,U+2248,U+2260-2261,U+2264-2265,U+226A-226B,U+2282,U+2286,U+2295,U+2297,U+2299,U+22A4-22A5,U+22C5,U+22EE-22F1"
fences="U+2016,U+2308-230B,U+239B-23AE,U+23DE-23DF,U+27E8-27E9"

pyftsubset "$source_font" \
    --unicodes="$letters,$accents,$styled,$operators,$fences" \
    --layout-features='' --no-hinting --desubroutinize --obfuscate-names \
    --flavor=woff2 --output-file="$target"
python3 - "$target" <<'RENAME'
import sys
from fontTools.ttLib import TTFont

font = TTFont(sys.argv[1])
compact = font["CFF "].cff
compact.fontNames = ["QKVMaths-Regular"]
compact[0].rawDict.update(FullName="QKV Maths", FamilyName="QKV Maths")
font.save(sys.argv[1])
RENAME
ls -l "$target"
