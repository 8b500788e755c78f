# Two commands matter: `make run` plays, `make test` proves. Both begin by installing what the machine lacks.
# Arguments for the program go in ARGS:  make run ARGS='--port 9000'

.DEFAULT_GOAL := help
.PHONY: help setup run play test prove lint format bench deb release install uninstall clean

help: ## Print this list.
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install the system packages that are missing.
	@scripts/setup

run: setup ## Build and start everything here: database, schema, words, service.
	@program=$$(scripts/build) && exec "$$program" dev $(ARGS)

play: setup ## Play in this terminal; the service is `make run`'s, or ARGS='--url https://…'.
	@program=$$(scripts/build) && exec "$$program" play $(ARGS)

test: ## Check the formatting, build, and run all tests.
	@scripts/setup test
	@scripts/test

prove: ## Run the long proofs (ARGS='--list' names them, ARGS='fuzz recovery' runs two).
	@scripts/prove --setup $(ARGS)

lint: ## Check the formatting alone.
	@swift format lint --strict -r Package.swift Plugins Sources Tests Examples

format: ## Reformat the sources in place.
	@swift format -i -r Package.swift Plugins Sources Tests Examples

bench: ## Compare with pgbench, in one run (ARGS=--quick: a shorter one; ARGS=--peer: and with a plain server).
	@scripts/setup bench
	@Benchmarks/run $(ARGS)

deb: setup ## Build the Debian package, .build/juliet_VERSION_ARCHITECTURE.deb.
	@packaging/deb

release: ## Make what people download, dist/: package, archive, image, checksums.
	@scripts/setup release
	@packaging/release

# Where `make install` puts everything; a package's maker sets DESTDIR, too.
PREFIX ?= /usr/local
export DESTDIR PREFIX
# Whoever may not write there asks sudo.
as_root = $$([ -n "$$DESTDIR" ] || [ -w "$$PREFIX" ] || echo sudo)

install: setup ## Install into PREFIX, /usr/local: programs, unit, man pages, completions.
	@rm -rf .build/image
	@packaging/install .build/image "$$PREFIX"
	@# What an earlier release brought and this one lacks goes, too.
	@$(as_root) sh -c 'umask 022; mkdir -p "$$1/share/juliet" && cd .build/image && touch "$$1/share/juliet/files" && \
		{ grep -vxFf share/juliet/files "$$1/share/juliet/files" | (cd "$$1" && xargs rm -f); } && \
		find . -type f -exec rm -f "$$1/{}" \; && cp -R . "$$1/"' sh "$$DESTDIR$$PREFIX"

uninstall: ## Delete what `make install` put there; settings and database stay.
	@$(as_root) sh -c 'cd "$$1" && xargs rm -f <share/juliet/files && rm -f share/juliet/files && \
		find share/juliet share/doc/juliet -depth -type d -empty -delete' sh "$$DESTDIR$$PREFIX"

clean: ## Delete what was built; the data in .juliet/ stays.
	@rm -rf .build
