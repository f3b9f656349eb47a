/* qipu.c - the program: finds the subcommand and hands over. */
#include "tools/cmd.h"
#include "tools/version.h"

#include "bookdb/store.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* In the order of `qipu help`: what a newcomer tries first stands first. */
static const struct cli_cmd CMDS[] = {
    {"show",
     "(--fen FEN | --moves MOVES | IN --game N --ply P) [--cycle] "
     "[--notation N] [--json] [--svg FILE]",
     "Draw a position and say what may be played in it",
     "The position is FEN's, or the one after MOVES from the start, or the "
     "one\n"
     "after MOVES from FEN, or the one after ply P of a game of the file IN.\n"
     "MOVES is one argument, moves apart by blanks, in any notation.  Red "
     "pieces\n"
     "stand in ( ), Black's in [ ].  --cycle names each move from the last\n"
     "position that occurred before back to it: check, mate threat, chase (of\n"
     "what by what), exchange offer, block, idle; exit status 1 when there is\n"
     "none.  --svg draws an image, too.",
     cmd_show},
    {"notation", "[--fen FEN] [--moves MOVES] [--to N|all] [--json] MOVE...",
     "Translate moves between notations",
     "Each MOVE is read, in whatever notation, in the position given (the\n"
     "start when none is) and printed on a line of its own.  An illegal,\n"
     "ambiguous or unreadable one is explained on stderr; the exit status is\n"
     "then 1.  Bare squares are read with ranks 0-9, or 1-10 where only those\n"
     "fit.  Before a MOVE that begins with '-', such as -C+2, write --.\n\n"
     "Notations: iccs uci uci10 wxf wxf2018 fairy san san10 chinese.",
     cmd_notation},
    {"verify",
     "[--rules none|asian|cxa] [--json] [--strict] [--input-encoding ENC] [-j "
     "N] "
     "IN...",
     "Check games: encoding, structure, every move",
     "Each IN is a file, a folder (walked in name order) or -; gzip, zstd and\n"
     "tar archives are found by content, as are GB18030, Big5, UTF-8 and\n"
     "UTF-16.  A line a fault (error) or warning, then a summary.  A game "
     "with\n"
     "an error is faulty: an illegal or unreadable move, a refused FEN, "
     "another\n"
     "game's variant.  Exit status 1 when any game is faulty.  --rules adds\n"
     "warnings: third occurrences with their verdict, and results that\n"
     "contradict the rules.",
     cmd_verify},
    {"convert",
     "[--notation N] [--script S] [--encoding ENC] [--to FORMAT] [--strict] "
     "[--repair] [-j N] IN... [-o OUT]",
     "Rewrite games in another notation, script, encoding or format",
     "Tags, comments, variations, NAGs, start positions and results survive.\n"
     "Without options: PGN in UTF-8, moves in Chinese, characters as in the\n"
     "input.  Faulty games are named on stderr and written up to the fault "
     "(in\n"
     "JSON with their problems); exit status 1 when there are any.  What the\n"
     "target cannot hold is counted in a closing line, and is an error with\n"
     "--strict.  XQF and CBF hold one game: -o names a folder, which must be "
     "new\n"
     "or empty.  Big5 takes moves in traditional characters only.\n\n"
     "--repair undoes double encoding: text that a program read in the wrong\n"
     "encoding and saved so (GBK as Latin-1, UTF-8 as GBK, ...), in tags,\n"
     "comments and moves.  It changes nothing but what it can put back "
     "exactly\n"
     "and what cannot be good text as it stands; the rest is named.  A "
     "closing\n"
     "line counts what was repaired.\n\n"
     "Notations: iccs uci uci10 wxf wxf2018 fairy san san10 chinese.",
     cmd_convert},
    {"import",
     "-d DB [--keep-faulty] [--keep-duplicates] [--quarantine FILE] "
     "IN...",
     "Add games to a database",
     "DB is created when it does not exist.  Games equal to one in the "
     "database\n"
     "(same moves, tags, comments; the order of tags aside) are left out, and "
     "so\n"
     "are faulty games, which are reported; --keep-faulty takes the moves "
     "before\n"
     "the fault.  --quarantine writes the faulty games to FILE as they were, "
     "to\n"
     "be mended and imported.  Every position of every game is indexed.  What "
     "was\n"
     "committed stays when the import is interrupted: run it again to go on.\n"
     "Exit status 1 when any game was faulty.",
     cmd_import},
    {"search",
     "-d DB... [--fen FEN | --moves MOVES] [--red NAME] [--year A-B] ...",
     "List games with a position, by players, events, years",
     "Games that reach the position, or its mirror image, in their main line\n"
     "(--variations: in a variation too), and that pass all the filters.  The\n"
     "move is the one played next, on the wing of the position asked for.\n"
     "Names match by a part of them.  Order: database, then number.  Exit\n"
     "status 1 when nothing is found.",
     cmd_search},
    {"db info", "[--json] DB", "What a database holds and what it takes up",
     "Sizes count whole pages of the file.", cmd_db_info},
    {"db check", "[--quick] [--json] DB", "Test a database for damage",
     "Reads every page and checks every checksum, then replays all games and\n"
     "compares the index with them.  The fault found first is named; exit\n"
     "status 1 then.",
     cmd_db_check},
    {"db list", "[--red NAME] [--year A-B] [--limit N] ... DB...",
     "List the games of a database", "The filters are those of search.",
     cmd_db_list},
    {"db get", "[--json] [--notation N] [-o FILE] DB ID...",
     "Print games of a database", NULL, cmd_db_get},
    {"db set", "[--remove NAME] DB ID [NAME=VALUE...]",
     "Mend the tags of a game", NULL, cmd_db_set},
    {"db delete", "DB ID...", "Take games out of a database",
     "Their numbers are not used again.  db compact gives the room back.",
     cmd_db_delete},
    {"db duplicates", "[--min-plies N] [--json] DB",
     "Name games that are probably the same",
     "Games with the same moves but other tags, mirror images, and games that\n"
     "are the beginning of another of the same players.  Nothing is changed.\n"
     "Exit status 1 when some are found.",
     cmd_db_duplicates},
    {"db export", "[--to pgn|json] [--notation N] [-o FILE] DB",
     "Write all games of a database", NULL, cmd_db_export},
    {"db compact", "[--memory SIZE] DB",
     "Rewrite a database without what was deleted",
     "Numbers of games stay.  The new file is written beside the old one, "
     "which\n"
     "it replaces when it is complete.",
     cmd_db_compact},
    {"book build", "-o BOOK [OPTION...] (-d DB... | IN...)",
     "Make an opening book out of games",
     "For each position of the games: which moves were played, in how many\n"
     "games, and how these ended.  A game counts once for a position and once\n"
     "for a move, its mirror image counts in the same places, and exact\n"
     "duplicates are counted once.  Faulty games stay out (exit status 1).",
     cmd_book_build},
    {"book add", "BOOK [OPTION...] (-d DB... | IN...)", "Add games to a book",
     "The book is replaced when the new one is complete.  Games that it has\n"
     "counted already are skipped.",
     cmd_book_add},
    {"book merge", "-o BOOK A B...", "Make one book of several",
     "Counts are added up.  Games that stand in several of the books are\n"
     "named by their number: they count more than once.",
     cmd_book_merge},
    {"book probe", "BOOK... (--fen FEN | --moves MOVES) [--json]",
     "List the moves that books know in a position",
     "Most played first.  \"games\" played the move here; \"reached\" came to\n"
     "the position after it, by any order of moves.  Rates are the mover's, "
     "of\n"
     "games with a known result.  Exit status 1: no book knows the position.",
     cmd_book_probe},
    {"book dump", "[--json] BOOK", "Print all positions of a book",
     "In the order of keys; moves as the book holds them, on the wing of the\n"
     "smaller key.  A line a position: KEY - GAMES RED DRAW BLACK UNKNOWN; a\n"
     "line a move: KEY MOVE GAMES RED DRAW BLACK UNKNOWN RATING YEAR.",
     cmd_book_dump},
    {"book info", "[--json] BOOK...", "Say what a book holds", NULL,
     cmd_book_info},
    {"book check", "[--json] BOOK...", "Look for damage in a book",
     "Every page, checksum and count.  Exit status 1: it is damaged.",
     cmd_book_check},
    {"book export", "BOOK --to FORMAT -o OUT",
     "Write a book for engines and other programs",
     "FORMAT is bookdat (ElephantEye, XQWizard), obk (BHGUI), xqb (xqbook), "
     "csv,\n"
     "json or text (a line a move: MOVE WEIGHT FEN).  A book holds keys, no\n"
     "positions: formats that need those get what a walk from the start "
     "position\n"
     "meets.  The file is read back and compared, then appears.  What the "
     "other\n"
     "format cannot hold is said, with numbers.",
     cmd_book_export},
    {"book import", "FILE... -o BOOK", "Make a book of other programs' books",
     "BOOK.DAT (ElephantEye, XQWizard), OBK (BHGUI), XQB (xqbook), CSV, JSON, "
     "text\n"
     "(MOVE WEIGHT FEN), lines of moves, Chess2.0's OpenBook.dat and .txt; "
     "told\n"
     "by content, compressed or not.  BOOK.DAT and OBK hold keys, no "
     "positions:\n"
     "they are walked from the start position and from each --fen.  Exit "
     "status\n"
     "1: records with illegal or unreadable moves were left out; 2: nothing "
     "was\n"
     "imported.  'book merge' joins the result with other books.",
     cmd_book_import},
    {"referee",
     "[--rules asian|cxa] [--lang en|zh] [--decision] [--json] "
     "(--fen FEN | --moves MOVES | IN... | --article NO)",
     "Say how games end by rule, and why",
     "Of a position with moves: mate, stalemate, a position for the third "
     "time,\n"
     "or the natural limit, whatever comes first; what each ply of the\n"
     "repetition is (check, mate threat, chase of what by what, exchange "
     "offer,\n"
     "block, idle), and the article that decides.  Of files of games: a line "
     "a\n"
     "game that a rule other than mate decides, with what the other rule set\n"
     "says where that differs; a result that the rules contradict is named,\n"
     "mate included.  --decision prints the sheet that an arbiter signs.  "
     "What\n"
     "the text of the rules does not decide gets no verdict.  --article A-30 "
     "prints\n"
     "what that article says, --article all what each says.  Exit status 0 "
     "for any\n"
     "verdict, 1 when there is no such article.",
     cmd_referee},
    {"annotate",
     "[--engine CMD] [--depth N | --nodes N | --movetime MS] [--cache FILE] "
     "[--html FILE] IN... [-o OUT]",
     "Evaluate every position of games and mark mistakes",
     "Each move gets an [%eval] in pawns or mate (#3), from Red's view; moves "
     "that\n"
     "lose winning chances get a mark and the better line as a variation: 5 "
     "points\n"
     "in a hundred an inaccuracy ($6), 10 a mistake ($2), 20 a blunder ($4). "
     " $7\n"
     "marks an only move, $146 the first one out of --book; tags tell the "
     "accuracy\n"
     "of each side.  Comments and variations of the game stay.  With nodes or "
     "depth\n"
     "the result is the same for any -j.  Another engine speaks UCI, UCCI or "
     "CECP,\n"
     "which is found by asking; when it dies or hangs it is started again, "
     "and the\n"
     "position is marked 'engine failed' (exit status 1).",
     cmd_annotate},
    {"perft",
     "--depth N [--fen FEN] [--moves MOVES] [--divide] [-j N] [--json]",
     "Count the leaves of the tree of legal moves",
     "A test of the rules: the counts of positions are known.  The last line\n"
     "is \"nodes N\".",
     cmd_perft},
    {"engine", "", "Play: the engine, on UCI or UCCI",
     "The program qipu-engine is the same.  Commands come on the standard "
     "input,\n"
     "answers go to the standard output; the first command, uci or ucci, "
     "tells\n"
     "the protocol.  A graphical program is given the path of qipu-engine; a "
     "copy or\n"
     "a link of it must have a name that begins so, as qipu-engine-old.\n"
     "\n"
     "Options of UCI: Hash, Clear Hash, Threads, MultiPV, Ponder, Move "
     "Overhead,\n"
     "UCI_ShowWDL, Repetition Rule, Natural Limit, OwnBook, Book, Book "
     "Choice.  UCCI\n"
     "has the same under other names.  qipu-engine(1) tells what they do.",
     cmd_engine},
    {"bench", "[--depth N] [-j N] [--hash SIZE] [--json]",
     "Search fixed positions and count",
     "The number of nodes is the same on every machine, with one thread: it\n"
     "tells whether a change changed the search.  Scores are those of the side "
     "to\n"
     "move, in hundredths of a pawn.  The last lines:\n"
     "  nps_clock N  nodes a second of the clock: what a busy machine gave\n"
     "  nodes N      of all positions\n"
     "  nps N        nodes a second of processor time, times the threads: the\n"
     "               speed if each had a core of its own",
     cmd_bench},
};
enum { CMD_COUNT = sizeof CMDS / sizeof *CMDS };

