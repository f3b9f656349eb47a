#!/usr/bin/env python3
"""Writes shapes.txt: the outlines of the characters on the pieces and the board.

Run once, by hand, when a character is added; what it writes is committed, so
that no build needs it.  Needs python3-fonttools and fonts-noto-cjk (Debian):

    tools/web/pieces.py >tools/web/shapes.txt

Source of the characters: Noto Serif CJK Bold, (c) 2017-2022 Adobe, OFL-1.1
(OFL.txt).  Where a face has its own form of a character, simplified ones come
from the SC and traditional ones from the TC face.  The icons are our own.
"""
import math
import sys
from fontTools.pens.basePen import BasePen
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTCollection

FONT = "/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc"
SIMPLIFIED = "帅车马将汉"
TRADITIONAL = "帥仕相俥傌炮兵將士象車馬砲卒漢"
BOARD = "楚河界一二三四五六七八九"
BOX = 112  # units of a shape's side; the character is centred in it
SLACK = 0.8  # units that a curve may be off

ICONS = {
    "k": "M26 64 22 36 37 48 50 26 63 48 78 36 74 64ZM26 68H74V75H26Z",
    "a": "M50 74 22 46A40 40 0 0 1 78 46ZM46 70H54V80H46ZM35 45 38 43 50 62 48 66ZM65 45 62 43 50 62 52 66ZM48.6 38H51.4L51 60H49Z",
    "b": "M50 24C58 24 63 28 65 33C74 28 82 34 81 45C80 55 72 60 65 57C63 62 59 64 58 68C57 74 60 76 64 74L66 79C58 84 49 80 49 70C49 67 49 65 48 64C42 64 37 62 35 57C28 60 20 55 19 45C18 34 26 28 35 33C37 28 42 24 50 24ZM42 40A3 3 0 1 0 42 46A3 3 0 1 0 42 40ZM58 40A3 3 0 1 0 58 46A3 3 0 1 0 58 40Z",
    "n": "M34 78H72C74 58 70 38 54 30L52 21 45 29C38 33 32 42 27 54C25 59 29 63 34 61L38 58C42 57 46 55 49 51C50 58 37 64 34 78ZM43 38A3 3 0 1 0 43 44A3 3 0 1 0 43 38Z",
    "r": "M28 24H37V31H45V24H55V31H63V24H72V40L65 46V64L72 70V78H28V70L35 64V46L28 40Z",
    "c": "M20 46 66 24 74 41 30 60ZM70 21 77 18 87 39 80 42ZM44 57A13 13 0 1 0 44 83A13 13 0 1 0 44 57ZM44 65A5 5 0 1 0 44 75A5 5 0 1 0 44 65ZM58 66 84 78V84H60Z",
    "p": "M50 22A12 12 0 0 1 57 43.7L62 47V52H57C58 62 62 67 68 71V78H32V71C38 67 42 62 43 52H38V47L43 43.7A12 12 0 0 1 50 22Z",
}


def off_chord(a, b, p):
    """How far p is from the line through a and b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = math.hypot(dx, dy)
    if length == 0:
        return math.hypot(p[0] - a[0], p[1] - a[1])
    return abs(dx * (p[1] - a[1]) - dy * (p[0] - a[0])) / length


class ShortPen(BasePen):
    """An SVG path of whole units, relative, y downwards, without rounding
    errors adding up: each point is rounded, then differences are taken."""

    def __init__(self, glyphs, place):
        super().__init__(glyphs)
        self.place, self.out, self.at, self.last = place, [], (0, 0), ""

    def add(self, letter, *points):
        points = [self.place(p) for p in points]
        if letter == "M":
            numbers = points[0]
        else:
            numbers = [c - b for p in points for c, b in zip(p, self.at)]
        if letter == "l" and numbers[0] == 0:
            letter, numbers = "v", numbers[1:]
        elif letter == "l" and numbers[1] == 0:
            letter, numbers = "h", numbers[:1]
        text = "" if letter == self.last else letter
        for n in numbers:
            word = str(n)
            if text and text[-1].isdigit() and word[0] != "-" or \
                    not text and self.out and word[0] != "-":
                text += " "
            text += word
        self.out.append(text)
        self.at, self.last = points[-1], letter

    def _moveTo(self, p):
        self.add("M", p)

    def _lineTo(self, p):
        if self.place(p) != self.at:
            self.add("l", p)

    def _curveToOne(self, a, b, c):
        """The simplest that stays within SLACK: a line, a parabola, a cubic."""
        z = self._getCurrentPoint()
        slack = SLACK * 1000 / BOX
        if max(off_chord(z, c, a), off_chord(z, c, b)) * 0.75 < slack:
            return self._lineTo(c)
        bend = [w - 3 * v + 3 * u - t for t, u, v, w in zip(z, a, b, c)]
        if math.hypot(*bend) * math.sqrt(3) / 36 < slack:
            return self.add("q", [(3 * (u + v) - t - w) / 4
                                  for t, u, v, w in zip(z, a, b, c)], c)
        self.add("c", a, b, c)

    def _closePath(self):
        self.out.append("z")
        self.last = "z"


def outline(font, char):
    glyphs = font.getGlyphSet()
    glyph = glyphs[font.getBestCmap()[ord(char)]]
    bounds = BoundsPen(glyphs)
    glyph.draw(bounds)
    x0, y0, x1, y1 = bounds.bounds
    scale = BOX / 1000
    mid = ((x0 + x1) / 2, (y0 + y1) / 2)

    def place(p):
        return (round((p[0] - mid[0]) * scale + BOX / 2),
                round((mid[1] - p[1]) * scale + BOX / 2))

    pen = ShortPen(glyphs, place)
    glyph.draw(pen)
    return "".join(pen.out)


def main():
    faces = {f["name"].getDebugName(1): f for f in TTCollection(FONT).fonts}
    sc, tc = faces["Noto Serif CJK SC"], faces["Noto Serif CJK TC"]
    print("# Written by pieces.py: do not edit.  NAME SIZE PATH, a shape a line.")
    print("# Characters: Noto Serif CJK Bold, (c) 2017-2022 Adobe, OFL-1.1.")
    for face, chars in ((sc, SIMPLIFIED), (tc, TRADITIONAL), (sc, BOARD)):
        for char in chars:
            print(f"x{ord(char):x} {BOX} {outline(face, char)}")
    for name, path in ICONS.items():
        print(f"w{name} 100 {path}")


sys.exit(main())
