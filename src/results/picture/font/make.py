"""Cuts the map font out of Alegreya: see README.md beside this file."""
import sys
from fontTools import subset
from fontTools.ttLib import TTFont

FACES = {"500Medium": "Medium", "700Bold": "Bold", "500Medium_Italic": "MediumItalic"}
RANGES = "U+20-7E,U+A0-17F,U+18F,U+192,U+1E9E,U+218-21B,U+259,U+2BC,U+400-45F,U+490-491,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+2030,U+2039,U+203A,U+2116,U+2190-2193,U+2212"
DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]


def lining(font):
    """Digits as tall as capitals: hex numbers and strengths are read, not set in a line of text."""
    glyphs = set(font.getGlyphOrder())
    for table in font["cmap"].tables:
        for digit, name in enumerate(DIGITS):
            for ending in (".lf", ".lnum", ".tlf", ".tf"):
                if name + ending in glyphs:
                    table.cmap[0x30 + digit] = name + ending
                    break
            else:
                sys.exit(f"{name} has no lining form")


for source, target in FACES.items():
    font = TTFont(f"{sys.argv[1]}/{source}/Alegreya_{source}.ttf")
    lining(font)
    options = subset.Options(layout_features=["kern", "mark", "mkmk", "ccmp", "locl"], hinting=False, name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14, 16, 17], notdef_outline=True)
    cut = subset.Subsetter(options)
    cut.populate(unicodes=subset.parse_unicodes(RANGES))
    cut.subset(font)
    font.save(f"Alegreya-{target}.ttf")