static void usage(FILE *f)
{
    fputs("usage: qipu COMMAND [OPTION...] [ARGUMENT...]\n"
          "       qipu help [COMMAND]\n"
          "       qipu --version\n",
          f);
}

/* The commands whose name starts with `prefix` ("" for all, "book " for one
 * family), a line each. */
static void list_commands(FILE *f, const char *prefix)
{
    for (size_t i = 0; i < CMD_COUNT; i++)
        if (strncmp(CMDS[i].name, prefix, strlen(prefix)) == 0)
            cli_printf(f, "  %-16s %s\n", CMDS[i].name, CMDS[i].summary);
}

static int help(void)
{
    fputs("qipu (\xE6\xA3\x8B\xE8\xB0\xB1) - tools for Xiangqi, Chinese "
          "chess\n\n",
          stdout);
    usage(stdout);
    cli_puts(stdout, "\nCommands:\n");
    list_commands(stdout, "");
    fputs("\nExit status: 0 done; 1 done, and something was found wrong or not "
          "found;\n2 bad usage, unreadable input or a failed write; 130 "
          "interrupted.\n",
          stdout);
    return cli_finish(CLI_OK);
}

/* The row that argv names, and in *words how many words its name has. */
static const struct cli_cmd *find(int argc, char **argv, int *words)
{
    for (size_t i = 0; i < CMD_COUNT; i++) {
        const char *name = CMDS[i].name, *space = strchr(name, ' ');
        size_t n = space ? (size_t)(space - name) : strlen(name);
        if (argc < 1 || strlen(argv[0]) != n || memcmp(argv[0], name, n) != 0)
            continue;
        if (!space) {
            *words = 1;
            return &CMDS[i];
        }
        if (argc > 1 && strcmp(argv[1], space + 1) == 0) {
            *words = 2;
            return &CMDS[i];
        }
    }
    return NULL;
}

