# CI runs .ci/run, which installs what the checks use and runs make check.
.PHONY: install release web image help check nightly format vet lint browser tidy vuln test samples race cross reproducible build docs picture \
	bench fresh repeat fuzz soak kills hostile cases cluster conformance applications recorded exhaustive conformance-root thresholds products mutate \
	record-thresholds architectures record-architectures

# The program is built so; tests that are built so share its compiled packages. The race detector needs cgo.
export CGO_ENABLED = 0
export GOFLAGS = -trimpath

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "%-12s %s\n", $$1, $$2}'

# In the order in which they fail soonest. Two steps with a plus run in parallel: each waits at times.
check: STEPS = format tidy vet lint test+browser race+fresh samples+reproducible vuln
check: ## run all checks; they must pass before a change lands

# What takes longer than a change can wait for. make check runs a sample of each.
nightly: STEPS = exhaustive hostile race cross cluster
nightly: export RACED = ./...
nightly: ## run the checks that take hours, each of which has a sample in make check

check nightly: SHELL = bash -e
check nightly:
	@folder=$$(mktemp -d); table=$$folder/table; exec 3>&2; \
	trap "printf '\nseconds\tuser\tsystem\n'; cat $$table; rm -r $$folder" EXIT; \
	run() { TIMEFORMAT=$$'%0R\t%0U\t%0S\t'$$1; { time $(MAKE) --no-print-directory $$1 2>&3; } 2>> $$table; }; \
	for step in $(STEPS); do \
		second=$${step#*+}; [ $$second = $$step ] || run $$second > $$folder/$$second 3>&1 & \
		echo "== $$step"; run $${step%+*} || failed=1; \
		wait $$! || failed=1; [ $$second = $$step ] || cat $$folder/$$second; [ ! $$failed ]; \
	done

format: ## fail if gofmt would change a file
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo "gofmt would change:"; gofmt -l $$(git ls-files '*.go'); exit 1; }

vet: ## run go vet
	go vet -tags browser,lint ./...

lint: ## run staticcheck, at the version in go.mod, and check imports, wording, links and licenses
	go tool staticcheck -tags browser,lint ./...
	go test -vet=off -tags lint ./tests/lint

tidy: ## fail if go.mod or go.sum is not tidy
	go mod tidy -diff

# The vulnerability database is on the network. Without a network this target only prints a warning.
vuln: ## fail if the program calls functions with known vulnerabilities
	@found=$$(go tool govulncheck ./... 2>&1); code=$$?; \
	case $$found in \
	*'fetching vulnerabilities'*) echo "warning: not checked for known vulnerabilities: $$found" ;; \
	*) echo "$$found"; exit $$code ;; \
	esac

# make vet runs go vet, so that go test need not repeat a part of it.
test: ## run all tests but those in a browser
	go test -vet=off ./...

web: ## write the page that runs the program in a browser, and the manual, to the folder web/public
	go run ./web web/public

browser: ## look at reports and that page in a browser; needs Chromium
	go test -vet=off -tags browser ./tests/browser

# A sample of the tests that "go test" leaves out, for their time: "make nightly" runs them in full.
samples: ## run a sample of the long tests: kills, soak, cases, hostile scripts and architectures
	go test -vet=off ./tests -run 'Test(Kills|Soak|Cases)$$' -kills 2 -soak 300 -cases 300
	go test -vet=off ./tests/hostile -run TestDefaultLimits -all -only 'print of markup'
	go run . run --quiet --profile rocm-6.4,rocm-7.1 --arch gfx1100 --skip-tags times
	@$(MAKE) --no-print-directory recorded

# Packages whose code starts goroutines. TestParallelCases runs scripts in parallel. "make nightly" takes all packages.
RACED = ./hip ./hip/native ./hip/cpu ./hip/cpu/blas ./hip/cpu/order ./host/plan ./host/progress ./host/repl ./host/run \
	./host/worker ./input ./luabind/load

# The race detector makes tests ten times as slow: long ones take smaller samples with -short. By default a program that
# is built with it sleeps for a second before it exits, and the tests start many programs.
race: export CGO_ENABLED = 1
race: export GORACE = atexit_sleep_ms=0
race: ## run the tests of RACED, and cases in parallel, with the race detector
	go test -vet=off -race -short -timeout 30m $(RACED)
	go test -vet=off -race ./tests -run TestParallelCases

