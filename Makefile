# `make` lists the targets. ./setup gets the tools they need; `make demo` and `make test` call it themselves.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

tools   := $(abspath $(or $(FENCEGATE_TOOLS),.tools))
built   := $(abspath $(or $(CARGO_TARGET_DIR),target))
wasm    := wasm32-unknown-unknown
modules := -p fencegate-plugin -p fencegate-web --target $(wasm)

export FENCEGATE_TOOLS  := $(tools)
export FENCEGATE_ENVOY  := $(abspath $(or $(ENVOY),$(tools)/bin/envoy))
export FENCEGATE_ETCD   := $(abspath $(or $(ETCD),$(tools)/bin/etcd))
# Earlier ones, on which one test runs the story and the contract too (./setup envoys), with : between them.
empty   :=
export FENCEGATE_ENVOYS := $(subst $(empty) ,:,$(strip $(wildcard $(tools)/bin/envoy-1.*)))
export FENCEGATE_PLUGIN := $(built)/$(wasm)/wasm-release/fencegate.wasm
# A filter that is wrong on purpose: the hammer must find it out.
export FENCEGATE_PLUGIN_NAIVE := $(built)/naive/$(wasm)/wasm-release/fencegate.wasm
# A filter that traps when a request says so: what waits beside it must end.
export FENCEGATE_PLUGIN_TRAP := $(built)/trap/$(wasm)/wasm-release/fencegate.wasm
# Every bash that make starts reads this file first, and so finds the tools.
export BASH_ENV         := $(tools)/env.sh

##@ Look
help: ## these lines
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 } /^##@/ { print "\n" substr($$0, 5) }' Makefile

PAGE ?= yes
with_page := $(filter-out no,$(PAGE))
demo: ## a stale write is stopped by a real Envoy, and the page is served (options: ARGS=etcd, ARGS="...", PAGE=no)
	@./setup wasm envoy $(if $(with_page),page) $(filter etcd,$(ARGS))
	@$(MAKE) --no-print-directory plugin $(if $(with_page),demo-page)
	cargo build -p fencegate-tests --release --bins
	@cargo run --quiet -p fencegate-tests --release --bin story -- $(if $(with_page),--page "$(built)/demo") $(ARGS)

stories: ## what goes wrong without a fence, and with half of one, told step by step (ARGS=name)
	cargo run --quiet --release -p fencegate-core --example stories -- $(ARGS)

search: ## looks for what can go wrong: SCENARIO=story, variant or file (ARGS="--help" tells more)
	cargo run --quiet --release -p fencegate-core --example search -- $(SCENARIO) $(ARGS)

serve: ## the page on a local port, rebuilt at every change (first: ./setup wasm page)
	trunk serve --dist $(built)/serve

##@ Build
# Only what is built as nothing but a cdylib is optimized as one whole: an rlib beside it prevents that,
# silently. Without names it is half as large, and numbers in their short form are a tenth of the rest.
# The page keeps its names: wasm-opt needs a section that goes with them.
filter := scripts/small.sh cargo rustc --locked -p fencegate-plugin --lib --crate-type cdylib --target $(wasm) --profile wasm-release --config 'profile.wasm-release.strip="symbols"'
short  := -- -C link-arg=--compress-relocations

plugin: ## the filter, as one .wasm file
	$(filter) $(short)
	@echo "the filter: $(FENCEGATE_PLUGIN)"

operator: ## the operator's command for etcd, as one program
	cargo build --locked --release -p fencegate-operator
	@echo "the command: $(built)/release/fencegate"

naive-plugin:
	$(filter) --features naive-store --target-dir $(built)/naive $(short)

trap-plugin:
	$(filter) --features trap-on-request --target-dir $(built)/trap $(short)

page: export CARGO_TARGET_DIR := $(built)/page
page: ## the page, in dist/ (first: ./setup wasm page wasm-opt)
	scripts/small.sh cargo fetch --locked --quiet --target $(wasm)
	scripts/small.sh trunk build --release --offline --minify
	node scripts/short-names.mjs dist