/* "book" of "book build": fills in "book ". */
static bool is_family(const char *word, cli_buf *prefix)
{
    cli_buf_printf(prefix, "%s ", word);
    for (size_t i = 0; i < CMD_COUNT && !prefix->failed; i++)
        if (strncmp(CMDS[i].name, prefix->s, prefix->n) == 0)
            return true;
    return false;
}

/* What may have been meant, NULL for nothing like it. */
static const char *nearest(const char *text)
{
    const char *best = "help";
    size_t least = cli_distance(text, best);
    for (size_t i = 0; i < CMD_COUNT; i++) {
        size_t d = cli_distance(text, CMDS[i].name);
        if (d < least) {
            least = d;
            best = CMDS[i].name;
        }
    }
    if (cli_distance(text, "version") < least &&
        (cli_is_like(text, "version") || strcmp(text, "version") == 0))
        return "--version";
    return cli_is_like(text, best) ? best : NULL;
}

static void unknown_command(const char *text)
{
    const char *meant = nearest(text);
    if (meant)
        cli_error("unknown command '%s', did you mean '%s'?", text, meant);
    else
        cli_error("unknown command '%s'", text);
    usage(stderr);
}

static int unknown(int argc, char **argv)
{
    cli_buf prefix = {0};
    bool family = is_family(argv[0], &prefix);
    if (!family) {
        unknown_command(argv[0]);
    } else if (argc < 2) {
        cli_error("'%s' needs a second word", argv[0]);
        list_commands(stderr, prefix.s);
    } else {
        cli_buf_puts(&prefix, argv[1]);
        unknown_command(prefix.failed ? argv[1] : prefix.s);
    }
    cli_buf_free(&prefix);
    return CLI_FAIL;
}

