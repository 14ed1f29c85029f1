package luabind_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/luabind/vm/bounds"
	"roclua/workspace"
)

// runIn executes a scenario whose script is in a folder.
func runIn(t *testing.T, body string, o luabind.Options) *record.Record {
	t.Helper()
	script, err := luabind.Compile("test.lua", []byte(prelude+"return { run = function(t) "+body+" end }"))
	if err != nil {
		t.Fatal(err)
	}
	rt, err := hip.Open("cpu", driver.Config{Devices: 1, MemoryBytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	o.Runtime, o.Profile = rt, workspace.Profiles()[0]
	return luabind.Run(context.Background(), script, record.Case{}, o)
}

// TestArrayFiles reads and writes files in each sandbox.
func TestArrayFiles(t *testing.T) {
	root := t.TempDir()
	own, shared := filepath.Join(root, "own"), filepath.Join(root, "shared")
	for _, folder := range []string{own, shared, filepath.Join(own, "data")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	const two = "%%MatrixMarket matrix array real general\n1 2\n3\n4\n"
	for _, path := range []string{filepath.Join(own, "data", "a.mtx"), filepath.Join(shared, "b.mtx"),
		filepath.Join(root, "secret.mtx")} {
		if err := os.WriteFile(path, []byte(two), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	large := "%%MatrixMarket matrix coordinate real general\n100000 1000 1\n1 1 1\n"
	if err := os.WriteFile(filepath.Join(own, "large.mtx"), []byte(large), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root, "secret.mtx"), filepath.Join(own, "link.mtx")); err != nil {
		t.Log("no symbolic links:", err)
	}
	written := filepath.ToSlash(filepath.Join(root, "w.npy"))
	for _, test := range []struct{ sandbox, body, want string }{
		{bounds.SandboxProject, `t:compare(array.load("data/a.mtx"), array.of("d", {3, 4}, 1))`, ""},
		{bounds.SandboxProject, `t:equal(array.load("b.mtx")[2], 4)`, ""},
		{bounds.SandboxProject, `array.load("../secret.mtx")`, `array.load: "../secret.mtx" is outside of the folders`},
		{bounds.SandboxProject, `array.load("` + filepath.ToSlash(root) + `/secret.mtx")`, "is outside of the folders"},
		{bounds.SandboxProject, `array.load("link.mtx")`, `array.load: "link.mtx": `},
		{bounds.SandboxProject, `array.load("c.mtx")`, `array.load: no file "c.mtx" in `},
		{bounds.SandboxProject, `array.load("data")`, "it is a directory, want a regular file"},
		{bounds.SandboxProject, `array.load("large.mtx")`, "memory"},
		{bounds.SandboxProject, `array.zeros("d", 1):save("x.npy")`, "only; run with --sandbox full"},
		{bounds.SandboxStrict, `array.load("data/a.mtx")`, "array.load is not available in the sandbox strict"},
		{bounds.SandboxStrict, `array.zeros("d", 1):save("x.npy")`, "only; run with --sandbox full"},
		{bounds.SandboxFull, `local a = array.random("z", 3, 4) a:save("` + written + `")
			t:compare(array.load("` + written + `"), a)`, ""},
		{bounds.SandboxFull, `t:equal(#array.load("b.mtx"), 2)`, ""},
		{bounds.SandboxFull, `array.zeros("bf16", 1):save("` + written + `")`, "no elements of type bf16"},
	} {
		r := runIn(t, test.body, luabind.Options{Sandbox: test.sandbox, LibraryPaths: []string{own, shared},
			Limits: record.Limits{Heap: 256 << 20}})
		switch {
		case (r.End == nil) != (test.want == "") || r.End != nil && !strings.Contains(r.End.String(), test.want):
			t.Errorf("%s: %s: %v, want %q", test.sandbox, test.body, r.End, test.want)
		case r.End == nil && (len(r.Checks) != 1 || !r.Checks[0].Passed):
			t.Errorf("%s: %s: %+v", test.sandbox, test.body, r.Checks)
		}
		if test.want == "" && strings.Contains(test.body, "a.mtx") && len(r.Required) == 0 {
			t.Errorf("%s: the file that was read is not listed", test.body)
		}
	}
}

// TestStorage makes matrices in the storage of BLAS, and finds what writes guarded memory.
func TestStorage(t *testing.T) {
	for name, body := range map[string]string{
		"packed upper": `t:compare(array.of("d", {1, 2, 3, 4, 5, 6, 7, 8, 9}, 3):packed(rocblas.fill_upper),
			array.of("d", {1, 4, 5, 7, 8, 9}))`,
		"packed lower": `t:compare(array.of("d", {1, 2, 3, 4, 5, 6, 7, 8, 9}, 3):packed(rocblas.fill_lower),
			array.of("d", {1, 2, 3, 5, 6, 9}))`,
		"band": `t:compare(array.of("d", {1, 2, 3, 4, 5, 6, 7, 8, 9}, 3):band(1, 1),
			array.of("d", {0, 1, 2, 4, 5, 6, 8, 9, 0}, 3))`,
		"band of a wide matrix": `t:compare(array.of("s", {1, 2, 3, 4, 5, 6, 7, 8}, 2):band(0, 2),
			array.of("s", {0, 0, 1, 0, 3, 4, 5, 6, 0, 8, 0, 0}, 3))`,
		"padded": `t:compare(array.of("i32", {1, 2, 3, 4}, 2):padded(1, -1), array.of("i32", {1, 2, -1, 3, 4, -1}, 3))`,
		"padded with NaN": `t:compare(array.of("c", {1, 2}, 1):padded(1), array.of("c", {1, 0/0, 2, 0/0}, 2),
			{nan_equal = true})`,
		"gbmv": `local h, a, x = t:open(), array.random("d", 5, 4), array.random("d", 4)
			local p = t:upload(array.zeros("d", 5))
			h:dgbmv{m = 5, n = 4, kl = 4, ku = 3, alpha = 1, A = t:upload(a:band(4, 3)), lda = 8, x = t:upload(x),
				beta = 0, y = p}
			local y = array.zeros("d", 5) hip.memcpy(y, p, 40, hip.memcpy_device_to_host)
			t:compare(y, array.multiply(a, x), {rtol = 1e-14})`,
		"guard": `local p = t:upload(array.random("d", 8)) t:guard(p, 64) local y = array.zeros("d", 8)
			hip.memcpy(y, p, 64, hip.memcpy_device_to_host)`,
		"solve": `local a = array.random("s", 4) t:near(array.residual(array.identity("s", 4), a, a), 0, 0)
			t:compare(array.solve(array.identity("s", 4), a), a)`,
		"eigenvalues": `t:compare(array.eigenvalues(array.of("z", {2, {0, -1}, {0, 1}, 2}, 2)), array.of("d", {1, 3}),
			{rtol = 1e-15})`,
		"singular values": `t:compare(array.singular_values(array.of("s", {0, 4, -3, 0}, 2)), array.of("s", {4, 3}))`,
	} {
		r := runIn(t, body, luabind.Options{})
		failed := len(r.Checks) == 0 || len(r.Problems) > 0
		for _, c := range r.Checks {
			failed = failed || !c.Passed
		}
		if r.End != nil || failed {
			t.Errorf("%s: %v %+v %q", name, r.End, r.Checks, r.Problems)
		}
	}
	r := runIn(t, `local p = t:upload(array.zeros("d", 8))
		t:guard(p, 64, "marks") hip.memset(p + 16, 1, 3)`, luabind.Options{})
	if len(r.Checks) != 1 || r.Checks[0].Passed || r.Checks[0].Where != "test.lua:2" ||
		r.Checks[0].Have != "3 bytes changed, the first is byte 16" || r.Checks[0].Text != "marks" {
		t.Errorf("guard: %+v", r.Checks)
	}
	r = runIn(t, `t:guard(t:upload(array.zeros("d", 8)), 0)`, luabind.Options{})
	if want := "t:guard: size: got 0, want the size in bytes"; r.End == nil || !strings.Contains(r.End.Message, want) {
		t.Errorf("guard of nothing: %+v", r.End)
	}
}

// TestFactorResiduals checks the factorizations by reflections and generalized eigenvalues that the device computes,
// and that a wrong factor is found.
func TestFactorResiduals(t *testing.T) {
	for _, test := range []string{
		`for _, form in ipairs{"qr", "lq", "ql", "rq"} do for _, m in ipairs{3, 5} do
			local a = array.random(kind, m, 4)
			local p, tau = t:upload(a), t:upload(array.zeros(kind, math.min(m, 4)))
			local name = ({qr = "geqrf", lq = "gelqf", ql = "geqlf", rq = "gerqf"})[form]
			h[kind .. name](h, {m = m, n = 4, A = p, ipiv = tau})
			local f, s = array.zeros(kind, m, 4), array.zeros(kind, math.min(m, 4))
			hip.memcpy(f, p, f.bytes, hip.memcpy_device_to_host)
			hip.memcpy(s, tau, s.bytes, hip.memcpy_device_to_host)
			t:near(array[form .. "_residual"](a, f, s), 0, 1e-15, form)
			f[2] = 9
			t:check(array[form .. "_residual"](a, f, s) > 1e-3, form)
		end end`,
		`for i, form in ipairs{"eform_ax", "eform_abx", "eform_bax"} do
			local a, b = array.positive_definite(kind, 5), array.positive_definite(kind, 5)
			local A, B, D = t:upload(a), t:upload(b), t:upload(array.zeros("d", 5))
			h[kind .. (kind == "z" and "hegv" or "sygv")](h, {itype = rocblas[form], evect = rocblas.evect_original,
				uplo = rocblas.fill_upper, n = 5, A = A, B = B, D = D, E = t:malloc(64), info = t:malloc(4)})
			local v, w = array.zeros(kind, 5, 5), array.zeros("d", 5)
			hip.memcpy(v, A, v.bytes, hip.memcpy_device_to_host)
			hip.memcpy(w, D, w.bytes, hip.memcpy_device_to_host)
			t:near(array.generalized_residual(a, b, v, w, rocblas[form]), 0, 1e-14, form)
			t:check(array.generalized_residual(a, b, v, w, rocblas["eform_ax"]) > 1e-3 or i == 1, form)
		end`,
	} {
		for _, kind := range []string{"d", "z"} {
			r := runIn(t, `local h, kind = t:open(), "`+kind+`" `+test, luabind.Options{})
			if r.End != nil || len(r.Checks) < 6 {
				t.Errorf("%s: %v", kind, r.End)
			}
			for _, c := range r.Checks {
				if !c.Passed {
					t.Errorf("%s: %+v", kind, c)
				}
			}
		}
	}
}
