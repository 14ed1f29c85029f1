package luabind_test

import (
	"strings"
	"testing"

	"roclua/luabind/record"
)

// numbers are functions of Lua for the tests below. Matrices are lists of rows.
const numbers = `
	local rocblas, hip, array = require "rocblas", require "hip", require "array"
	local hipblas, hipsolver = require "hipblas", require "hipsolver"
	local handle, work, bytes, info = rocblas.create_handle(), hip.malloc(1048576), 1048576, hip.malloc(64)
	local function device(rows)
		local m, n = #rows, #rows[1]
		local host = array.zeros("d", m, n)
		for i = 1, m do for j = 1, n do host[i + (j - 1) * m] = rows[i][j] end end
		local p = hip.malloc(8 * m * n)
		hip.memcpy(p, host, 8 * m * n)
		return p
	end
	local function read(p, m, n)
		local host, rows = array.zeros("d", m, n), {}
		hip.device_synchronize()
		hip.memcpy(host, p, 8 * m * n)
		for i = 1, m do
			rows[i] = {}
			for j = 1, n do rows[i][j] = host[i + (j - 1) * m] end
		end
		return rows
	end
	local function times(a, b)
		local c = {}
		for i = 1, #a do
			c[i] = {}
			for j = 1, #b[1] do
				c[i][j] = 0
				for k = 1, #b do c[i][j] = c[i][j] + a[i][k] * b[k][j] end
			end
		end
		return c
	end
	local function transposed(a)
		local b = {}
		for j = 1, #a[1] do b[j] = {} for i = 1, #a do b[j][i] = a[i][j] end end
		return b
	end
	local function same(have, want)
		for i = 1, #want do for j = 1, #want[1] do t:near(have[i][j], want[i][j], 1e-12) end end
	end
	local A, B = {{4, 1, 2}, {1, 5, 3}, {2, 3, 6}}, {{1, 2}, {3, 4}, {5, 6}}
	local N = {{2, 1, 0}, {1, 3, 1}, {0, 1, 2}} -- positive definite
`

