# The one gate is `make check`; CI runs it and nothing else that is not in the README.
.PHONY: help check format vet lint tidy vuln test cross reproducible build docs picture prose bench fuzz soak kills conformance

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "%-12s %s\n", $$1, $$2}'

check: format vet lint tidy vuln cross reproducible test ## everything that must pass before a change lands

format: ## fail when gofmt would change a file
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo "gofmt would change:"; gofmt -l $$(git ls-files '*.go'); exit 1; }

vet: ## go vet
	go vet ./...

lint: ## staticcheck, at the version that go.mod names
	go tool staticcheck ./...

tidy: ## fail when go.mod or go.sum are not tidy
	go mod tidy -diff

# The database of vulnerabilities is on the network, and a machine without one can still check everything else.
vuln: ## fail when the program calls what is known to be vulnerable
	@go tool govulncheck ./... > .vuln.out 2>&1; code=$$?; \
	if grep -q 'fetching vulnerabilities' .vuln.out; then echo "warning: not checked for known vulnerabilities: $$(cat .vuln.out)"; code=0; else cat .vuln.out; fi; \
	rm -f .vuln.out; exit $$code

prose: ## check the wording of comments, messages and pages, which "test" does too
	go test ./tests -run TestProse

test: ## all tests, with the race detector
	go test -race ./...

cross: ## builds for the other systems
	CGO_ENABLED=0 GOOS=linux GOARCH=arm64 go build -o /dev/null .
	CGO_ENABLED=0 GOOS=darwin GOARCH=arm64 go build -o /dev/null .
	CGO_ENABLED=0 GOOS=windows GOARCH=amd64 go build -o /dev/null .

reproducible: ## fail when two builds of this tree, in two folders, differ by a byte
	@folder=$$(mktemp -d) && trap 'rm -rf '$$folder EXIT && mkdir $$folder/other && git ls-files | tar -cf - -T - | tar -xf - -C $$folder/other && \
	CGO_ENABLED=0 go build -trimpath -buildvcs=false -o $$folder/one . && \
	(cd $$folder/other && CGO_ENABLED=0 go build -trimpath -buildvcs=false -o $$folder/two .) && cmp $$folder/one $$folder/two && sha256sum < $$folder/one

docs: ## rewrite what is made from the program: the reference, the schemas, the output that the guide shows
	go test ./host/config -run "TestBundledConfigIsFresh|TestSchemaIsFresh" -update
	go test ./host -run TestSchemasAreFresh -update
	go run . docs --reference > docs/reference.md
	go test ./tests -run 'TestDocumentsAreTrue|TestLicences' -update

picture: ## take the pictures of the report anew, which needs Chromium
	go test ./tests -run TestPictures -picture $(CURDIR)/docs

bench: ## the benchmarks of the model, the planner and the bindings
	go test -run NONE -bench . ./workspace/... ./luabind ./host

TIME = 30s

fuzz: ## every fuzz target for TIME each (make fuzz TIME=5m)
	@for package in $$(go list ./...); do \
		for target in $$(go test -list '^Fuzz' $$package | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			go test $$package -run NONE -fuzz "^$$target$$" -fuzztime $(TIME) || exit 1; \
		done; \
	done

soak: ## 100,000 cases in one process, which must end with the memory they began with
	go test ./tests -run 'TestSoak$$' -soak 100000 -v -timeout 1h

KILLS = 200

kills: ## kills runs KILLS times at random moments; what takes over must report the same
	go test ./tests -run TestKills -v -kills $(KILLS) -timeout 1h

PROFILE = rocm-7.2
SEED = 1
COUNT = 20000
ARCH = gfx90a
ROOT = .conformance/$(PROFILE)

conformance: ## the model against the real library of PROFILE, with SEED and COUNT, in ROOT, which is made first
	@[ -e $(ROOT)/conformance ] || tests/conformance/root/make.sh $(PROFILE) $(ROOT)
	tests/conformance/root/install.sh $(ROOT)
	CGO_ENABLED=0 go test -c -o $(ROOT)/conformance/conformance.test ./tests/conformance
	cp -r config.toml scripts $(ROOT)/conformance/
	chroot $(ROOT) env HIP_ARCH=$(ARCH) LD_LIBRARY_PATH=/conformance /conformance/conformance.test -test.v -test.timeout 2h -conformance.seed $(SEED) -conformance.count $(COUNT) -conformance.scenarios /conformance

build: ## the program, as ./roclua
	CGO_ENABLED=0 go build -trimpath -o roclua .