# Tests draw the same random numbers in every run. These targets draw others; make fresh TEST_SEED=N repeats a run.
ifndef TEST_SEED
TEST_SEED := $(shell date +%s)
endif
exhaustive kills: export TEST_SEED := $(TEST_SEED)

fresh: ## run the tests that draw random numbers, with a new seed
	TEST_SEED=$(TEST_SEED) go test -vet=off -short $$(git grep -lE '"roclua/internal/(random|jsonwriter/jsonwriter)test"' \
		-- ':!tests' ':!host/record' ':!host/merge_test.go' '*_test.go' | xargs -n 1 dirname | sort -u | sed 's,^,./,')
	TEST_SEED=$(TEST_SEED) go test -vet=off -short ./host -run TestMergeEqualsOneRun

N = 20

# Two runs in parallel keep each other waiting, in another order of tests each.
repeat: ## run all tests N times under load, and print those that failed even once
	@folder=$$(mktemp -d); for i in $$(seq $$((($(N) + 1) / 2))); do \
		for k in first second; do go test -vet=off -count=1 -shuffle=on ./... > $$folder/$$i-$$k 2>&1 & done; wait; \
	done; \
	if grep -l '^FAIL' $$folder/*; then \
		sed -nE 's/^ *--- FAIL: ([^ ]*).*/\1/p' $$folder/* | sort | uniq -c | sort -rn; exit 1; \
	fi; rm -r $$folder; echo "$(N) runs, no failure"

# The packages whose tests have the flag -all. Without the flag they run a sample.
exhaustive: ## run every variant of the tests of which "go test" runs a sample, with a new seed
	@echo TEST_SEED=$(TEST_SEED)
	go test -vet=off -timeout 30m ./workspace ./hip/cpu/kernel ./luabind ./luabind/vm ./luabind/vm/lualib -all
	go test -vet=off -timeout 30m ./host -run 'Test(MergeEqualsOneRun|FullDisk)' -all
	go test -vet=off -timeout 30m ./tests -all -cases 1000 -kills 40 -soak 5000 \
		-run 'Test(DefaultRun|EveryAllocationFails|Kills|Soak|Cases|EmptySolver|Outputs|Captured|Routines|Architectures)'

cross: ## build for RELEASES
	@for target in $(RELEASES); do \
		GOOS=$${target%/*} GOARCH=$${target#*/} go build -o /dev/null . || exit 1; done

# Both builds use the packages that the tests compile.
reproducible: ## fail if two builds of this tree, in two folders, differ
	@folder=$$(mktemp -d) && trap 'rm -rf '$$folder EXIT && mkdir $$folder/other && \
	git ls-files | tar -cf - -T - | tar -xf - -C $$folder/other && \
	go build -buildvcs=false -o $$folder/one . && \
	(cd $$folder/other && go build -buildvcs=false -o $$folder/two .) && \
	cmp $$folder/one $$folder/two && sha256sum < $$folder/one

docs: ## update the generated files: configuration, reference, schemas, licenses, and the output shown in pages
	go test ./host/config -run 'TestBundledConfigIsFresh|TestSchemaIsFresh|TestPages' -update
	go test ./host -run TestSchemasAreFresh -update
	go run . docs --reference > docs/reference.md
	go test ./luabind/manual -run 'TestPages|TestReference|TestStubs' -update
	go test ./tests -run TestDocumentsAreTrue -update
	go test -tags lint ./tests/lint -run TestLicences -update

picture: ## update the screenshots of the report; needs Chromium
	go test -tags browser ./tests/browser -run TestPictures -picture $(CURDIR)/docs

bench: ## run the benchmarks of the model, the planner, the bindings and the kernels
	go test -run NONE -bench . ./workspace/... ./luabind ./host/... ./hip/cpu/...

TIME = 30s