// TestLayersCompute compares results of hipSOLVER and hipBLAS on the simulated device with their problems.
func TestLayersCompute(t *testing.T) {
	for name, body := range map[string]string{
		"gesv": `
			local a, b, x, ipiv = device(A), device(B), hip.malloc(48), hip.malloc(12)
			hipsolver.DDgesv(handle, 3, 2, a, 3, ipiv, b, 3, x, 3, work, bytes, nil, info)
			same(times(A, read(x, 3, 2)), B)
			same(read(b, 3, 2), B)
			a = device(A)
			hipsolver.DnDDgesv(handle, 3, 2, a, 3, ipiv, b, 3, b, 3, work, bytes, nil, info) -- X replaces B
			same(times(A, read(b, 3, 2)), B)`,
		"gels": `
			local L, b = {{1, 0}, {1, 1}, {1, 3}}, {{1}, {2}, {2}}
			local x = hip.malloc(24)
			hipsolver.DDgels(handle, 3, 2, 1, device(L), 3, device(b), 3, x, 2, work, bytes, nil, info)
			local X, T = read(x, 2, 1), transposed(L)
			same(times(times(T, L), X), times(T, b)) -- the normal equations
			hipsolver.DDgels(handle, 2, 3, 1, device(T), 2, device {{1}, {2}}, 2, x, 3, work, bytes, nil, info)
			same(times(T, read(x, 3, 1)), {{1}, {2}})`,
		"gesvdj": `
			local options, L = hipsolver.CreateGesvdjInfo(), {{1, 2}, {3, 4}, {5, 7}}
			local s, u, v = hip.malloc(16), hip.malloc(72), hip.malloc(72)
			local function product(m, n, econ)
				local S, U, V = read(s, 2, 1), read(u, m, 2), read(v, n, 2)
				return times(times(U, {{S[1][1], 0}, {0, S[2][1]}}), transposed(V))
			end
			hipsolver.Dgesvdj(handle, hipsolver.eig_mode_vector, 1, 3, 2, device(L), 3, s, u, 3, v, 2, work, bytes,
				info, options)
			same(product(3, 2), L)
			hipsolver.Dgesvdj(handle, hipsolver.eig_mode_vector, 1, 2, 3, device(transposed(L)), 2, s, u, 2, v, 3,
				nil, 0, info, options)
			same(product(2, 3), transposed(L))
			hipsolver.DestroyGesvdjInfo(options)`,
		"gesvda": `
			local L, s, u, v = {{1, 2}, {3, 4}, {5, 7}}, hip.malloc(16), hip.malloc(48), hip.malloc(32)
			local lwork = hipsolver.DnDgesvdaStridedBatched_bufferSize(handle, hipsolver.eig_mode_vector, 2, 3, 2, nil,
				3, 6, nil, 2, nil, 3, 6, nil, 2, 4, 1)
			t:equal(lwork > 0, true)
			hipsolver.DnDgesvdaStridedBatched(handle, hipsolver.eig_mode_vector, 2, 3, 2, device(L), 3, 6, s, 2, u, 3,
				6, v, 2, 4, work, bytes, info, array.zeros("d", 1), 1)
			local S, U, V = read(s, 2, 1), read(u, 3, 2), read(v, 2, 2)
			same(times(times(U, {{S[1][1], 0}, {0, S[2][1]}}), transposed(V)), L)`,
		"options of syevj": `
			local options, w = hipsolver.CreateSyevjInfo(), hip.malloc(24)
			local function solve(tolerance)
				hipsolver.XsyevjSetTolerance(options, tolerance)
				hipsolver.Dsyevj(handle, hipsolver.eig_mode_novector, hipsolver.fill_mode_lower, 3, device(A), 3, w,
					work, bytes, info, options)
				return hipsolver.XsyevjGetSweeps(handle, options), hipsolver.XsyevjGetResidual(handle, options)
			end
			local sweeps, residual = solve(0)
			local fewer, larger = solve(0.1)
			t:equal(sweeps > fewer and residual < larger, true)
			hipsolver.DestroySyevjInfo(options)`,
		"syevdx": `
			local a, w = device(A), hip.malloc(24)
			local count = hipsolver.Dsyevdx(handle, hipsolver.eig_mode_vector, hipsolver.eig_range_i,
				hipsolver.fill_mode_lower, 3, a, 3, 0, 0, 2, 3, w, work, bytes, info)
			t:equal(count, 2)
			local V, W = read(a, 3, 2), read(w, 2, 1)
			same(times(A, V), times(V, {{W[1][1], 0}, {0, W[2][1]}}))
			count = hipsolver.Dsyevdx(handle, hipsolver.eig_mode_novector, hipsolver.eig_range_v,
				hipsolver.fill_mode_lower, 3, device(A), 3, -1000, -999, 0, 0, w, work, bytes, info)
			t:equal(count, 0)`,
		"sygvdx": `
			local a, w = device(A), hip.malloc(24)
			local count = hipsolver.Dsygvdx(handle, hipsolver.eig_type_1, hipsolver.eig_mode_vector,
				hipsolver.eig_range_i, hipsolver.fill_mode_upper, 3, a, 3, device(N), 3, 0, 0, 1, 2, w, work, bytes,
				info)
			t:equal(count, 2)
			local V, W = read(a, 3, 2), read(w, 2, 1)
			same(times(A, V), times(times(N, V), {{W[1][1], 0}, {0, W[2][1]}}))`,
		"sytrd": `
			local a, d, e, tau = device(A), hip.malloc(24), hip.malloc(16), hip.malloc(16)
			hipsolver.Dsytrd(handle, hipsolver.fill_mode_lower, 3, a, 3, d, e, tau, work, bytes, info)
			hipsolver.Dorgtr(handle, hipsolver.fill_mode_lower, 3, a, 3, tau, work, bytes, info)
			local Q, D, E = read(a, 3, 3), read(d, 3, 1), read(e, 2, 1)
			local T = {{D[1][1], E[1][1], 0}, {E[1][1], D[2][1], E[2][1]}, {0, E[2][1], D[3][1]}}
			same(times(times(Q, T), transposed(Q)), A)`,
		"functions with 64-bit sizes": `
			local params, r64 = hipsolver.DnCreateParams(), hipsolver.hip_r_64f
			local a, b, ipiv = device(A), device(B), hip.malloc(24)
			hipsolver.DnXgetrf(handle, params, 3, 3, r64, a, 3, ipiv, r64, nil, 0, nil, 0, info)
			hipsolver.DnXgetrs(handle, params, hipsolver.op_n, 3, 2, r64, a, 3, ipiv, r64, b, 3, info)
			same(times(A, read(b, 3, 2)), B)
			a, b = device(N), device(B)
			hipsolver.DnXpotrf(handle, params, hipsolver.fill_mode_lower, 3, r64, a, 3, r64, nil, 0, nil, 0, info)
			hipsolver.DnXpotrs(handle, params, hipsolver.fill_mode_lower, 3, 2, r64, a, 3, r64, b, 3, info)
			same(times(N, read(b, 3, 2)), B)
			local tau = hip.malloc(24)
			a = device(A)
			hipsolver.DnXgeqrf(handle, params, 3, 3, r64, a, 3, r64, tau, r64, nil, 0, nil, 0, info)
			local QR = hip.download(array.zeros("d", 3, 3), a)
			t:near(array.qr_residual(hip.download(array.zeros("d", 3, 3), device(A)), QR,
				hip.download(array.zeros("d", 3), tau)), 0, 1e-14)`,
		"gesvda by names, without strides": `
			local a, S, U, V = hip.malloc(144), hip.malloc(48), hip.malloc(144), hip.malloc(144)
			hip.memcpy(a, device(A), 72)
			hip.memcpy(a + 72, device(N), 72)
			hipsolver.DnDgesvdaStridedBatched { handle = handle, jobz = "vector", rank = 3, m = 3, n = 3, A = a, S = S,
				U = U, V = V, devInfo = info, batch_count = 2 }
			local s = hip.download(array.zeros("d", 3, 2), S)
			for i, p in ipairs { device(A), device(N) } do
				local want = array.singular_values(hip.download(array.zeros("d", 3, 3), p))
				t:near(array.max_difference(s:problem(i, 2), want), 0, 1e-12)
			end`,
		"hipblas geqrf of a batch": `
			local a, tau = device(A), hip.malloc(24)
			local pointers = hip.upload(array.pointers(a, 1, 72))
			t:equal(hipblas.DgeqrfBatched(handle, 3, 3, pointers, 3, hip.upload(array.pointers(tau, 1, 24)), 1), 0)
			t:near(array.qr_residual(hip.download(array.zeros("d", 3, 3), device(A)),
				hip.download(array.zeros("d", 3, 3), a), hip.download(array.zeros("d", 3), tau)), 0, 1e-14)`,
		"hipblas gemm": `
			local c = hip.malloc(48)
			hipblas.Dgemm(handle, hipblas.op_t, hipblas.op_n, 3, 2, 3, 1, device(A), 3, device(B), 3, 0, c, 3)
			same(read(c, 3, 2), times(transposed(A), B))`,
		"hipblas gemm of datatypes": `
			local c, f64 = hip.malloc(48), hipblas.hip_r_64f
			hipblas.GemmEx(handle, hipblas.op_t, hipblas.op_n, 3, 2, 3, 1, device(A), f64, 3, device(B), f64, 3, 0, c,
				f64, 3, hipblas.compute_64f, hipblas.gemm_default)
			same(read(c, 3, 2), times(transposed(A), B))
			t:near(hipblas.Nrm2Ex(handle, 6, device(B), f64, 1, f64, f64), 91 ^ 0.5, 1e-14)`,
		"hipblas copies": `
			local host, back, p = array.zeros("d", 2, 2), array.zeros("d", 2, 2), hip.malloc(32)
			host[2] = 7
			hipblas.SetMatrix(2, 2, 8, host, 2, p, 2)
			hipblas.GetMatrix(2, 2, 8, p, 2, back, 2)
			t:equal(back[2], 7)
			t:equal(hipblas.StatusToString(10), "HIPBLAS_STATUS_INVALID_ENUM")`,
		"hipblas trsm": `
			local b, U = device(B), {{4, 1, 2}, {0, 5, 3}, {0, 0, 6}}
			hipblas.Dtrsm(handle, hipblas.side_left, hipblas.fill_mode_upper, hipblas.op_n, hipblas.diag_non_unit, 3, 2,
				1, device(A), 3, b, 3)
			same(times(U, read(b, 3, 2)), B)`,
		"hipblas getrf and getrs": `
			local a, b, ipiv = device(A), device(B), hip.malloc(12)
			hipblas.Dgetrf(handle, 3, a, 3, ipiv, info)
			t:equal(hipblas.Dgetrs(handle, hipblas.op_n, 3, 2, a, 3, ipiv, b, 3), 0)
			same(times(A, read(b, 3, 2)), B)`,
		"hipblas ddot": `
			t:equal(hipblas.Ddot(handle, 3, device {{1}, {2}, {3}}, 1, device {{4}, {5}, {6}}, 1), 32)`,
	} {
		t.Run(name, func(t *testing.T) {
			rec := run(t, scenario("", numbers+strings.ReplaceAll(body, "\t", " ")), record.Case{})
			if rec.End != nil || len(rec.Checks) == 0 {
				t.Fatalf("%d checks; %v", len(rec.Checks), rec.End)
			}
			for _, c := range rec.Checks {
				if !c.Passed {
					t.Error(c.Text)
				}
			}
		})
	}
}
