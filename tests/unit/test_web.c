/* test_web.c - strangers' text in pages, and what the pages are made of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/buf_util.h"
#include "tools/svg.h"
#include "tools/web.h"

#include <string.h>

static void no_text_leaves_its_element_or_attribute(void **state)
{
    static const struct {
        const char *in, *want;
    } T[] = {
        {"", ""},
        {"炮二平五", "炮二平五"},
        {"<img src=x onerror=\"a('b')\">",
         "&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;"},
        {"</script><!--", "&lt;/script&gt;&lt;!--"},
        {"a & b &amp;", "a &amp; b &amp;amp;"},
        {"\t\r\n", "\t\r\n"},
        {"\x01\x1b[2J\x7f", "\uFFFD\uFFFD[2J\uFFFD"},
        {"\xC2\x9B", "\uFFFD"},         /* a C1 control */
        {"\xEF\xBF\xBE", "\uFFFD"},     /* U+FFFE */
        {"\xEF\xBF\xBD", "\uFFFD"},     /* one that was there */
        {"\xF0\x9F\xBF\xBF", "\uFFFD"}, /* U+1FFFF */
        {"\xFFx\xC0\xAF\xE7\x82", "\uFFFDx\uFFFD\uFFFD\uFFFD\uFFFD"},
        {"\xE2\x80\xAE", "\xE2\x80\xAE"}, /* bidi: the element isolates it */
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++)
        check_text(web_html, T[i].in, strlen(T[i].in), T[i].want);
    check_text(web_html, "a\0b", 3, "a\uFFFDb");
    check_text(web_html, NULL, 0, "");
}

/* '<' opens both ends of a script element and the comments in it that hide
 * them; in JSON it stands in strings only. */
static void json_cannot_end_the_script_around_it(void **state)
{
    static const char *const T[][2] = {
        {"{\"a\":\"</script>\"}", "{\"a\":\"\\u003c/script>\"}"},
        {"[\"<!--<script>\"]", "[\"\\u003c!--\\u003cscript>\"]"},
        {"[1]", "[1]"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++)
        check_text(web_json, T[i][0], strlen(T[i][0]), T[i][1]);
}

static void every_piece_of_every_set_has_its_shape(void **state)
{
    (void)state;
    for (int set = SVG_SIMPLIFIED; set <= SVG_WESTERN; set++)
        for (int p = 1; p < 16; p++) {
            if (p == 8)
                continue;
            const char *name = svg_shape_name((svg_set)set, (xq_piece)p);
            if (!web_shape_find(name))
                fail_msg("piece %d of set %d: no shape '%s'", p, set, name);
        }
    assert_null(web_shape_find("x0"));
    size_t n = 0;
    while (web_shape_at(n))
        n++;
    assert_null(web_shape_at(n + 1));
}

/* What a drawing refers to is in it: nothing is looked for elsewhere. */
static void a_drawing_is_complete(void **state)
{
    xq_pos p;
    (void)state;
    xq_pos_start(&p);
    for (int set = SVG_SIMPLIFIED; set <= SVG_WESTERN; set++) {
        cli_buf b = {0};
        svg_file(&b, &p, (svg_set)set, XQ_NOMOVE);
        assert_false(b.failed);
        assert_null(strstr(b.s, "url("));
        for (const char *s = b.s; (s = strstr(s, "href=\"")) != NULL;) {
            char id[40];
            s += 6;
            assert_int_equal(*s, '#');
            snprintf(id, sizeof id, " id=\"%.*s\"", (int)strcspn(s + 1, "\""),
                     s + 1);
            if (!strstr(b.s, id))
                fail_msg("set %d: nothing has%s", set, id);
        }
        cli_buf_free(&b);
    }
}

/* Inside a page neither of ours may close its own element, nor may a style
 * fetch anything. */
static void our_texts_may_stand_in_a_page(void **state)
{
    cli_buf css = {0}, js = {0};
    (void)state;
    web_text_add(&css, &web_css);
    web_text_add(&js, &web_js);
    assert_null(strstr(css.s, "</"));
    assert_null(strstr(css.s, "url("));
    assert_null(strstr(css.s, "@import"));
    assert_null(strstr(js.s, "</"));
    assert_null(strstr(js.s, "<!--"));
    assert_null(strstr(js.s, "innerHTML"));
    assert_int_equal(strlen(web_css.hash), strlen("sha256-") + 44);
    assert_int_equal(strncmp(web_js.hash, "sha256-", 7), 0);
    cli_buf_free(&css);
    cli_buf_free(&js);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_text_leaves_its_element_or_attribute),
        cmocka_unit_test(json_cannot_end_the_script_around_it),
        cmocka_unit_test(every_piece_of_every_set_has_its_shape),
        cmocka_unit_test(a_drawing_is_complete),
        cmocka_unit_test(our_texts_may_stand_in_a_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
