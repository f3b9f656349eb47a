// page.js - list of games, board, buttons, keys, graph; the state is the URL's.
const articles = [...findAll("article")];
const games = [];
const board = newBoard();
let game = null, number = 0, node = 0, timer = 0;

// ---- what stands in the page ----

const ICON = {
    first: "M6 5v14M19 5l-10 7 10 7z", prev: "M16 5l-9 7 9 7z",
    play: "M7 4l12 8-12 8z", stop: "M7 5h4v14H7zM14 5h4v14h-4z",
    next: "M8 5l9 7-9 7z", last: "M18 5v14M5 5l10 7-10 7z",
    turn: "M7 20V5M3 9l4-5 4 5M17 4v15M13 15l4 5 4-5",
    prevm: "M12 5l-8 7 8 7zM17 6v8M17 17v2",
    nextm: "M12 5l8 7-8 7zM7 6v8M7 17v2",
};
const button = (name, act) => {
    const b = el("button", {type: "button", "data-l": name, class: name},
                 el("svg", {viewBox: "0 0 24 24", "aria-hidden": "true"},
                    el("path", {d: ICON[name]})));
    b.onclick = act;
    return b;
};
const status = el("p", {role: "status", class: "status"});
const others = el("div", {class: "others", role: "group", "data-l": "vars"});
const play = button("play", () => setPlay(!timer));
// The buttons stand above what comes and goes: a thumb stays where it is.
const viewer = el("section", {class: "viewer", "data-l": "board"}, board.svg,
    board.table, status,
    el("div", {class: "buttons"},
       button("first", () => go(0)), button("prev", () => step(-1)), play,
       button("next", () => step(1)), button("last", () => go(lastOf(node))),
       button("prevm", () => mistake(-1)), button("nextm", () => mistake(1)),
       button("turn", () => board.turn())), others);
const slider = el("input", {type: "range", min: 0, "data-l": "graph"});
const help = el("details", {class: "help"}, el("summary", {"data-w": "help"}),
    ...["signs", "graph", "keys"].map(w => el("p", {"data-w": "help" + w})));
const cursor = el("g", {class: "cursor"}, el("line", {y2: 150}),
                  el("circle", {r: 5}));

// ---- steps ----

const lastOf = i => {
    while (game.nodes[i].kids.length)
        i = game.nodes[i].kids[0];
    return i;
};
const step = by => {
    const n = game.nodes[node];
    if (by < 0 ? node : n.kids.length)
        go(by < 0 ? n.u : n.kids[0]);
};
// Another move in the place of this one; false when there is none.
const swap = by => {
    const kids = node ? game.nodes[game.nodes[node].u].kids : [];
    const to = kids[kids.indexOf(node) + by];
    if (to == null)
        return false;
    go(to);
    return true;
};
const mistake = by => {
    const line = game.main;
    for (let p = game.nodes[game.branch(node)].ply + by; line[p]; p += by)
        if (game.isMistake(line[p]))
            return go(line[p]);
};
const setPlay = on => {
    clearInterval(timer);
    timer = on ? setInterval(() => {
        if (!game.nodes[node].kids.length)
            return setPlay(false);
        step(1);
    }, 1000) : 0;
    play.setAttribute("aria-pressed", !!timer);
    play.querySelector("path").setAttribute("d", ICON[timer ? "stop" : "play"]);
};

// ---- the address: #PLY, #vNODE, with #GAME. before it where there are more ----

const address = (g, i) => "#" + (articles.length > 1 ? g + 1 + "." : "") +
    (game.isMain(i) ? game.nodes[i].ply : "v" + i);
const follow = () => {
    const m = /^#(?:(\d+)\.)?(v?)(\d+)$/.exec(location.hash);
    const g = m && m[1] ? Math.min(m[1], articles.length) - 1 : 0;
    open(Math.max(g, 0));
    const i = !m ? 0 : m[2] ? (game.nodes[m[3]] ? +m[3] : 0)
        : game.main[Math.min(m[3], game.main.length - 1)];
    go(i);
};

// ---- showing ----

