// game.js - a game as its <article> holds it (tools/page.h says what that is).

// Words become links, the n-th of them links[n]; numbers become <b>.
const linkMoves = (box, links) => {
    for (const e of [...box.childNodes])
        if (e.nodeName == "DIV")
            linkMoves(e, links);
        else if (e.nodeName == "I") {
            const a = links[links.length - 1];
            a.append(e);
            a.className = e.className;
        } else if (e.nodeName == "#text")
            e.replaceWith(" ", ...e.data.split(/[\x20\n]+/).filter(Boolean).flatMap(w => {
                const [text, count] = w.split("\u00a0").reverse();
                const a = el("a", {}, text);
                links.push(a);
                return count ? [el("b", {}, count), "\u00a0", a, " "] : [a, " "];
            }));
};

const signed = e => /^[-#]/.test(e) ? e : "+" + e;

const readGame = article => {
    const data = JSON.parse(
        article.querySelector("script[type='application/json']").textContent);
    const links = [null], box = article.querySelector(".moves");
    linkMoves(box, links);
    // Nodes: the start, then the moves as they come.  u: the one it is played
    // in; m: from and to; e, p: evaluation and share.
    const nodes = [{ply: 0, kids: []}], stack = [];
    let at = 0;
    for (const [w] of data.moves.matchAll(/[\x20!]|../g))
        if (w == " ") {
            stack.push(at);
            at = nodes[at].u;
        } else if (w == "!")
            at = stack.pop();
        else {
            const m = [...w].map(nameOf).join("");
            nodes[at].kids.push(nodes.length);
            nodes.push({m, u: at, ply: nodes[at].ply + 1, kids: []});
            at = nodes.length - 1;
        }
    const side = n => (data.side == "red") == (n.ply % 2 == 1) ? "red" : "black";
    // "12." before a move of Red, "12…" before one of Black.
    const count = i => {
        const plies = nodes[i].ply + (data.side == "red" ? 1 : 2);
        return data.round - 1 + (plies >> 1) + (plies % 2 ? "…" : ".");
    };
    at = 0;
    for (const w of data.evals.split(" "))
        if (w.includes("/"))
            [nodes[at].e, nodes[at++].p] = w.split("/");
        else
            at += +w;
    nodes.forEach((n, i) => {
        n.k = data.king?.[i];
        n.o = data.end?.[i];
        if (!i)
            return;
        const a = n.link = links[i];
        n.here = a.firstChild.data;
        n.sign = a.children[0]?.textContent;
        if (side(n) == "red" && a.previousSibling?.data != "\u00a0")
            a.before(el("b", {}, count(i)), "\u00a0");
        // What a marked move cost stands behind it: what the better one comes
        // to, where that is known, and what it came to.
        if (n.e && a.className) {
            const before = nodes.find(k => k != n && k.u == n.u && k.e)?.e ||
                nodes[n.u].e;
            a.after("\u00a0", el("small", {},
                (before ? signed(before) + " → " : "") + signed(n.e)));
        }
    });
    // A move in the other script than it stands here in; in WXF.
    const other = i => data.other?.[i] ||
        exchange(nodes[i].here, data[side(nodes[i])]);
    const wxf = i => data.wxf?.[i] ||
        exchange(nodes[i].here, data[side(nodes[i]) + "wxf"]);
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
    const isMistake = i => /^m[246]$/.test(nodes[i].link?.className);
    return {article, nodes, main, board, isMain, branch, count, isMistake, other, wxf,
            script: article.dataset.lang == "zh-Hant" ? "t" : "s",
            graph: article.querySelector(".graph"),
            moves: box,
            title: article.querySelector("h2").textContent};
};

// How a move is written, as the reader wants it.  UCI counts ranks from 1.
const moveText = (game, i) => {
    const n = game.nodes[i], how = chosen.moves || game.script;
    return how == "w" ? game.wxf(i) : how == "i" ? n.m
        : how == "u" ? n.m.replace(/\d/g, rank => +rank + 1)
        : how == game.script ? n.here : game.other(i);
};

const scoreText = n => {
    if (n.e == null)
        return "";
    if (n.e[0] != "#")
        return `${word("red")} ${signed(n.e)} (${n.p}%)`;
    return +n.e.slice(1) ? `${word(+n.p ? "red" : "black")} ${word("matein")} ` +
        n.e.replace(/[#-]/g, "") : "";
};

// All that a move is, in words: what the eye sees on the board.
const describe = (game, i) => {
    const n = game.nodes[i];
    if (!i)
        return [word("start"), scoreText(n)].filter(Boolean).join(", ");
    const {at, taken} = game.board(i);
    const parts = [`${game.count(i)} ${moveText(game, i)}${n.sign ? " " + n.sign : ""}`];
    if (!chosen.lang)
        parts.push(`${pieceWord(at[pointOf(n.m.slice(2))])} ${n.m.slice(0, 2)} ` +
                   n.m.slice(2));
    if (taken)
        parts.push(word("takes") + " " + pieceWord(taken));
    if (n.o || n.k)
        parts.push(word(n.o || "check"));
    return [...parts, scoreText(n)].filter(Boolean).join(", ");
};
