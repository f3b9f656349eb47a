/* cmd.h - the subcommands, one a file; the dispatch table is in qipu.c. */
#ifndef CMD_H
#define CMD_H

#include "tools/cli.h"

int cmd_annotate(const struct cli_cmd *self, int argc, char **argv);
int cmd_bench(const struct cli_cmd *self, int argc, char **argv);
int cmd_book_add(const struct cli_cmd *self, int argc, char **argv);
int cmd_book_build(const struct cli_cmd *self, int argc, char **argv);
int cmd_book_check(const struct cli_cmd *self, int argc, char **argv);
int cmd_book_dump(const struct cli_cmd *self, int argc, char **argv);
int cmd_book_export(const struct cli_cmd *self, int argc, char **argv);
int cmd_book_import(const struct cli_cmd *self, int argc, char **argv);
int cmd_book_info(const struct cli_cmd *self, int argc, char **argv);
int cmd_book_merge(const struct cli_cmd *self, int argc, char **argv);
int cmd_book_probe(const struct cli_cmd *self, int argc, char **argv);
int cmd_convert(const struct cli_cmd *self, int argc, char **argv);
int cmd_db_check(const struct cli_cmd *self, int argc, char **argv);
int cmd_db_compact(const struct cli_cmd *self, int argc, char **argv);
int cmd_db_delete(const struct cli_cmd *self, int argc, char **argv);
int cmd_db_duplicates(const struct cli_cmd *self, int argc, char **argv);
int cmd_db_export(const struct cli_cmd *self, int argc, char **argv);
int cmd_db_get(const struct cli_cmd *self, int argc, char **argv);
int cmd_db_info(const struct cli_cmd *self, int argc, char **argv);
int cmd_db_list(const struct cli_cmd *self, int argc, char **argv);
int cmd_db_set(const struct cli_cmd *self, int argc, char **argv);
int cmd_engine(const struct cli_cmd *self, int argc, char **argv);
int cmd_import(const struct cli_cmd *self, int argc, char **argv);
int cmd_notation(const struct cli_cmd *self, int argc, char **argv);
int cmd_perft(const struct cli_cmd *self, int argc, char **argv);
int cmd_referee(const struct cli_cmd *self, int argc, char **argv);
int cmd_search(const struct cli_cmd *self, int argc, char **argv);
int cmd_show(const struct cli_cmd *self, int argc, char **argv);
int cmd_verify(const struct cli_cmd *self, int argc, char **argv);

#endif