const showGraph = () => {
    const n = game.nodes[node], at = game.branch(node);
    const last = game.main.length - 1;
    slider.max = last;
    slider.value = game.nodes[at].ply;
    slider.setAttribute("aria-valuetext", describe(game, at));
    if (!game.graph)
        return;
    const x = last ? 600 * game.nodes[at].ply / last : 300;
    const [line, dot] = cursor.children;
    put(line, {x1: x, x2: x});
    put(dot, {cx: x, cy: 150 - 1.5 * n.p || 0,
              class: n.p == null ? "none" : at == node ? "" : "away"});
};

// Alternatives to what comes next, as buttons: for a thumb.
const showOthers = () => {
    const kids = game.nodes[node].kids;
    const focused = others.contains(document.activeElement);
    others.replaceChildren(...(kids.length < 2 ? [] : kids.map(i => {
        const b = el("button", {type: "button"}, moveText(game, i));
        b.onclick = () => go(i);
        return b;
    })));
    if (focused)
        viewer.querySelector(".next").focus();
};

// The list is scrolled, never the page: the board must stay in sight.
const showMove = () => {
    const box = game.moves, link = game.nodes[node].link;
    const focused = box.contains(document.activeElement);
    box.querySelectorAll("[aria-current]").forEach(e => {
        e.removeAttribute("aria-current");
        e.tabIndex = -1;
    });
    const tab = link || game.nodes[game.main[1]]?.link;
    if (tab)
        tab.tabIndex = 0;
    if (!link)
        return void (box.scrollTop = 0);
    link.setAttribute("aria-current", "true");
    if (focused)
        link.focus({preventScroll: true});
    const a = link.getBoundingClientRect(), b = box.getBoundingClientRect();
    if (a.top < b.top + 24 || a.bottom > b.bottom - 24)
        box.scrollTop += a.top - b.top - b.height / 2;
};

const go = i => {
    node = i;
    const n = game.nodes[i];
    board.show(game.board(i).at, n.m, n.k);
    status.textContent = describe(game, i);
    showOthers();
    showMove();
    showGraph();
    const url = address(number, i);
    if (location.hash != url)
        history.replaceState(null, "", url);
};

// ---- a game ----

const nameMoves = g => {
    const script = chosen.moves || g.script;
    g.moves.lang = LANGS[script == "t" ? 2 : script == "s" ? 1 : 0];
    g.nodes.forEach((n, i) => {
        if (i)
            n.link.firstChild.data = moveText(g, i);
    });
};

const open = g => {
    if (game && g == number)
        return;
    if (game)
        game.article.classList.remove("on");
    number = g;
    const fresh = !games[g];
    game = games[g] ||= readGame(articles[g]);
    const a = game.article;
    if (fresh)
        game.nodes.forEach((n, i) => {
            if (!n.link)
                return;
            n.link.href = address(g, i);
            n.link.tabIndex = -1;
            n.link.onclick = e => {
                e.preventDefault();
                setPlay(false);
                go(i);
            };
        });
    nameMoves(game);
    // Room for alternatives, so that nothing moves when some come up.
    others.hidden = !a.querySelector(".moves div");
    a.classList.add("on");
    a.querySelector(".g").before(viewer);
    a.append(help);
    if (game.graph) {
        game.graph.after(slider);
        game.graph.append(cursor);
        game.graph.onpointerdown = game.graph.onpointermove = drag;
    } else
        a.querySelector(".g").append(slider);
    findAll("nav a").forEach((e, i) =>
        i == g ? e.setAttribute("aria-current", "true")
               : e.removeAttribute("aria-current"));
    document.title = game.title;
};

const drag = e => {
    if (e.type == "pointerdown")
        e.currentTarget.setPointerCapture(e.pointerId);
    else if (!e.buttons)
        return;
    const box = e.currentTarget.getBoundingClientRect();
    const share = (e.clientX - box.left) / box.width;
    const last = game.main.length - 1;
    go(game.main[Math.max(0, Math.min(last, Math.round(share * last)))]);
};

