# qipu: build, test and measure.  `make help` lists the targets.
#
# One Makefile, no recursion.  Every variant builds in build/VARIANT, so that
# switching never needs a clean; header dependencies come from -MMD -MP.

CC       ?= cc
CLANG    ?= clang
VARIANT  ?= release
B        := build/$(VARIANT)

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
        -Wmissing-prototypes -Wwrite-strings -Wpointer-arith -Wvla \
        -Wformat=2 -Wundef
CPPFLAGS += -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -I. -I$(B)/gen
CFLAGS_release  := -O2 -g
CFLAGS_werror   := -O2 -g -Werror
CFLAGS_clang    := -O2 -g -Werror
CFLAGS_asan     := -O1 -g -fsanitize=address,undefined \
                   -fno-sanitize-recover=all -fno-omit-frame-pointer
CFLAGS_tsan     := -O1 -g -fsanitize=thread
CFLAGS_fuzz     := -O1 -g -fsanitize=fuzzer-no-link,address,undefined \
                   -fno-sanitize-recover=all
ALL_CFLAGS := -std=c11 $(WARN) $(CFLAGS_$(VARIANT)) $(CFLAGS) -MMD -MP
LDLIBS   := -llmdb -larchive -lzstd -lz -lpthread -lm

ENGINE := $(patsubst %.c,$(B)/%.o,$(filter-out engine/mk%.c,$(wildcard engine/*.c)))
LIBPGN := $(patsubst %.c,$(B)/%.o,$(wildcard libpgn/*.c))
BOOKDB := $(patsubst %.c,$(B)/%.o,$(wildcard bookdb/*.c))
TOOLS  := $(patsubst %.c,$(B)/%.o,$(wildcard tools/*.c))
LIBS   := $(BOOKDB) $(LIBPGN) $(ENGINE)
UNIT   := $(patsubst tests/unit/%.c,$(B)/tests/unit/%,$(wildcard tests/unit/test_*.c))

.PHONY: all
all: build/qipu

# ---- tables of the engine, written by a program of the build machine ----
# It never sees the variant's flags: sanitizers and cross compilers do not
# matter to it.
HOSTCC   ?= cc
$(B)/mktables: engine/mktables.c engine/internal.h engine/rules.h \
               engine/pos.h engine/base.h engine/key.h
	@mkdir -p $(@D)
	$(HOSTCC) -std=c11 -O1 $(WARN) -I. -o $@.tmp $<
	mv $@.tmp $@

$(B)/gen/engine_tables.inc: $(B)/mktables
	@mkdir -p $(@D)
	$< >$@.tmp
	mv $@.tmp $@

$(B)/engine/tables.o: $(B)/gen/engine_tables.inc

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c -o $@ $<

$(B)/libqipu.a: $(LIBS)
	@rm -f $@
	ar rcs $@ $^

$(B)/qipu: $(TOOLS) $(B)/libqipu.a
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(LDLIBS)

build/qipu: build/release/qipu
	cp $< $@.tmp && mv $@.tmp $@

# ---- tests: one program a file in tests/unit ----
$(B)/tests/unit/%: tests/unit/%.c $(B)/libqipu.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -o $@ $< $(B)/libqipu.a -lcmocka $(LDLIBS)

.PHONY: unit
unit: $(UNIT)
	@for t in $(UNIT); do $$t || exit 1; done

# ---- benches: one program a file in tests/bench ----
$(B)/tests/bench/%: tests/bench/%.c $(B)/libqipu.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -o $@ $< $(B)/libqipu.a $(LDLIBS)

-include $(shell find build -name '*.d' 2>/dev/null)
