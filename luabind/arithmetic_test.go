package luabind_test

import (
	"fmt"
	"strings"
	"testing"

	"roclua/luabind/record"
)

// TestArithmetic compares slices, products and checks with small cases that can be checked by hand.
func TestArithmetic(t *testing.T) {
	for name, body := range map[string]string{
		"slices": `local a = array.of("d", {1, 2, 3, 4, 5, 6}, 2)
			t:equal({a:row(2):totable(), a:column(3):totable(), a:diagonal():totable()}, {{2, 4, 6}, {5, 6}, {1, 4}})
			t:equal({a:block(1, 2, 2, 2):totable(), a:problem(3, 3):totable()}, {{3, 4, 5, 6}, {5, 6}})
			t:equal({a:reshape(3, 2):get(1, 2), a:row(1).rows, a:row(1).cols}, {4, 1, 3})
			t:equal(a:triangle(rocblas.fill_upper):totable(), {1, 0, 3, 4, 5, 6})
			t:equal(a:triangle(rocblas.fill_lower):totable(), {1, 2, 0, 4, 0, 0})
			local b = array.zeros("d", 3, 4)
			b:paste(2, 2, a)
			t:equal(b:totable(), {0, 0, 0, 0, 1, 2, 0, 3, 4, 0, 5, 6})
			a[1] = 9 t:equal(b:get(2, 2), 1, "slices are copies")`,
		"convert": `local z = array.of("z", {{1.9, 2}, {-3, 0}})
			t:equal({z:convert("d"):totable(), z:convert("i8"):totable()}, {{1.9, -3}, {1, -3}})
			t:equal(z:convert("c"):convert("z")[2], {-3, 0})
			t:equal(array.of("d", {-128.5, -128, 127, 127.5}):convert("i8"):totable(), {-128, -128, 127, 127})`,
		"products": `local A = array.of("d", {1, 2, 3, 4, 5, 6}, 2)
			local x, T = array.of("s", {1, 1, 1}), rocblas.operation_transpose
			t:equal({array.multiply(A, x):totable(), array.multiply(A, x).type}, {{9, 12}, "d"})
			t:equal(array.multiply(A, A, T):totable(), {5, 11, 17, 11, 25, 39, 17, 39, 61})
			t:equal(array.multiply(x, x, T).type, "s")
			t:equal(array.multiply(x, x:convert("f16"), T).type, "s")
			local z = array.of("c", {{1, 2}, {0, 1}})
			t:equal(array.multiply(z, z, rocblas.operation_conjugate_transpose)[1], {6, 0})
			t:equal(array.multiply(z, z, T)[1], {-4, 4})
			t:equal(array.multiply(array.of("i32", {3}), array.of("i32", {4})).type, "d")`,
		"sums": `local a, b = array.of("s", {1, 2}), array.of("s", {3, 5})
			t:equal({array.add(a, b):totable(), array.subtract(a, b):totable()}, {{4, 7}, {-2, -3}})
			t:equal({array.add(a, b, 2, -1):totable(), a:scale(3):totable()}, {{-1, -1}, {3, 6}})
			local half, brain = a:convert("f16"), a:convert("bf16")
			t:equal({array.add(half, half).type, array.add(half, brain).type, array.add(a, b).type}, {"f16", "s", "s"})
			t:equal({a:scale({0, 1}).type, a:scale({0, 1})[2]}, {"c", {0, 2}})
			t:equal(array.of("d", {1/0, -2}):scale(-1):totable(), {-1/0, 2})`,
		"transposes": `local a = array.of("z", {{1, 1}, {2, 2}, {3, 3}}, 3)
			t:equal({a:transpose()[2], a:conjugate_transpose()[2], a:transpose().cols}, {{2, 2}, {2, -2}, 3})
			t:equal(array.of("i8", {1, 2, 3, 4, 5, 6}, 2):transpose():totable(), {1, 3, 5, 2, 4, 6})`,
		"random matrices": `for _, T in ipairs{"s", "d", "c", "z"} do
				local tolerance = (T == "s" or T == "c") and 1e-5 or 1e-13
				local Q, S = array.orthogonal(T, 7, 4, 3), array.positive_definite(T, 6, 3)
				t:near(Q:orthogonality(), 0, tolerance)
				t:near(array.orthogonal(T, 4, 7, 3):conjugate_transpose():orthogonality(), 0, tolerance)
				t:equal(array.max_difference(S, S:conjugate_transpose()), 0)
				t:equal(array.max_difference(S, array.positive_definite(T, 6, 3)), 0)
			end`,
		"differences": `local a, b = array.of("d", {3, 4}), array.of("d", {0, 4})
			t:equal({array.relative_difference(b, a), array.max_difference(a, b)}, {0.6, 3})
			t:equal(array.relative_difference(array.zeros("d", 0), array.zeros("d", 0)), 0)`,
		"Cholesky": `local A = array.of("d", {4, 2, 99, 5}, 2) -- the upper triangle is not read
			t:equal(array.cholesky_residual(A, array.of("d", {2, 1, 77, 2}, 2), rocblas.fill_lower), 0)
			t:equal(array.cholesky_residual(A:transpose(), array.of("d", {2, 77, 1, 2}, 2), rocblas.fill_upper), 0)
			t:check(array.cholesky_residual(A, array.of("d", {2, 1, 77, 3}, 2), rocblas.fill_lower) > 0.1)`,
		"QR": `local A, QR, tau = array.of("d", {3, 4}), array.of("d", {-5, 0.5}), array.of("d", {1.6})
			t:near(array.qr_residual(A, QR, tau), 0, 1e-15)
			t:near(array.relative_difference(array.orthogonal_factor(QR, tau), array.of("d", {-0.6, -0.8})), 0, 1e-15)
			t:check(array.qr_residual(A, QR, array.of("d", {1.5})) > 0.01)`,
		"inverse": `local A = array.of("d", {2, 0, 0, 4}, 2)
			t:equal(array.inverse_residual(A, array.of("d", {0.5, 0, 0, 0.25}, 2)), 0)
			t:check(array.inverse_residual(A, array.of("d", {0.5, 0, 0, 0.5}, 2)) > 0.1)`,
		"eigenvalues": `local A = array.of("z", {0, {0, 1}, {0, -1}, 0}, 2)
			local V = array.of("z", {1, {0, -1}, 1, {0, 1}}, 2)
			t:equal(array.eigen_residual(A, V, array.of("d", {-1, 1})), 0)
			t:check(array.eigen_residual(A, V, array.of("d", {1, -1})) > 0.1)
			t:equal({array.is_sorted(array.of("d", {-1, 1})), array.is_sorted(array.of("d", {1, -1})),
				array.is_sorted(array.of("d", {1, -1}), "descending"), array.is_sorted(array.of("d", {0/0, 1}))},
				{true, false, true, false})
			t:check(array.is_sorted(array.of("d", {3, 4, 1, 2}, 2)), "each column")
			t:check(array.is_sorted(array.of("d", {1, 1})) and array.is_sorted(array.of("d", {1, 1}), "descending"))
			local both, vectors = array.zeros("z", 2, 4), array.zeros("z", 2, 4)
			for p = 1, 3, 2 do both:paste(1, p, A) vectors:paste(1, p, V) end
			t:equal(array.eigen_residual(both, vectors, array.of("d", {-1, 1, -1, 1}), 2), 0)`,
		"singular values": `local A, one = array.of("d", {3, 0, 0, 0, 2, 0}, 3), array.identity("d", 3)
			t:equal(array.svd_residual(A, one, array.of("d", {3, 2}), array.identity("d", 2)), 0)
			t:check(array.svd_residual(A, one, array.of("d", {3, 3}), array.identity("d", 2)) > 0.1)`,
		"gemm": `local A, B, C0 = array.random("c", 3, 2), array.random("c", 4, 3), array.random("c", 2, 4)
			local T, C = rocblas.operation_transpose, rocblas.operation_conjugate_transpose
			local product = array.multiply(A, B, C, T)
			t:near(array.product_residual(product, A, B, {transA = C, transB = T}), 0, 1e-6)
			local sum = array.add(product, C0, {1, 2}, 3)
			t:near(array.product_residual(sum, A, B, {transA = C, transB = T, alpha = {1, 2}, beta = 3, C0 = C0}), 0,
				1e-6)
			t:check(array.product_residual(sum, A, B, {transA = C, transB = T}) > 0.1)
			local one, i = array.identity("d", 2), array.identity("z", 2):scale({0, 1})
			t:equal(array.product_residual(i, one, one, {alpha = {0, 1}}), 0)
			local x = array.of("d", {1})
			t:equal(array.product_residual(array.zeros("d", 1), x, x, {alpha = {0, 1}}), 1)
			t:equal(array.product_residual(x, x, x, {beta = {0, 1}, C0 = x}), 0.5)`,
		"batches": `local A, X = array.random("d", 4, 12), array.random("d", 4, 6)
			local B = array.zeros("d", 4, 6)
			for i = 1, 3 do B:paste(1, 2 * i - 1, array.multiply(A:problem(i, 3), X:problem(i, 3))) end
			t:near(array.residual(A, X, B, 3), 0, 1e-15)
			B:set(1, 6, 100)
			t:equal(array.residual(A, X, B, 3), array.residual(A:problem(3, 3), X:problem(3, 3), B:problem(3, 3)))
			B:set(1, 1, 0/0)
			t:check(array.residual(A, X, B, 3) ~= array.residual(A, X, B, 3), "a NaN in any problem")`,
		"empty": `local wide, tall = array.zeros("d", 0, 2^20), array.zeros("d", 2^20, 0)
			t:equal(array.residual(wide, tall, array.zeros("d", 0, 0)), 0)
			t:equal(array.norm(array.zeros("d", 0, 2^29)), 0)`,
	} {
		t.Run(name, func(t *testing.T) {
			if rec := run(t, scenario("", body), record.Case{}); !rec.Passed() {
				t.Errorf("%v %+v %v", rec.End, rec.Checks, rec.Problems)
			}
		})
	}
}

