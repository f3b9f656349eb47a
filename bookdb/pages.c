/* pages.c - walk an LMDB file page by page, by pread, trusting nothing. */
#include "bookdb/internal.h"

xq_status bk_pages_whole(const char *path, xq_err *err)
{
    return xq_fail(err, XQ_ECORRUPT, "'%s' is cut short", path);
}
