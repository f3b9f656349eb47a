# qipu: build, test and measure.  `make help` lists the targets.
#
# One Makefile, no recursion into folders.  Every variant builds in
# build/VARIANT, so that switching never needs a clean; header dependencies
# come from -MMD -MP.
#
#   VARIANT   release (default), werror, clang, asan, tsan, fuzz
#   CFLAGS    added to the variant's own, e.g. CFLAGS=-march=native
#   JOBS      processes that `check`, `test` and `demo` may start

CC       ?= cc
HOSTCC   ?= cc
CLANG    ?= clang
VARIANT  ?= release
JOBS     ?= $(shell nproc 2>/dev/null || echo 1)
PREFIX   ?= /usr/local
DESTDIR  ?=
FUZZ_SECONDS ?= 20
B        := build/$(VARIANT)

ifneq ($(filter clang fuzz,$(VARIANT)),)
override CC := $(CLANG)
endif

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
        -Wmissing-prototypes -Wwrite-strings -Wpointer-arith -Wvla \
        -Wformat=2 -Wundef
# += also adds to what the environment or the command line gives.
override CPPFLAGS += -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -I. -Ibuild/gen
CFLAGS_release  := -O2 -g
CFLAGS_werror   := -O2 -g -Werror
CFLAGS_clang    := -O2 -g -Werror
CFLAGS_asan     := -O1 -g -fsanitize=address,undefined \
                   -fno-sanitize-recover=all -fno-omit-frame-pointer
CFLAGS_tsan     := -O1 -g -fsanitize=thread
CFLAGS_fuzz     := -O1 -g -fsanitize=fuzzer-no-link,address,undefined \
                   -fno-sanitize-recover=all
ALL_CFLAGS := -std=c11 $(WARN) $(CFLAGS_$(VARIANT)) $(CFLAGS)
LDLIBS     := -llmdb -lsqlite3 -larchive -lzstd -lz -lexpat -lpthread -lm

