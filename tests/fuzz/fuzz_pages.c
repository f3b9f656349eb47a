/* fuzz_pages.c - any bytes as an LMDB file: the walker ends, and what it hands
 * out can be read to the last byte. */
#include "bookdb/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static volatile uint8_t sink;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    char path[40];
    bk_pages *w;
    bk_page_item it;
    xq_err err = {0};
    xq_status rc;
    int fd = memfd_create("pages", MFD_CLOEXEC);
    if (fd < 0 || n > 1 << 20 || write(fd, data, n) != (ssize_t)n)
        goto out;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    rc = bk_pages_open(&w, path, &err);
    if (rc == XQ_OK) {
        uint64_t items = 0, pages, entries;
        while ((rc = bk_pages_next(w, &it, &err)) == XQ_OK) {
            uint8_t sum = (uint8_t)it.db[0];
            for (size_t i = 0; i < it.nkey; i++)
                sum ^= it.key[i];
            for (size_t i = 0; i < it.nvalue; i++)
                sum ^= it.value[i];
            sink = sum;
            if (++items > n) /* each value takes a byte at least */
                abort();
        }
        if (rc != XQ_DONE && bk_pages_next(w, &it, NULL) == XQ_OK)
            abort(); /* it goes on after a fault */
        bk_pages_count(w, "free", &pages, &entries);
        bk_pages_close(w);
    }
    if (rc < 0 && !err.msg[0])
        abort();
out:
    if (fd >= 0)
        close(fd);
    return 0;
}