static bool is_help(const char *word)
{
    return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 ||
           strcmp(word, "-h") == 0;
}

static int unexpected(const char *word)
{
    cli_error("unexpected argument '%s'", word);
    usage(stderr);
    return CLI_FAIL;
}

static int cmd_help(int argc, char **argv)
{
    if (argc == 0 || (argc == 1 && is_help(argv[0])))
        return help();
    if (argv[0][0] == '-')
        return unexpected(argv[0]);
    int words;
    const struct cli_cmd *cmd = find(argc, argv, &words);
    if (cmd && argc > words)
        return unexpected(argv[words]);
    if (cmd) {
        char flag[] = "--help";
        char *args[] = {flag, NULL};
        return cmd->run(cmd, 1, args);
    }
    cli_buf prefix = {0};
    bool family = argc == 1 && is_family(argv[0], &prefix);
    if (family)
        list_commands(stdout, prefix.s);
    cli_buf_free(&prefix);
    return family ? cli_finish(CLI_OK) : unknown(argc, argv);
}

/* A program started with 0, 1 or 2 closed would get them back as the numbers
 * of its files, and print into a database.  Fill the gaps, the wrong way round
 * so that using them still fails. */
static void fill_standard_files(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) == -1 &&
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
            _exit(CLI_FAIL);
}

