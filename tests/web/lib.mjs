// lib.mjs - opens pages of games in Chromium, and fails on what no page may do.
import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {pathToFileURL} from "node:url";
import assert from "node:assert/strict";
import {chromium} from "playwright-core";

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
export const {QIPU, DATA, OUT} = process.env;

// A page of the games in a file (or of a text), written into OUT.
export const makePage = (name, source, ...more) => {
    const path = `${OUT}/${name}.html`;
    // faulty games are part of what is tested: status 1
    try {
        execFileSync(QIPU, ["convert", "--quiet", "--to", "html", "-o", path,
                            ...more, source]);
    } catch (e) {
        if (e.status != 1)
            throw e;
    }
    return path;
};

let browser = null;
export const start = async () => {
    browser = await chromium.launch({
        executablePath: process.env.CHROMIUM,
        args: ["--no-sandbox", "--disable-gpu", "--disable-quic",
               "--no-first-run", "--disable-background-networking",
               "--disable-component-update", "--disable-sync"]});
};
export const stop = () => browser.close();

// A tab; check() at the end: nothing was asked for but the file itself, and
// nothing was said on the console.
export const open = async (path, options = {}) => {
    const {hash = "", ...context} = options;
    const tab = await browser.newContext({
        viewport: {width: 1200, height: 900}, reducedMotion: "reduce",
        locale: "en-GB", ...context});
    const page = await tab.newPage();
    const trouble = [];
    const url = pathToFileURL(path).href;
    page.on("console", m => trouble.push("console: " + m.text()));
    page.on("pageerror", e => trouble.push("error: " + e.message));
    page.on("dialog", d => {
        trouble.push("dialog: " + d.message());
        d.dismiss();
    });
    page.on("request", r => {
        if (r.url().split("#")[0] != url && r.url() != "data:,")
            trouble.push("request: " + r.url());
    });
    await page.goto(url + hash);
    const check = async () => {
        await tab.close();
        assert.deepEqual(trouble, []);
    };
    return {page, check};
};

// The board as its table tells it: ten rows, FEN letters, '.' for nothing.
const LETTER = {king: "k", advisor: "a", elephant: "b", horse: "n", rook: "r",
                cannon: "c", soldier: "p"};
export const boardOf = async page => {
    const rows = await page.locator(".sr tr").evaluateAll(all =>
        all.slice(1).map(tr => [...tr.querySelectorAll("td")].map(
            td => td.textContent)));
    return rows.map(row => row.map(text => {
        const [side, piece] = text.split(" ");
        return !piece ? "." : side == "red" ? LETTER[piece].toUpperCase()
                                            : LETTER[piece];
    }).join("")).join("/");
};

// What a FEN's board looks like there.
export const fenBoard = fen => fen.split(" ")[0].replace(
    /\d/g, n => ".".repeat(+n));

// The board after moves, by the program itself.
export const boardAfter = moves => {
    const json = execFileSync(QIPU, ["show", "--quiet", "--json", "--moves",
                                     moves]);
    return fenBoard(JSON.parse(json).fen);
};

export const axe = async page => {
    await page.evaluate(AXE);
    const found = await page.evaluate(() => window.axe.run(document, {
        runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa",
                  "best-practice"]}));
    return found.violations.map(v => `${v.id}: ` +
        v.nodes.map(n => n.target + " " + (n.any[0]?.message ?? "")).join("; "));
};
