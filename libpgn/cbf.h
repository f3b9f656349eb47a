/* cbf.h - the head of a CBF, which its reader and its writer share. */
#ifndef PGN_CBF_H
#define PGN_CBF_H

struct pgn_cbf_field {
    const char *element, *tag; /* tag NULL: no tag is kept in it */
};

/* In the order of the file. */
extern const struct pgn_cbf_field pgn_cbf_fields[];
extern const unsigned pgn_cbf_nfields;

#endif
