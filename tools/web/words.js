// words.js - what the page says: English, simplified Chinese, and traditional
// where exchanging characters (MORE) does not give that.
const WORDS = {
    aswritten: ["As written", "原文"],
    accuracy: ["Accuracy", "准确率"],
    black: ["Black", "黑方"],
    board: ["Board", "棋盘"],
    check: ["check", "将军"],
    filter: ["Filter", "筛选"],
    first: ["Start", "开局"],
    game: ["Game", "对局"],
    games: ["Games", "对局列表"],
    graph: ["Red's chances by ply", "红方胜率"],
    helpgraph: ["+0.35: pawns that Red is ahead; #3: Red mates in 3 moves; 54%: the share of the point that Red can expect, a draw being half. The graph draws this share: 100% at the top, 50% at the broken line.", "+0.35：红方领先的兵数；#3：红方三步内成杀；54%：红方预期得分率，和棋算一半。曲线即此值：顶端为100%，虚线为50%。"],
    helpkeys: ["← → a move, ↑ ↓ another line, Home End, f: turn the board", "← → 着法，↑ ↓ 变着，Home End 首尾，f 翻转棋盘"],
    helpsigns: ["?! inaccuracy, ? mistake, ?? blunder, □ only move", "?! 缓着，? 失误，?? 败着，□ 唯一着"],
    icons: ["Icons", "图案"],
    help: ["Signs and keys", "符号与按键"],
    language: ["Language", "语言"],
    last: ["End", "终局"],
    m2: ["Mistakes", "失误"],
    m4: ["Blunders", "败着"],
    m6: ["Inaccuracies", "缓着"],
    mate: ["mate", "将死"],
    matein: ["mates in", "绝杀，步数"],
    moves: ["Moves", "着法"],
    next: ["Next move", "下一着"],
    nextm: ["Next mistake", "下一失误"],
    pieces: ["Pieces", "棋子"],
    play: ["Play", "自动播放"],
    ply: ["ply", "着"],
    prev: ["Previous move", "上一着"],
    prevm: ["Previous mistake", "上一失误"],
    red: ["Red", "红方"],
    stalemate: ["stalemate", "困毙"],
    start: ["Start position", "开局"],
    tags: ["All that is known of the game", "对局信息"],
    takes: ["takes", "吃"],
    turn: ["Turn the board", "翻转棋盘"],
    vars: ["Moves here", "此处着法"],
    // tags
    RedAccuracy: ["Red's accuracy", "红方准确率"],
    BlackAccuracy: ["Black's accuracy", "黑方准确率"],
    Event: ["Event", "赛事"],
    Site: ["Site", "地点"],
    Date: ["Date", "日期"],
    Round: ["Round", "轮次"],
    Red: ["Red", "红方"],
    Black: ["Black", "黑方"],
    Result: ["Result", "结果"],
    Annotator: ["Annotator", "评注"],
};
// A text with each first of these pairs of characters replaced by the second.
const exchange = (text, pairs) => {
    const to = {}, all = [...pairs];
    for (let i = 0; i < all.length; i += 2)
        to[all[i]] = all[i + 1];
    return [...text].map(c => to[c] || c).join("");
};
const MORE =
    "准準确確盘盤将將军軍筛篩选選开開对對红紅胜勝领領数數内內杀殺预預线線顶頂" +
    "为為虚虛变變转轉缓緩误誤败敗图圖号號与與键鍵语語终終绝絕动動毙斃处處赛賽" +
    "点點轮輪结結评評注註";
const LANGS = ["en", "zh-Hans", "zh-Hant"];

// What the reader chose.  A page from disk may have no storage.
const chosen = {lang: 0, moves: "", pieces: "simplified"};
const keep = (name, value) => {
    chosen[name] = value;
    try { localStorage.setItem("qipu-" + name, value); } catch { /* none */ }
};
const kept = name => {
    try { return localStorage.getItem("qipu-" + name); } catch { return null; }
};
const word = key => {
    const [en, zh] = WORDS[key];
    return !chosen.lang ? en : chosen.lang < 2 ? zh : exchange(zh, MORE);
};