static void on_lost_file(const char *path)
{
    cli_error(
        "'%s' is damaged: 'qipu db check' or 'qipu book check' says where",
        path);
    _exit(CLI_FAIL);
}

/* A database or book was cut short while it was mapped, after it was last
 * looked at (bk_store_whole): there is nothing to go back to. */
static void on_bus_error(int sig, siginfo_t *info, void *context)
{
    static const char SAYS[] = "qipu: a database, book or cache was cut short "
                               "while it was being read\n";
    (void)context;
    if (info->si_code == BUS_ADRERR &&
        write(STDERR_FILENO, SAYS, sizeof SAYS - 1) > 0)
        _exit(CLI_FAIL);
    signal(sig, SIG_DFL); /* some fault of ours: it happens again, and kills */
}

static void catch_bus_errors(void)
{
    struct sigaction a = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};
    sigemptyset(&a.sa_mask);
    (void)sigaction(SIGBUS, &a, NULL);
}

/* Graphical programs start an engine by its path, without arguments: the
 * program is then called qipu-engine. */
static bool is_engine(const char *path)
{
    const char *const slash = strrchr(path, '/');
    const char *const name = slash ? slash + 1 : path;
    return strncmp(name, "qipu-engine", 11) == 0;
}

int main(int argc, char **argv)
{
    bk_on_lost_file = on_lost_file;
    catch_bus_errors();
    fill_standard_files();
    /* A limit on the size of files shall be an error like a full disk: the
     * signal would kill before anything is said or cleaned up. */
    signal(SIGXFSZ, SIG_IGN);
    if (argc > 0 && is_engine(argv[0])) {
        if (argc < 2 || strcmp(argv[1], "--version") != 0) {
            int words;
            char name[] = "engine";
            char *args[] = {name, NULL};
            const struct cli_cmd *const cmd = find(1, args, &words);
            return cmd->run(cmd, argc - 1, argv + 1);
        }
    }
    if (argc < 2) {
        usage(stderr);
        return CLI_FAIL;
    }
    argc--;
    argv++;
    if (strcmp(argv[0], "--version") == 0) {
        if (argc > 1)
            return unexpected(argv[1]);
        cli_puts(stdout, "qipu " QIPU_VERSION "\n");
        return cli_finish(CLI_OK);
    }
    if (is_help(argv[0]))
        return cmd_help(argc - 1, argv + 1);
    if (argv[0][0] == '-' && argv[0][1]) {
        static const char *const KNOWN[] = {"--help", "--version"};
        const char *meant = NULL;
        for (size_t i = 0; i < 2; i++)
            if (cli_is_like(argv[0], KNOWN[i]))
                meant = KNOWN[i];
        if (meant)
            cli_error("unknown option '%s', did you mean '%s'?", argv[0],
                      meant);
        else
            cli_error("unknown option '%s'", argv[0]);
        usage(stderr);
        return CLI_FAIL;
    }
    int words;
    const struct cli_cmd *cmd = find(argc, argv, &words);
    if (!cmd)
        return unknown(argc, argv);
    return cmd->run(cmd, argc - words, argv + words);
}
