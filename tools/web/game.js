// game.js - a game as its <article> holds it (tools/page.h says what that is).
const readGame = article => {
    const data = JSON.parse(
        article.querySelector("script[type='application/json']").textContent);
    const nodes = data.nodes;
    const links = [...article.querySelectorAll(".moves a")];
    nodes.forEach((n, i) => {
        n.kids = [];
        n.link = links[i - 1];
        n.here = n.link?.firstChild.data;
        n.sign = n.link?.querySelector("i")?.textContent;
        n.ply = 0;
        if (i) {
            n.u ??= i - 1;
            n.ply = nodes[n.u].ply + 1;
            nodes[n.u].kids.push(i);
        }
    });
    // A move in the other script than it stands here in.
    const other = n => {
        if (n.t)
            return n.t;
        const red = (data.side == "red") == (n.ply % 2 == 1);
        const pairs = [...data[red ? "red" : "black"]];
        return [...n.here].map(c => {
            const i = pairs.findIndex((p, k) => k % 2 == 0 && p == c);
            return i < 0 ? c : pairs[i + 1];
        }).join("");
    };
    const main = [0];
    for (let i = 0; nodes[i].kids.length; main.push(i))
        i = nodes[i].kids[0];

    // The line that leads to a node, without the start.
    const path = i => {
        const way = [];
        for (; i; i = nodes[i].u)
            way.push(i);
        return way.reverse();
    };
    // Stepping back and on again gives the same board: it is played anew from
    // the start each time, which no eye can see.
    const board = i => {
        const at = boardOf(data.start);
        let taken = "";
        for (const n of path(i)) {
            const from = pointOf(nodes[n].m), to = pointOf(nodes[n].m.slice(2));
            taken = at[to];
            at[to] = at[from];
            at[from] = "";
        }
        return {at, taken};
    };
    const isMain = i => main[nodes[i].ply] == i;
    // The last node of the main line on the way to a node.
    const branch = i => {
        while (!isMain(i))
            i = nodes[i].u;
        return i;
    };
    // "12." before a move of Red, "12…" before one of Black.
    const count = i => {
        const plies = nodes[i].ply + (data.side == "red" ? 1 : 2);
        return data.round - 1 + (plies >> 1) + (plies % 2 ? "…" : ".");
    };
    const isMistake = i => /^m[246]$/.test(nodes[i].link?.className);
    return {article, nodes, main, board, isMain, branch, count, other, isMistake,
            script: article.dataset.lang == "zh-Hant" ? "t" : "s",
            graph: article.querySelector(".graph"),
            moves: article.querySelector(".moves"),
            title: article.querySelector("h2").textContent};
};

// How a move is written, as the reader wants it.
const moveText = (game, n) => chosen.moves == "w" ? n.w
    : chosen.moves == "i" ? n.m
    : !chosen.moves || chosen.moves == game.script ? n.here : game.other(n);

const scoreText = n => {
    if (n.e == null)
        return "";
    const share = Math.round(n.p / 10) + "%";
    if (n.e[0] != "#")
        return `${word("red")} ${n.e[0] == "-" ? "" : "+"}${n.e} (${share})`;
    return +n.e.slice(1) ? `${word(n.p ? "red" : "black")} ${word("matein")} ` +
        n.e.replace(/[#-]/g, "") : "";
};

// All that a move is, in words: what the eye sees on the board.
const describe = (game, i) => {
    const n = game.nodes[i];
    if (!i)
        return [word("start"), scoreText(n)].filter(Boolean).join(", ");
    const {at, taken} = game.board(i);
    const parts = [`${game.count(i)} ${moveText(game, n)}${n.sign ? " " + n.sign : ""}`];
    if (!chosen.lang)
        parts.push(`${word(at[pointOf(n.m.slice(2))])} ${n.m.slice(0, 2)} ` +
                   n.m.slice(2));
    if (taken)
        parts.push(word("takes") + " " + word(taken));
    if (n.o || n.k)
        parts.push(word(n.o || "check"));
    return [...parts, scoreText(n)].filter(Boolean).join(", ");
};
