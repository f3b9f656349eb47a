/* mkbookdat.c - writes the key constants of BOOK.DAT (formats reference 5.1).
 *
 * RC4, keyed with four zero bytes, nothing thrown away; a number is four of
 * its bytes, least significant first; an item is three numbers: key, lock0,
 * lock1.  Drawn are: the item of the side, then one for each piece (Red K A B
 * N R C P, then Black) and each of the 256 squares of the 16 x 16 board on
 * which ElephantEye keeps its 9 x 10 one.  What is printed are the locks of
 * the 90 squares in our order. */
#include <stdint.h>
#include <stdio.h>

static uint8_t box[256];
static unsigned at_i, at_j;

static uint8_t next_byte(void)
{
    at_i = (at_i + 1) & 255;
    at_j = (at_j + box[at_i]) & 255;
    const uint8_t t = box[at_i];
    box[at_i] = box[at_j];
    box[at_j] = t;
    return box[(box[at_i] + box[at_j]) & 255];
}

static uint32_t next_number(void)
{
    uint32_t v = 0;
    for (unsigned k = 0; k < 4; k++)
        v |= (uint32_t)next_byte() << (8 * k);
    return v;
}

struct item {
    uint32_t key, lock0, lock1;
};

static struct item next_item(void)
{
    struct item i;
    i.key = next_number();
    i.lock0 = next_number();
    i.lock1 = next_number();
    return i;
}

int main(void)
{
    static struct item table[14][256];
    for (unsigned i = 0; i < 256; i++)
        box[i] = (uint8_t)i;
    for (unsigned i = 0, j = 0; i < 256; i++) {
        j = (j + box[i]) & 255; /* the key's bytes are all 0 */
        const uint8_t t = box[i];
        box[i] = box[j];
        box[j] = t;
    }
    const struct item side = next_item();
    for (unsigned p = 0; p < 14; p++)
        for (unsigned s = 0; s < 256; s++)
            table[p][s] = next_item();
    printf("/* Written by bookdb/mkbookdat.c. */\n"
           "#define BOOKDAT_BLACK_LOCK0 0x%08xu\n"
           "#define BOOKDAT_BLACK_LOCK1 0x%08xu\n"
           "static const uint32_t LOCKS[14][90][2] = {\n",
           (unsigned)side.lock0, (unsigned)side.lock1);
    for (unsigned p = 0; p < 14; p++) {
        printf("    {\n");
        for (unsigned s = 0; s < 90; s++) {
            const unsigned file = s % 9, rank = s / 9;
            const struct item *i = &table[p][(12 - rank) * 16 + file + 3];
            printf("        {0x%08xu, 0x%08xu},\n", (unsigned)i->lock0,
                   (unsigned)i->lock1);
        }
        printf("    },\n");
    }
    printf("};\n");
    return 0;
}