# For the demo: the same without wasm-opt, which needs Node.js and makes it smaller, not better.
demo-page:
	cargo fetch --locked --quiet
	trunk build --quiet --offline --cargo-profile wasm-release --dist "$(built)/demo"

##@ Check
verify: ## reads only: format, lints, documentation, scripts
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets --features fencegate-plugin/schema -- -D warnings
	cargo clippy --locked $(modules) -- -D warnings
	cargo clippy --locked -p fencegate-web --target $(wasm) --tests -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --document-private-items
	@if command -v shellcheck >/dev/null; then shellcheck setup scripts/*.sh .ci/run; else echo "shellcheck is not here: the scripts stay unchecked"; fi

docs: ## writes what is made from the types: docs/configuration.*
	FENCEGATE_RENEW=1 cargo test --quiet -p fencegate-plugin --features schema --test reference

# Twice for the filter: what is asked, and after the real etcd answered, what that means.
recordings: ## asks a real etcd anew what the filter's tests know of it (first: ./setup etcd)
	FENCEGATE_RENEW=1 cargo test --quiet -p fencegate-plugin --test etcd_wire recorded
	FENCEGATE_RENEW=1 cargo test --quiet -p fencegate-tests --test etcd_wire
	FENCEGATE_RENEW=1 cargo test --quiet -p fencegate-plugin --test etcd_wire recorded

picture: page ## renews docs/page.*, the picture of the page in the README (first: ./setup all)
	cd tests/page && npm ci --silent --no-fund --no-audit && FENCEGATE_RENEW=1 node --test picture.test.js

fix: ## formats, and mends what clippy can mend
	cargo clippy --fix --allow-dirty --allow-staged --workspace --all-targets
	cargo clippy --fix --allow-dirty --allow-staged $(modules)
	cargo fmt --all

test: ## everything; gets the tools itself, the browser's part as root
	./setup all
	@$(MAKE) --no-print-directory verify test-units test-hostile test-envoy test-page

test-units: ## what needs neither Envoy nor a browser
	cargo test --locked --workspace --exclude fencegate-tests --exclude fencegate-wasm-host --features fencegate-plugin/schema

test-hostile: plugin naive-plugin ## hundreds of days on a proxy that does everything wrong
	cargo test --locked -p fencegate-wasm-host --release

bench: plugin ## what the filter costs, as ratios measured side by side (first: ./setup wasm envoy etcd)
	cargo run --locked --quiet -p fencegate-tests --release --bin bench -- $(ARGS)

MINUTES ?= 60
third = $$((($(MINUTES) + 2) / 3))
soak: ## a third of MINUTES=60 such days, a third a real Envoy under the hammer, a third two over etcd
	@./setup wasm envoy etcd
	@$(MAKE) --no-print-directory plugin
	cargo run --locked --quiet -p fencegate-wasm-host --release --bin soak -- --minutes $(third)
	cargo run --locked --quiet -p fencegate-tests --release --bin hammer -- --minutes $(third)
	cargo run --locked --quiet -p fencegate-tests --release --bin hammer -- --minutes $(third) --etcd

test-envoy: plugin naive-plugin trap-plugin ## on a real Envoy and a real etcd (first: ./setup wasm envoy envoys etcd; TESTS="--test story")
	scripts/sizes.sh plugin "$(FENCEGATE_PLUGIN)"
	cargo test --locked -p fencegate-tests --release $(TESTS)

test-page: page ## in a real browser; its pictures go to target/pictures (first: ./setup all)
	scripts/sizes.sh page dist
	cargo test --locked -p fencegate-web --target $(wasm) --lib --tests
	cd tests/page && npm ci --silent --no-fund --no-audit && npm test

.PHONY: help demo stories search serve plugin naive-plugin trap-plugin operator page demo-page verify docs recordings picture fix test test-units test-hostile bench soak test-envoy test-page