const list = () => {
    const all = articles.length;
    if (all < 2)
        return;
    const items = articles.map((a, i) => el("li", {value: i + 1},
        el("a", {href: "#" + (i + 1) + ".0"},
           ...a.querySelector("h2").cloneNode(true).childNodes,
           el("small", {}, a.querySelector(".s").textContent))));
    const texts = items.map(e => e.textContent.toLowerCase());
    const count = el("span", {"aria-live": "polite"}, `(${all})`);
    const filter = el("input", {type: "search", "data-l": "filter"});
    // Games that have every word of it.
    filter.oninput = () => {
        const words = filter.value.toLowerCase().split(/\s+/);
        items.forEach((e, i) => {
            e.hidden = !words.every(w => texts[i].includes(w));
        });
        const n = items.filter(e => !e.hidden).length;
        count.textContent = n < all ? `(${n} / ${all})` : `(${all})`;
    };
    document.documentElement.classList.add("many");
    find("main").before(
        el("nav", {"data-l": "games"},
           el("details", innerWidth >= 1200 || !location.hash ? {open: ""} : {},
              el("summary", {}, el("span", {"data-w": "games"}), " ", count),
              ...(all > 20 ? [filter] : []), el("ol", {}, ...items))));
};

// ---- words and choices ----

const translate = () => {
    document.documentElement.lang = LANGS[chosen.lang];
    findAll("[data-w]").forEach(e => {
        e.textContent = word(e.dataset.w);
    });
    findAll("[data-l]").forEach(e => {
        e.setAttribute("aria-label", word(e.dataset.l));
        if (e.tagName == "BUTTON")
            e.title = word(e.dataset.l);
        if (e.type == "search")
            e.placeholder = word(e.dataset.l);
    });
};
const refresh = () => {
    translate();
    usePieces(chosen.pieces);
    viewer.querySelector(".han").setAttribute(
        "href", find("#base .han").getAttribute("href"));
    nameMoves(game);
    go(node);
};
const choice = (name, label, values) => {
    const select = el("select", {}, ...values.map(([value, text]) => {
        const o = el("option", {value});
        text in WORDS ? o.dataset.w = text : o.textContent = text;
        return o;
    }));
    select.value = chosen[name];
    select.onchange = () => {
        keep(name, name == "lang" ? +select.value : select.value);
        refresh();
    };
    return el("label", {}, el("span", {"data-w": label}), " ", select);
};
const choose = () => {
    const lang = navigator.language;
    const hant = articles[0].dataset.lang == "zh-Hant";
    chosen.lang = +(kept("lang") ??
        (/^zh-?(Hant|TW|HK|MO)/i.test(lang) ? 2 : /^zh/i.test(lang) ? 1 : 0));
    chosen.moves = kept("moves") ?? "";
    chosen.pieces = kept("pieces") ?? (hant ? "traditional" : "simplified");
    if (!LANGS[chosen.lang])
        chosen.lang = 0;
    if (!(chosen.pieces in SETS || chosen.pieces == "western"))
        chosen.pieces = "simplified";
    find("header").append(el("div", {class: "choices"},
        choice("lang", "language", [[0, "English"], [1, "简体中文"], [2, "繁體中文"]]),
        choice("moves", "moves", [["", "aswritten"], ["s", "简体"], ["t", "繁體"],
                                  ["w", "WXF"], ["i", "ICCS"], ["u", "UCI"]]),
        choice("pieces", "pieces", [["simplified", "简体"],
                                    ["traditional", "繁體"],
                                    ["western", "icons"]])));
};

// ---- keys and hands ----

const KEYS = {
    ArrowLeft: () => step(-1), ArrowRight: () => step(1),
    ArrowUp: () => swap(-1), ArrowDown: () => swap(1),
    Home: () => go(0), End: () => go(lastOf(node)), f: () => board.turn(),
};
document.addEventListener("keydown", e => {
    const act = KEYS[e.key];
    if (!act || !game || e.altKey || e.ctrlKey || e.metaKey || e.shiftKey ||
        e.target.closest?.("input,select,textarea"))
        return;
    setPlay(false);
    if (act() !== false) {
        e.preventDefault();
        showBoard();
    }
});
const showBoard = () => board.svg.scrollIntoView({block: "nearest"});
board.svg.onclick = e => {
    const box = board.svg.getBoundingClientRect();
    step(e.clientX < box.left + box.width / 2 ? -1 : 1);
};
slider.oninput = () => go(game.main[slider.value]);

if (articles.length) {
    addEventListener("hashchange", () => {
        follow();
        showBoard();
    });
    document.documentElement.classList.add("js");
    findAll("dt").forEach(e => {
        if (/^[A-Z]./.test(e.textContent) && e.textContent in WORDS)
            e.dataset.w = e.textContent;
    });
    choose();
    list();
    follow();
    refresh();
}
