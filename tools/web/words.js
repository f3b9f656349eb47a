// words.js - what the page says: English, simplified, traditional Chinese.
const WORDS = {
    aswritten: ["As written", "原文", "原文"],
    accuracy: ["Accuracy", "准确率", "準確率"],
    black: ["Black", "黑方", "黑方"],
    board: ["Board", "棋盘", "棋盤"],
    check: ["check", "将军", "將軍"],
    first: ["Start", "开局", "開局"],
    game: ["Game", "对局", "對局"],
    games: ["Games", "对局列表", "對局列表"],
    graph: ["Red's chances by ply", "红方胜率", "紅方勝率"],
    icons: ["Icons", "图案", "圖案"],
    language: ["Language", "语言", "語言"],
    last: ["End", "终局", "終局"],
    m2: ["Mistakes", "失误", "失誤"],
    m4: ["Blunders", "败着", "敗着"],
    m6: ["Inaccuracies", "缓着", "緩着"],
    mate: ["mate", "将死", "將死"],
    matein: ["mates in", "绝杀，步数", "絕殺，步數"],
    moves: ["Moves", "着法", "着法"],
    next: ["Next move", "下一着", "下一着"],
    nextm: ["Next mistake", "下一失误", "下一失誤"],
    pieces: ["Pieces", "棋子", "棋子"],
    play: ["Play", "自动播放", "自動播放"],
    ply: ["ply", "着", "着"],
    prev: ["Previous move", "上一着", "上一着"],
    prevm: ["Previous mistake", "上一失误", "上一失誤"],
    red: ["Red", "红方", "紅方"],
    stalemate: ["stalemate", "困毙", "困斃"],
    start: ["Start position", "开局", "開局"],
    tags: ["All that is known of the game", "对局信息", "對局信息"],
    takes: ["takes", "吃", "吃"],
    turn: ["Turn the board", "翻转棋盘", "翻轉棋盤"],
    vars: ["Moves here", "此处着法", "此處着法"],
    // pieces, by their letters in FEN
    k: ["black king", "将", "將"], K: ["red king", "帅", "帥"],
    a: ["black advisor", "士", "士"], A: ["red advisor", "仕", "仕"],
    b: ["black elephant", "象", "象"], B: ["red elephant", "相", "相"],
    n: ["black horse", "黑马", "黑馬"], N: ["red horse", "红马", "紅馬"],
    r: ["black rook", "黑车", "黑車"], R: ["red rook", "红车", "紅車"],
    c: ["black cannon", "黑炮", "黑砲"], C: ["red cannon", "红炮", "紅炮"],
    p: ["black soldier", "卒", "卒"], P: ["red soldier", "兵", "兵"],
};
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
const word = key => WORDS[key][chosen.lang];