// TestRandomNumbers checks the range of random numbers, and matrices that are made of them.
func TestRandomNumbers(t *testing.T) {
	rec := run(t, scenario("", `
		for _, T in ipairs{"s", "d"} do
			local low, high = 1, -1
			for _, x in ipairs(array.random(T, 1000, 1, 5):totable()) do
				low, high = math.min(low, x), math.max(high, x)
			end
			t:check(-1 <= low and low < -0.9 and 0.9 < high and high < 1, T)
		end
		local low, high = {1, 1}, {-1, -1}
		for _, z in ipairs(array.random("z", 1000, 1, 5):totable()) do
			for p = 1, 2 do low[p], high[p] = math.min(low[p], z[p]), math.max(high[p], z[p]) end
		end
		for p = 1, 2 do t:check(-1 <= low[p] and low[p] < -0.9 and 0.9 < high[p] and high[p] < 1, "part " .. p) end
		local dominant = array.diagonally_dominant("d", 3, 4, 7)
		t:near(array.max_difference(array.subtract(dominant, array.random("d", 3, 4, 7)),
			array.identity("d", 3, 4):scale(6)), 0, 1e-15)
		for _, T in ipairs{"d", "z"} do
			local S = array.positive_definite(T, 40, 3)
			for i = 1, 40 do
				local x, y = S:get(i, i), S:get(i, i % 40 + 1)
				if T == "z" then x, y = x[1], y[1] end
				t:check(1 <= x and x < 3 and -0.5 < y and y < 0.5, T .. i)
			end
		end`), record.Case{})
	if !rec.Passed() {
		t.Errorf("%v %+v", rec.End, rec.Checks)
	}
}