fuzz: ## run every fuzz target for TIME each (make fuzz TIME=5m)
	@for package in $$(go list ./...); do \
		for target in $$(go test -list '^Fuzz' $$package | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			go test $$package -run NONE -fuzz "^$$target$$" -fuzztime $(TIME) || exit 1; \
		done; \
	done

soak: ## run 100,000 cases in one process and check that its memory does not grow
	go test ./tests -run 'TestSoak$$' -soak 100000 -v -timeout 1h

CASES = 100000

cases: ## measure the time and the memory of plans of 100 to CASES cases
	go test ./tests -run 'TestCases$$' -cases $(CASES) -v -timeout 2h

# go test decides the exit status, not grep.
hostile: SHELL = bash -o pipefail
hostile: ## run all hostile scripts and print what each used
	go test ./tests/hostile -all -parallel 2 -timeout 2h -v | grep -v -e '^=== ' -e '^ *--- PASS'

KILLS = 200

kills: ## end runs with signals KILLS times at random moments and check that resumed runs report the same
	@echo TEST_SEED=$(TEST_SEED)
	go test ./tests -run TestKills -v -kills $(KILLS) -timeout 1h

cluster: ## run shards on a Slurm cluster on this machine, with lost tasks and nodes; needs apt-get and the network once
	go test ./tests -run 'TestCluster$$' -v -cluster $(CURDIR)/.cluster -timeout 15m

PROFILE = rocm-7.2
SEED = 1
COUNT = 20000
ARCH = gfx90a
ROUTINES = .
ROOT = .conformance/$(PROFILE)

CHROOT = chroot $(ROOT) env HIP_ARCH=$(ARCH) LD_LIBRARY_PATH=/conformance
IN_ROOT = $(CHROOT) /conformance/conformance.test -test.v
VERIFIED = 2000

conformance: conformance-root ## compare the model with the real library of PROFILE, with SEED, COUNT and ROUTINES, in ROOT
	go build -o $(ROOT)/conformance/roclua .
	$(CHROOT) /conformance/roclua verify --seed $(SEED) --count $(VERIFIED) '$(ROUTINES)'
	$(IN_ROOT) -test.timeout 2h -conformance.seed $(SEED) -conformance.count $(COUNT) \
		-conformance.routines '$(ROUTINES)' -conformance.scenarios /conformance

APPLICATIONS = .
applications: ## record programs of PROFILE without a GPU, in ROOT, and compare the recordings with the model, with SEED
	@[ -e $(ROOT)/conformance ] || tests/conformance/root/make.sh $(PROFILE) $(ROOT)
	tests/applications/install.sh $(PROFILE) $(ROOT)
	go build -o $(ROOT)/applications/roclua .
	go test -c -o $(ROOT)/applications/applications.test ./tests/applications
	tests/applications/enter.sh $(ROOT) env HOME=/root LD_LIBRARY_PATH=/applications sh -c 'cd /applications && \
		./applications.test -test.v -test.timeout 4h -applications.roclua /applications/roclua -applications.seed $(SEED) \
		-applications.only "$(APPLICATIONS)"'

recorded: ## record three of the applications, if ROOT has them
	@if [ "$$(id -u)" != 0 ]; then echo "recorded: skipped, because only root can enter $(ROOT)"; \
	elif [ -e $(ROOT)/applications ]; then $(MAKE) --no-print-directory applications APPLICATIONS='^(ctypes|threads)'; \
	else echo "recorded: skipped, because $(ROOT) has no applications; make applications installs them"; fi

conformance-root:
	@[ -e $(ROOT)/conformance ] || tests/conformance/root/make.sh $(PROFILE) $(ROOT)
	tests/conformance/root/install.sh $(ROOT) $(ARCH)
	go test -c -o $(ROOT)/conformance/conformance.test ./tests/conformance
	cp -r config.toml scripts $(ROOT)/conformance/

thresholds: ## record the real libraries' results at and next to the thresholds of the size rules
	for profile in rocm-6.4 rocm-7.2; do for arch in gfx90a gfx942 gfx1100; do \
		$(MAKE) record-thresholds PROFILE=$$profile ARCH=$$arch || exit 1; done; done

record-thresholds: conformance-root
	$(IN_ROOT) -test.run 'TestThresholds|TestSmallLU' -conformance.record /conformance/record
	cp -r $(ROOT)/conformance/record/. workspace/behavior/testdata/

products: conformance-root ## record the kernels that the library of PROFILE prints for products, and their tuning files
	$(IN_ROOT) -test.run 'TestProducts$$' -conformance.count 2500 -conformance.seed 7 \
		-conformance.routines 'gemm.*_ex' -conformance.record /conformance/record
	cp -r $(ROOT)/conformance/record/. workspace/testdata/
	go run . tuning pack $(ROOT)/usr/lib/*/rocblas/*/library --arch $(ARCH) --types bf16 \
		-o workspace/testdata/$(PROFILE)/tuning-$(ARCH).zip

architectures: ## record what the real libraries do on every row of the table of architectures
	for profile in rocm-6.4 rocm-7.2; do $(MAKE) record-architectures PROFILE=$$profile || exit 1; done

record-architectures: conformance-root
	rm -rf $(ROOT)/conformance/record
	for arch in $$(go run . __complete size --arch gfx 2>/dev/null | grep ^gfx); do \
		chroot $(ROOT) env HIP_ARCH=$$arch LD_LIBRARY_PATH=/conformance /conformance/conformance.test \
			-test.run 'TestArchitecture$$' -conformance.record /conformance/record || exit 1; done
	cp -r $(ROOT)/conformance/record/. workspace/testdata/

GREMLINS = github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0
MUTATED = $(or $(PACKAGE),./workspace/status ./workspace/behavior ./workspace/footprint ./hip ./hip/arch ./hip/fault \
	./internal/nearest ./hip/number ./hip/release ./hip/routine ./internal/units ./host/baseline ./host/expect ./internal/chart)
WORKERS = 0

# A change can make a test endless; 20 times the time of the tests is enough on a busy machine. go vet is not a test.
mutate: ## change the code of PACKAGE in many ways, one at a time, and report the changes that its tests do not catch
	copy=$$(mktemp -d) && trap "rm -rf $$copy" EXIT && mkdir $$copy/source && \
	git ls-files -co --exclude-standard -z | tar c --null --ignore-failed-read -T - | tar x -C $$copy/source && \
	GOBIN=$$copy go install $(GREMLINS) && cd $$copy/source && for package in $(MUTATED); do \
		echo "$$package" && TMPDIR=$$copy GOFLAGS=-vet=off \
		$$copy/gremlins unleash --workers $(WORKERS) --timeout-coefficient 20 $$package || exit 1; done

build: ## build the program as ./roclua
	go build -o roclua .

PREFIX = $(HOME)/.local

install: build ## install the program and its completions below PREFIX (default ~/.local)
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 roclua $(DESTDIR)$(PREFIX)/bin/roclua
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	./roclua completion bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/roclua
	./roclua completion zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_roclua
	./roclua completion fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/roclua.fish

VERSION = $(shell sed -n 's/^const release = "\(.*\)"$$/\1/p' host/cmd_version.go)
RELEASES = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

# Needs GNU tar and a C compiler for x86-64, for the recorder. Windows 10 and later have tar, so that one kind of archive is enough.
release: build ## build archives for RELEASES with checksums and completions in dist/
	rm -rf dist && mkdir -p dist/completions
	go run ./web dist/roclua-$(VERSION)-web
	tar -C dist --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -czf dist/roclua-$(VERSION)-web.tar.gz roclua-$(VERSION)-web
	rm -r dist/roclua-$(VERSION)-web
	for shell in bash zsh fish powershell; do ./roclua completion $$shell > dist/completions/roclua.$$shell || exit 1; done
	@set -e; for target in $(RELEASES); do \
		os=$${target%/*}; name=roclua-$(VERSION)-$$os-$${target#*/}; program=roclua; \
		if [ $$os = windows ]; then program=roclua.exe; fi; \
		echo $$name; mkdir dist/$$name; \
		GOOS=$$os GOARCH=$${target#*/} go build -buildvcs=false \
			-ldflags "-s -w" -o dist/$$name/$$program .; \
		cp -r *.md LICENSE docs config.toml scripts dist/completions dist/$$name; \
		if [ $$target = linux/amd64 ]; then go run ./host/record/ship dist/$$name || exit 1; fi; \
		tar -C dist --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -czf dist/$$name.tar.gz $$name; \
		rm -r dist/$$name; \
	done
	rm -r dist/completions
	cd dist && sha256sum *.tar.gz > SHA256SUMS && cat SHA256SUMS

image: ## build a container image with docker or buildah
	$$(docker info >/dev/null 2>&1 && echo docker || echo buildah) build -t roclua:$(VERSION) .
