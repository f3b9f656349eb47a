/* replay.c - run a fuzz target over files without a fuzzer.
 *
 *   replay_X FILE...
 *
 * Each file is read into memory of exactly its size, so that sanitizers see
 * every byte read too many.  The empty input is always tried first. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static uint8_t *slurp(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    uint8_t *data = NULL;
    long size = -1;
    if (fseek(f, 0, SEEK_END) == 0)
        size = ftell(f);
    if (size >= 0 && fseek(f, 0, SEEK_SET) == 0)
        data = malloc(size ? (size_t)size : 1);
    if (data && fread(data, 1, (size_t)size, f) != (size_t)size) {
        free(data);
        data = NULL;
    }
    fclose(f);
    *n = data ? (size_t)size : 0;
    return data;
}

int main(int argc, char **argv)
{
    uint8_t none[1] = {0};
    LLVMFuzzerTestOneInput(none, 0);
    for (int i = 1; i < argc; i++) {
        size_t n;
        uint8_t *data = slurp(argv[i], &n);
        if (!data) {
            fprintf(stderr, "%s: cannot read\n", argv[i]);
            return 1;
        }
        /* Printed before: a crash is then known by its file. */
        printf("%s\n", argv[i]);
        fflush(stdout);
        LLVMFuzzerTestOneInput(data, n);
        free(data);
    }
    return 0;
}
