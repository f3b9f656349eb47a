#!/usr/bin/env python3
"""Are annotate's marks those that another engine would set?

    tests/bench/judge.py QIPU GAMES [NODES [JUDGE_NODES [JUDGE]]]

Both annotate the games, the judge (fairy-stockfish) with so many more nodes that
it has ten times our time a position; the last lines say how much it had.  Of the
moves that by the judge lose over 20 hundredths of the winning chances, how many
do we mark, and of the moves that we call blunders, how many does it confirm, as
losing 5 or more, or over 20?  Moves from or into a mate are left out.

The judge's scale: 1 / (1 + exp(-hundredths / 225)), which fits the results of
6,000 positions of ccpd-event-aleague, -worldcup and -other best, each searched by
Fairy-Stockfish 11.1 for 10,000 nodes.
"""
import json
import math
import resource
import subprocess
import sys

SPREAD = 225


def annotate(qipu, games, *options):
    """The games by "evals" and "nags", and the seconds of CPU time it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run([qipu, "annotate", "-q", "-j2", "--json", *options, games],
                         stdout=subprocess.PIPE, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    games = [json.loads(line) for line in out.splitlines()]
    return ([g for g in games if "evals" in g],
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def share(position, red):
    """A side's winning chance by the judge; None: mate."""
    if "eval" not in position:
        return None
    score = position["eval"] * 100 * (1 if red else -1)
    return 1 / (1 + math.exp(-score / SPREAD))


def losses(game):
    """Of each move: what it loses by the judge, None where mates or failures are."""
    evals = game["evals"]
    red = game["fen"].split()[1] != "b"
    for before, after, move in zip(evals, evals[1:], game["moves"]):
        had, has = share(before, red), share(after, red)
        if had is None or has is None:
            yield None
        else:
            yield 0 if before.get("best") == move else had - has
        red = not red


def main():
    arguments = dict(enumerate(sys.argv[1:]))
    qipu, games = arguments[0], arguments[1]
    nodes, more = arguments.get(2, "100000"), arguments.get(3, "240000")
    judge = arguments.get(4, "fairy-stockfish")
    ours, our_time = annotate(qipu, games, "--nodes", nodes)
    theirs, their_time = annotate(qipu, games, "--nodes", more, "--multipv", "1",
                                  "--engine", judge)
    lost = marked = blunders = confirmed = as_blunders = positions = 0
    for our, their in zip(ours, theirs):
        assert our["moves"] == their["moves"]
        positions += len(our["evals"])
        marks = {n["ply"]: n["nag"] for n in our["nags"] if n["nag"] in (2, 4, 6)}
        for ply, loss in enumerate(losses(their), 1):
            if loss is None:
                continue
            if loss > 0.2:
                lost += 1
                marked += ply in marks
            if marks.get(ply) == 4:
                blunders += 1
                confirmed += loss >= 0.05
                as_blunders += loss > 0.2
    print(f"games {len(ours)}, positions {positions}")
    print(f"lose over 20 by the judge {lost}, marked {marked}: "
          f"{100 * marked / max(lost, 1):.1f} %")
    print(f"blunders of ours {blunders}, lose 5 or more by the judge {confirmed}: "
          f"{100 * confirmed / max(blunders, 1):.1f} %, over 20 {as_blunders}: "
          f"{100 * as_blunders / max(blunders, 1):.1f} %")
    print(f"CPU seconds: ours {our_time:.0f}, the judge's {their_time:.0f}: "
          f"{their_time / our_time:.1f} times")


if __name__ == "__main__":
    main()