// TestArithmeticErrors checks that errors about shapes have both shapes.
func TestArithmeticErrors(t *testing.T) {
	for call, parts := range map[string][]string{
		`array.multiply(d(2, 3), d(2, 3))`:                       {"2x3", "op(B)", "op(A)"},
		`array.add(d(2, 3), d(3, 2))`:                            {"3x2", "A, 2x3"},
		`array.residual(d(2, 3), d(2, 1), d(2, 1))`:              {"x: 2x1", "A, 2x3", "3x1"},
		`array.residual(d(2, 3), d(3, 1), d(3, 1))`:              {"b: 3x1", "A, 2x3", "2x1"},
		`array.residual(d(2, 5), d(2, 2), d(2, 2), 2)`:           {"2x5", "2 problems"},
		`array.lu_residual(d(3, 3), d(3, 3), d(3, 1))`:           {"pivot 1 is 0", "1..3"},
		`array.lu_residual(d(3, 3), d(3, 3), d(2, 1))`:           {"ipiv: 2x1", "A, 3x3"},
		`array.cholesky_residual(d(3, 2), d(3, 2), 121)`:         {"A: 3x2 is not a square matrix"},
		`array.cholesky_residual(d(3, 3), d(2, 2), 121)`:         {"2x2", "A, 3x3"},
		`array.cholesky_residual(d(3, 3), d(3, 3), 5)`:           {"uplo", "got 5"},
		`array.qr_residual(d(3, 2), d(3, 2), d(3, 1))`:           {"tau: 3x1", "2x1"},
		`array.orthogonal_factor(d(3, 2), d(3, 1))`:              {"3 elements", "QR, 3x2"},
		`array.inverse_residual(d(3, 3), d(3, 2))`:               {"X: 3x2", "A, 3x3"},
		`array.eigen_residual(d(3, 3), d(3, 2), d(3, 1))`:        {"w: 3x1", "2x1"},
		`array.svd_residual(d(3, 2), d(3, 1), d(2, 1), d(2, 2))`: {"U: 3x1", "A, 3x2", "3x2"},
		`array.residual(d(0, 0), d(3, 1), d(0, 1))`: {
			"x: 3x1 does not fit A, 0x0: it must be 0x1",
		},
		`array.residual(d(2, 6), d(2, 2), d(2, 2), 2)`: {
			"x: 2x1 does not fit A, 2x3 in each problem: it must be 3x1",
		},
		`array.svd_residual(d(3, 0), d(2, 0), d(0, 1), d(0, 0))`: {
			"U: 2x0 does not fit A, 3x0: it must be 3x0",
		},
		`array.svd_residual(d(3, 2), d(3, 2), d(2, 1), d(1, 2))`:                    {"V: 1x2", "A, 3x2", "2x2"},
		`array.zeros("d", 2^16, 2^16)`:                                              {"65536 x 65536", "4 GiB"},
		`array.zeros("d", 2^30)`:                                                    {"1073741824 x 1", "4 GiB"},
		`array.of("d", {128}):convert("i8")`:                                        {"element 1 is 128"},
		`array.of("d", {0, -129}):convert("i8")`:                                    {"element 2 is -129"},
		`d(2, 3):block(1, 2, 1, 3)`:                                                 {"1x3", "2x3"},
		`array.product_residual(d(3, 2), d(3, 3), d(2, 2))`:                         {"3x2", "3x3", "2x2"},
		`array.product_residual(d(2, 2), d(2, 2), d(2, 2), {beta = 1})`:             {"C0", "missing"},
		`array.product_residual(d(2, 2), d(2, 2), d(2, 2), {gamma = 1})`:            {"unknown option"},
		`array.product_residual(d(2, 2), d(2, 2), d(2, 2), {beta=1, C0 = d(2, 3)})`: {"C0: 2x3", "C, 2x2"},
		`array.product_residual(d(2, 0), d(2, 2), d(2, 0), {beta = 1, C0 = d(2, 1)})`: {
			"C0: 2x1 does not fit C, 2x0: it must be 2x0",
		},
		`array.max_difference(d(2, 2), d(3, 1))`:                               {"3x1", "2x2"},
		`array.is_sorted(array.zeros("c", 2))`:                                 {"no order"},
		`d(3, 3):block(2, 2, 3, 1)`:                                            {"3x1", "3x3"},
		`d(3, 3):paste(1, 1, array.zeros("s", 1))`:                             {"type s", "d"},
		`d(3, 3):reshape(2, 4)`:                                                {"2x4", "3x3"},
		`d(3, 3):problem(1, 2)`:                                                {"3x3", "2 problems"},
		`array.of("d", {300}):convert("i8")`:                                   {"element 1 is 300", "127"},
		`array.of("d", {0/0}):convert("i32")`:                                  {"element 1 is NaN"},
		`array.positive_definite("i32", 3)`:                                    {"i32"},
		`array.zeros("s", 2^36, 0)`:                                            {"68719476736 x 0", "4 GiB"},
		`array.multiply(array.zeros("d", 2^20, 0), array.zeros("d", 0, 2^20))`: {"4 GiB"},
	} {
		body := fmt.Sprintf(`local function d(rows, cols) return array.zeros("d", rows, cols) end
			local ok, err = pcall(function() return %s end)
			t:metric("message", ok and "no error" or tostring(err))`, call)
		rec := run(t, scenario("", body), record.Case{})
		if len(rec.Metrics) != 1 {
			t.Errorf("%s: %+v", call, rec.End)
			continue
		}
		for _, part := range parts {
			if message := fmt.Sprint(rec.Metrics[0].Value); !strings.Contains(message, part) {
				t.Errorf("%s: %q does not contain %q", call, message, part)
			}
		}
	}
}
