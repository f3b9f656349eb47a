/* split.h - cut files into segments of whole games, for several threads.
 *
 *   pgn_split_open(&sp, paths, npaths, PGN_ENC_AUTO, &err);
 *   while (pgn_split_next(sp, &seg, &err) != XQ_DONE)
 *       ...hand seg to a worker:
 *           pgn_reader_load(r, &seg);
 *           while (pgn_reader_next(r, &game, &err) == XQ_OK) ...
 *   pgn_segment_free(&seg);
 *   pgn_split_close(sp);
 *
 * Cutting is cheap (a search for '['), reading is not: one thread at a time
 * calls pgn_split_next (under the caller's lock) and reads its segment alone.
 *
 * Where a segment may end.  In PGN at a *hard boundary*: a line that begins
 * like a tag ('[', a name of letters, digits and '_' that begins with a
 * letter, blanks, '"'), behind at least one blank line (breaks and blanks
 * only), behind a line that does not begin with '['.  Byte order marks of
 * UTF-8 at the beginning of a line are overlooked.  Such a line begins a new
 * game whatever stood before it, even inside a comment that was never closed;
 * the reader follows the same rule, so that what is read does not depend on
 * where the cuts fall.  (The rule looks at raw bytes: no trail byte of GBK
 * or Big5 is a line break.)  JSON is cut before a '{' in the first column, a
 * library of CCBridge before each record, other texts as text_kinds.h says;
 * other binary kinds never.  A member without any boundary becomes one
 * segment, up to PGN_GAME_MAX; where none has come for 4 MiB, a *soft* one is
 * taken (boundary.h): collections without blank lines between the games, or
 * without lines, do not pile up in memory, and only a comment of that length
 * with games inside is torn.  Line breaks are LF, CR LF, CR CR LF and lone CR.
 */
#ifndef PGN_SPLIT_H
#define PGN_SPLIT_H

#include "libpgn/source.h"
#include "libpgn/text.h"

/* Safety limit: the text of one game, in bytes.  Far beyond any real one. */
#define PGN_GAME_MAX (UINT64_C(256) << 20)

typedef enum pgn_format {
    PGN_FMT_UNKNOWN = 0,
    PGN_FMT_PGN,
    PGN_FMT_JSON,
    /* binary and XML: sniff.h */
    PGN_FMT_XQF,
    PGN_FMT_CBR, /* CCBridge: a record or a library of records */
    PGN_FMT_CBL, /* the older, packed library */
    PGN_FMT_CBF,
    PGN_FMT_PFC,
    PGN_FMT_CHE,
    PGN_FMT_CHN, /* XQI too */
    PGN_FMT_CCM,
    PGN_FMT_MXQ,
    PGN_FMT_XGF,
    PGN_FMT_XQR,
    PGN_FMT_DHTMLXQ, /* these six: text_kinds.h */
    PGN_FMT_WXF,
    PGN_FMT_MOVES,
    PGN_FMT_CSV,
    PGN_FMT_FENS,
    PGN_FMT_SCORE,
} pgn_format;

typedef struct pgn_segment {
    char *name;     /* of the file or member; NUL-terminated */
    uint64_t index; /* running number of the segment, from 0 */
    uint64_t file;  /* running number of the member, from 0 */
    uint8_t *bytes;
    size_t n;
    uint64_t byte0;   /* offset of bytes[0] in the unpacked member */
    uint64_t line0;   /* line breaks before it */
    bool first, last; /* of its member */
    bool named;       /* by the user: found in no folder or archive */
    pgn_format format;
    pgn_encoding encoding; /* judged for the member, from its head */
    size_t bytes_cap, name_cap;
    char *head; /* of a CSV file: its header row as UTF-8, NUL-terminated; else
                   NULL */
} pgn_segment;

void pgn_segment_free(pgn_segment *seg);

typedef struct pgn_split pgn_split;

/* Operands as users give them: files, "-", folders (walked recursively, in
 * byte order of names, files of unknown kind passed over).  The paths are
 * copied. */
xq_status pgn_split_open(pgn_split **sp, const char *const *paths, size_t n,
                         pgn_encoding encoding, xq_err *err);
/* The same over memory, for tests: one member. */
xq_status pgn_split_open_mem(pgn_split **sp, const char *name,
                             const void *bytes, size_t n, pgn_encoding encoding,
                             xq_err *err);

/* Cut after about `bytes` instead of 1 MiB, where games allow: tests cut small
 * files everywhere. */
void pgn_split_size(pgn_split *sp, size_t bytes);

/* Judge what a text is as it will read when it is repaired (repair.h): for
 * readers that do so. */
void pgn_split_repair(pgn_split *sp);

/* The next segment, into buffers that *seg owns and reuses (zero-initialise
 * it first).
 *
 * XQ_OK    a segment.
 * XQ_DONE  no more operands.
 * XQ_EIO, XQ_ESYNTAX, XQ_ELIMIT  this operand could not be read (further):
 *          *err says why, seg->name names it; call again for the next one.
 *          A file given as operand whose kind cannot be told is XQ_ESYNTAX;
 *          in folders and archives such files are passed over (see
 *          pgn_split_skipped), and one has to show more than a bare move to
 *          be taken for games, unless its name says so (suffix.h).
 * XQ_ENOMEM */
xq_status pgn_split_next(pgn_split *sp, pgn_segment *seg, xq_err *err);

/* Files of unknown kind that were passed over so far.  The first one: its
 * name, NULL when there is none, lives as long as the splitter; `before`: how
 * many members were handed out before it. */
typedef struct pgn_skipped {
    uint64_t n, before;
    const char *first;
} pgn_skipped;
pgn_skipped pgn_split_skipped(const pgn_split *sp);

/* For progress: packed bytes consumed of all operands, and their total size
 * (0 when unknown). */
uint64_t pgn_split_consumed(const pgn_split *sp);
uint64_t pgn_split_total(const pgn_split *sp);

/* The same, where folders are among the operands: their files' sizes are
 * added up, which takes a call for each file; so ask once, before the first
 * segment, and only when somebody watches.  0 when there are pipes. */
uint64_t pgn_split_measure(const pgn_split *sp);

void pgn_split_close(pgn_split *sp);

#endif