# FOLDER/mkNAME.c writes tables: build/gen/FOLDER_NAME.inc is its output.
MK  := $(wildcard engine/mk*.c libpgn/mk*.c bookdb/mk*.c tools/mk*.c)
GEN := $(foreach m,$(MK),build/gen/$(subst /mk,_,$(m:.c=.inc)))
src = $(filter-out $(1)/mk%.c,$(wildcard $(1)/*.c))
obj = $(patsubst %.c,$(B)/%.o,$(1))

LIBS    := $(call obj,$(call src,bookdb) $(call src,libpgn) $(call src,engine))
# Programs; all else in tools/ is a part of them.
MAIN    := tools/qipu.c tools/tune.c
TOOLS   := $(call obj,$(filter-out $(MAIN),$(call src,tools)))
UNIT    := $(patsubst %.c,$(B)/%,$(wildcard tests/unit/test_*.c))
SAMPLES := $(patsubst %.c,$(B)/%,$(wildcard samples/*.c))
BENCH   := $(patsubst %.c,$(B)/%,$(wildcard tests/bench/bench_*.c))
MEASURE := $(B)/tests/bench/measure
WRITERS := $(patsubst %.c,$(B)/%,$(wildcard tests/gen/gen_*.c))
FUZZ    := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
REPLAY  := $(patsubst %,$(B)/tests/fuzz/replay_%,$(FUZZ))
HEADERS := $(wildcard engine/*.h libpgn/*.h bookdb/*.h)
SOURCES := $(wildcard engine/*.[ch] libpgn/*.[ch] bookdb/*.[ch] tools/*.[ch] \
             samples/*.c tests/unit/*.[ch] tests/fuzz/*.[ch] tests/bench/*.[ch] \
             tests/gen/*.c)

.DELETE_ON_ERROR:
.SECONDARY:
.SUFFIXES:

.PHONY: all
all: build/qipu build/qipu-engine ## build/qipu and build/qipu-engine, the programs

# ---- compiling and linking ----

# Other compilers or flags than last time: everything is built anew.
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS)' | cmp -s - $@ || \
	 echo '$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS)' > $@
.PHONY: FORCE
FORCE:

$(B)/%.o: %.c $(B)/flags | $(GEN)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(FILE_CFLAGS) -MMD -MP -c -o $@ $<

# Tables are the same for every variant, and their writer runs on the building
# machine: neither sanitizers nor cross compilers matter to it.
define mk_rule
build/gen/$(subst /mk,_,$(1:.c=)): $(1)
	@mkdir -p $$(@D)
	$(HOSTCC) -std=c11 -O1 $(WARN) -D_GNU_SOURCE -I. -MMD -MP -o $$@ $$<
build/gen/$(subst /mk,_,$(1:.c=.inc)): build/gen/$(subst /mk,_,$(1:.c=))
	$$< > $$@.tmp && mv $$@.tmp $$@
-include build/gen/$(subst /mk,_,$(1:.c=.d))
endef
$(foreach m,$(MK),$(eval $(call mk_rule,$(m))))
build/gen/tools_web.inc: $(wildcard tools/web/*)

# Two halves of a set, just written apart, must not be read back as one
# vector: that stalls, and doubled the cost of move generation (gcc 12).
# (A variable of its own, and private: $(B)/flags must not see it.)
$(call obj,$(call src,engine)): private FILE_CFLAGS := -fno-tree-slp-vectorize

# The list of members is part of an archive: a deleted file must leave it.
$(B)/libqipu.a: $(LIBS) $(B)/libqipu.list
	@rm -f $@
	ar rcs $@ $(LIBS)
$(B)/libtools.a: $(TOOLS) $(B)/libtools.list
	@rm -f $@
	ar rcs $@ $(TOOLS)
$(B)/libqipu.list: FORCE
	@mkdir -p $(@D)
	@echo '$(LIBS)' | cmp -s - $@ || echo '$(LIBS)' > $@
$(B)/libtools.list: FORCE
	@mkdir -p $(@D)
	@echo '$(TOOLS)' | cmp -s - $@ || echo '$(TOOLS)' > $@

LINK = $(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@

$(B)/qipu: $(B)/tools/qipu.o $(B)/libtools.a $(B)/libqipu.a
	$(LINK) $^ $(LDLIBS)

$(B)/tune: $(B)/tools/tune.o $(B)/libtools.a $(B)/libqipu.a
	$(LINK) $^ $(LDLIBS)

# The same program, which asks what it is called.
$(B)/qipu-engine build/qipu-engine: %-engine: %
	ln -f $< $@ 2>/dev/null || cp $< $@

build/qipu: build/release/qipu
	cp $< $@.tmp && mv $@.tmp $@
ifneq ($(VARIANT),release)
build/release/qipu: FORCE
	$(MAKE) VARIANT=release $@
endif

$(UNIT): %: %.o $(B)/libtools.a $(B)/libqipu.a
	$(LINK) $^ -lcmocka $(LDLIBS)
$(SAMPLES) $(BENCH) $(MEASURE) $(WRITERS): %: %.o $(B)/libqipu.a
	$(LINK) $^ $(LDLIBS)
$(REPLAY): $(B)/tests/fuzz/replay_%: $(B)/tests/fuzz/fuzz_%.o \
		$(B)/tests/fuzz/replay.o $(B)/libtools.a $(B)/libqipu.a
	$(LINK) $^ $(LDLIBS)
$(B)/tests/fuzz/run_%: $(B)/tests/fuzz/fuzz_%.o $(B)/libtools.a $(B)/libqipu.a
	$(LINK) -fsanitize=fuzzer $^ $(LDLIBS)

# Everything of a variant; for `make check`, which runs it with -Werror.
.PHONY: everything
everything: $(B)/qipu-engine $(B)/tune $(UNIT) $(SAMPLES) $(BENCH) $(MEASURE) $(WRITERS) $(REPLAY)

-include $(LIBS:.o=.d) $(TOOLS:.o=.d) $(patsubst %.c,$(B)/%.d,$(MAIN)) $(UNIT:=.d) \
         $(SAMPLES:=.d) $(BENCH:=.d) $(MEASURE).d $(WRITERS:=.d) \
         $(FUZZ:%=$(B)/tests/fuzz/fuzz_%.d) $(B)/tests/fuzz/replay.d

# ---- for people ----

.PHONY: deps demo
deps: ## install missing Debian packages, or name them
	@.ci/deps.sh
demo: ## a short tour: build, then run samples/demo.sh
	@.ci/deps.sh
	@$(MAKE) --no-print-directory -s all
	@samples/demo.sh build/qipu build/demo.html

# ---- tests: each step leaves its counts in build/tally ----

# The scripts start make with $(JOBS) processes of their own.
ALONE = env -u MAKEFLAGS -u MAKELEVEL MAKE='$(MAKE)' CLANG='$(CLANG)' \
        JOBS='$(JOBS)'

.PHONY: check test asan tsan golden
check: ## every check: format, layers, warnings, all tests, asan
	@$(ALONE) tests/check.sh format layers headers gcc clang \
	 release asan
test: ## unit and golden tests, samples, replay of the fuzz corpus
	@$(ALONE) tests/check.sh $(VARIANT)
asan: ## the same under the address and undefined-behaviour sanitizers
	@$(ALONE) tests/check.sh asan
tsan: ## the same under the thread sanitizer
	@$(ALONE) tests/check.sh tsan
golden: $(B)/qipu-engine $(B)/tune $(SAMPLES) $(WRITERS) ## rewrite what the golden tests expect; read the diff
	@tests/golden/run.sh --rewrite $(B)

# Parts of the above, each usable alone.
.PHONY: unit golden-test replay format layers headers
unit: $(UNIT)
	@tests/unit/run.sh $(UNIT)
golden-test: $(B)/qipu-engine $(B)/tune $(SAMPLES) $(WRITERS)
	@tests/golden/run.sh $(B)
replay: $(REPLAY)
	@tests/fuzz/replay.sh $(REPLAY)
format:
	@clang-format --dry-run -Werror $(SOURCES)
layers:
	@tests/layers.sh
headers: $(GEN)
	@for h in $(HEADERS) tools/cli.h; do \
	     $(CC) $(CPPFLAGS) -std=c11 $(WARN) -Werror -fsyntax-only -x c $$h || \
	     { echo "$$h cannot be included alone"; exit 1; }; \
	 done

.PHONY: check-web
check-web: build/qipu ## pages of games, tested in Chromium; installs what it needs
	@tests/web/check.sh build/qipu

.PHONY: fuzz fuzz-run
fuzz: ## fuzz every tests/fuzz/fuzz_*.c for FUZZ_SECONDS of CPU each (clang)
	@$(MAKE) --no-print-directory VARIANT=fuzz fuzz-run
fuzz-run: $(FUZZ:%=$(B)/tests/fuzz/run_%)
	@tests/fuzz/seeds.sh
	@tests/fuzz/run.sh $(FUZZ_SECONDS) $^

.PHONY: bench
bench: build/qipu $(MEASURE) $(WRITERS) $(BENCH) ## speed, size, memory, beside other programs
	@tests/bench/bench.sh build/qipu $(MEASURE) $(WRITERS) $(BENCH)

# ---- the numbers of the evaluation ----

# tools/tune.c tells the recipe.  Games with results; the other parts of the
# collection are studies.
QIPU_SHARED ?= ../shared
TUNE_SEED   ?= 1
TUNE_GAMES   = $(foreach k,computer event op player,\
                 $(sort $(wildcard $(QIPU_SHARED)/data/pgn/ccpd/ccpd-$k*.pgn.gz)))

.PHONY: tune
tune: build/release/tune ## fit engine/weights.c to the games of QIPU_SHARED (TUNE_SEED=N)
ifeq ($(strip $(TUNE_GAMES)),)
	@echo 'tune: no games in $(QIPU_SHARED)/data/pgn/ccpd.  Name that folder by' \
	    'QIPU_SHARED=DIR, or files of games by TUNE_GAMES="FILE..."' >&2; exit 2
endif
	@mkdir -p build/tune
	$< sample --seed $(TUNE_SEED) \
	    -o build/tune/positions-$(TUNE_SEED).tsv $(TUNE_GAMES)
	$< fit --seed $(TUNE_SEED) build/tune/positions-$(TUNE_SEED).tsv \
	    engine/weights.c -o engine/weights.c
ifneq ($(VARIANT),release)
build/release/tune: FORCE
	$(MAKE) VARIANT=release $@
endif

# ---- housekeeping ----

.PHONY: fmt install uninstall clean help
fmt: ## lay out the sources with clang-format
	clang-format -i $(SOURCES)

MAN := $(wildcard tools/man/*.1)
# Quoted: with a blank in DESTDIR an uninstall would remove other files.
DEST = '$(DESTDIR)$(PREFIX)'
install: all ## install under PREFIX (/usr/local), below DESTDIR
	install -d $(DEST)/bin $(DEST)/share/man/man1 \
	    $(DEST)/share/bash-completion/completions
	install -m 755 build/qipu build/qipu-engine $(DEST)/bin/
	install -m 644 $(MAN) $(DEST)/share/man/man1/
	install -m 644 tools/completion/qipu.bash \
	    $(DEST)/share/bash-completion/completions/qipu
	ln -sf qipu $(DEST)/share/bash-completion/completions/qipu-engine
uninstall: ## remove what install put there
	rm -f $(DEST)/bin/qipu $(DEST)/bin/qipu-engine \
	    $(foreach m,$(notdir $(MAN)),$(DEST)/share/man/man1/$(m)) \
	    $(DEST)/share/bash-completion/completions/qipu \
	    $(DEST)/share/bash-completion/completions/qipu-engine
clean: ## remove build/
	rm -rf build
help: ## this list
	@sed -n 's/^\([a-z-]*\):.* ## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | \
	 while IFS='	' read -r name text; do printf '  %-10s %s\n' "$$name" "$$text"; done
