// board.js - a board that shows what it is given; it knows no rules.
//
// Points are named as in the data: a0 to i9, files and ranks as Red sees them.
const put = (e, attrs) => {
    for (const [k, v] of Object.entries(attrs))
        e.setAttribute(k, v);
};
const el = (tag, attrs, ...inside) => {
    const svg = /^(svg|g|use|path|circle|line)$/.test(tag);
    const e = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag)
                  : document.createElement(tag);
    put(e, attrs || {});
    e.append(...inside);
    return e;
};

const find = what => document.querySelector(what);
const findAll = what => document.querySelectorAll(what);

const FILES = "abcdefghi";
const pointOf = name => FILES.indexOf(name[0]) + 9 * name[1];
// From one of the characters # to ~, without < and the backslash.
const nameOf = c => {
    const n = c.charCodeAt(0), point = n - 35 - (n > 60) - (n > 92);
    return FILES[point % 9] + Math.floor(point / 9);
};

// The board of a FEN: 90 letters by point, "" where nothing stands.  Its first
// rank is 9.
const boardOf = fen => {
    const at = Array(90).fill("");
    fen.split("/").forEach((row, i) => {
        let file = 0;
        for (const c of row)
            if (c > "9")
                at[9 * (9 - i) + file++] = c;
            else
                file += +c;
    });
    return at;
};

// Shapes by set, in the order of SETS.order, and how large they are drawn.
const SETS = {
    order: "KABNRCPkabnrcp",
    simplified: "帅仕相马车炮兵将士象马车炮卒",
    traditional: "帥仕相傌俥炮兵將士象馬車砲卒",
};
const KINDS = "king advisor elephant horse rook cannon soldier".split(" ");
// By its letter in FEN.  Kinds that are written alike get their side in front.
const pieceWord = c => {
    const i = SETS.order.indexOf(c), side = word(i < 7 ? "red" : "black");
    return !chosen.lang ? side.toLowerCase() + " " + KINDS[i % 7]
        : (/[nrc]/i.test(c) ? side[0] : "") +
          SETS[chosen.lang < 2 ? "simplified" : "traditional"][i];
};
const usePieces = set => {
    [...SETS.order].forEach((letter, i) => {
        const icon = set == "western";
        const use = find("#p" + letter + ">:last-child");
        const id = icon ? "w" + letter.toLowerCase()
                        : "x" + SETS[set].codePointAt(i).toString(16);
        put(use, {href: "#" + id,
                  transform: icon ? "translate(4 4)scale(.92)"
                                  : "translate(22 22)scale(.5)"});
    });
    find(".han").setAttribute(
        "href", set == "traditional" ? "#x6f22" : "#x6c49");
    document.documentElement.dataset.set = set;
};

const newBoard = () => {
    const base = find("#base");
    const pieces = el("g"), marks = el("g");
    const svg = el("svg", {class: "board", viewBox: "0 0 920 1100",
                           "aria-hidden": "true"}, base.cloneNode(true),
                   pieces, marks);
    svg.firstChild.removeAttribute("id");
    const table = el("table");
    let turned = false, now = [], shown = Array(90).fill("");
    const els = Array(90).fill(null);

    // Lines look the same from both sides, and the river is read from left to
    // right; numbers change places, each staying upright.
    const numbers = svg.querySelectorAll(".n > *");
    const turn = () => {
        turned = !turned;
        for (const e of numbers)
            e.setAttribute("transform", e.getAttribute("transform").replace(
                /(\d+)\s(\d+)/, (all, x, y) => `${920 - x} ${1100 - y}`));
        show(...now);
    };

    const xy = p => {
        const q = turned ? 89 - p : p;
        return [60 + 100 * (q % 9), 1000 - 100 * Math.floor(q / 9)];
    };
    const place = (e, p) => {
        const [x, y] = xy(p);
        e.style.transform = `translate(${x - 50}px,${y - 50}px)`;
    };

    // A piece that left one point and one like it that came to another are the
    // same element, so that it is seen to move.
    const showPieces = at => {
        const free = {};
        for (let p = 0; p < 90; p++)
            if (shown[p] && shown[p] != at[p]) {
                (free[shown[p]] ||= []).push(els[p]);
                els[p] = null;
            }
        for (let p = 0; p < 90; p++) {
            if (at[p] && !els[p]) {
                els[p] = free[at[p]]?.pop();
                if (!els[p]) {
                    els[p] = el("use", {href: "#p" + at[p]});
                    place(els[p], p);
                    pieces.append(els[p]);
                }
            }
            if (els[p])
                place(els[p], p);
        }
        Object.values(free).flat().forEach(e => e.remove());
        shown = [...at];
    };

    const ring = (name, cls) => {
        const [cx, cy] = xy(pointOf(name));
        return el("circle", {class: cls, cx, cy, r: 47});
    };
    const corners = name => {
        const [x, y] = xy(pointOf(name));
        const d = [[-1, -1], [1, -1], [-1, 1], [1, 1]].map(([h, v]) =>
            `M${x + 36 * h} ${y + 16 * v}v${20 * v}h${-20 * h}`).join("");
        return el("path", {class: "last", d});
    };

    // For screen readers: ten rows from Black's side (Red's when turned).
    const showTable = at => {
        const files = [...FILES], ranks = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
        if (turned)
            files.reverse(), ranks.reverse();
        table.replaceChildren(
            el("caption", {}, word("board")),
            el("tr", {}, el("td"),
               ...files.map(f => el("th", {scope: "col"}, f))),
            ...ranks.map(r => el("tr", {}, el("th", {scope: "row"}, r),
                ...files.map(f => {
                    const c = at[pointOf(f + r)];
                    return el("td", {}, c ? pieceWord(c) : "·");
                }))));
    };

    // move and king may be missing; nothing of an earlier call stays.
    const show = (at, move, king) => {
        now = [at, move, king];
        showPieces(at);
        marks.replaceChildren();
        if (move)
            marks.append(corners(move.slice(0, 2)), ring(move.slice(2), "last"));
        if (king)
            marks.append(ring(king, "check"));
        showTable(at);
    };
    return {svg, table: el("div", {class: "sr"}, table), show,
            turn};
};
