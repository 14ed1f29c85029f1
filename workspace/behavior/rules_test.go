package behavior

import (
	"testing"

	"roclua/hip/routine"
	"roclua/workspace/status"
)

// TestLegalCallsContinue checks that every routine continues with legal arguments in each mode, except that a query of
// a family without workspace ends.
func TestLegalCallsContinue(t *testing.T) {
	eachRoutine(t, func(t *testing.T, r *routine.Routine) {
		a := legal(r)
		a.SetScalar(alpha, 2) // 1 ends a scaling
		for _, mode := range []Mode{{}, {DevicePointers: true}, {Query: true}, {Query: true, DevicePointers: true}} {
			want := "continues"
			switch {
			case r.Family.ID == routine.Rotm && r.Variant != routine.Plain && !mode.Query && !mode.DevicePointers:
				want = "not_implemented"
			case r.Family.ID == routine.GemmKernelName:
				want = "not_implemented"
			case mode.Query && runsInQueries(r):
			case mode.Query && len(r.Family.Buffers) == 0:
				want = "size_unchanged"
			}
			if have := outcome(a, mode); have != want {
				t.Errorf("%s %+v: %s (%s), want %s", r.CName(), mode, have, reason(a, mode), want)
			}
		}
	})
}

// runsInQueries reports whether a routine does not know about queries.
func runsInQueries(r *routine.Routine) bool {
	return r.Family.ID == routine.Tpsv && r.Variant == routine.StridedBatched
}

// TestQueriesTakeNullPointers checks that null pointers make no difference to a query, except for a few families.
func TestQueriesTakeNullPointers(t *testing.T) {
	eachRoutine(t, func(t *testing.T, r *routine.Routine) {
		a := legal(r)
		want := outcome(a, Mode{Query: true})
		for i := range r.Params {
			if p := &r.Params[i]; p.Kind.IsPointer() {
				a.SetPtr(p.Slot, 0)
			}
		}
		switch r.Family.ID {
		case routine.Tbmv:
			want = "invalid_pointer"
		case routine.Trsm, routine.TrsmEx, routine.CsrrfAnalysis, routine.CsrrfRefactlu, routine.CsrrfRefactchol,
			routine.CsrrfSolve:
			want = "crash"
		case routine.Tpsv:
			if runsInQueries(r) {
				want = "invalid_pointer"
			}
		}
		if have := outcome(a, Mode{Query: true}); have != want {
			t.Errorf("%s: %s, want %s", r.CName(), have, want)
		}
	})
}

// TestOrderOfChecks checks that enumerations come before sizes, sizes before pointers, and empty problems before most
// pointers.
func TestOrderOfChecks(t *testing.T) {
	for _, c := range []struct{ call, executed, queried string }{
		{"rocblas_dasum n=0 null=x,result", "invalid_pointer", "size_unchanged"},
		{"rocblas_dasum n=0 null=x", "success, zero", "size_unchanged"},
		{"rocblas_dasum incx=-1", "success, zero", "size_unchanged"},
		{"rocblas_dasum null=x", "invalid_pointer", "continues"},
		{"rocblas_dznrm2_batched batch_count=-1", "success, zero", "size_unchanged"},
		{"rocblas_isamax_64 n=-5", "success, zero", "size_unchanged"},
		{"rocblas_ddot incx=0 incy=-3", "continues", "continues"},
		{"rocblas_ddot n=0 null=result", "invalid_pointer", "size_unchanged"},
		{"rocblas_ddot_batched batch_count=0 null=x,y,result", "success, zero", "size_unchanged"},

		{"rocblas_dgemv trans=150 m=-1", "invalid_value", "continues"},
		{"rocblas_dgemv m=-1 lda=0 null=A", "invalid_size", "continues"},
		{"rocblas_dgemv m=0 lda=0", "invalid_size", "continues"},
		{"rocblas_dgemv m=0 lda=1 null=alpha,A,x,beta,y", "success", "continues"},
		{"rocblas_dgemv null=beta", "invalid_pointer", "continues"},
		{"rocblas_dgemv alpha=0 beta=1 null=A,x,y", "success", "continues"},
		{"rocblas_dgemv alpha=0 beta=0 null=A,x", "continues", "continues"},
		{"rocblas_dgemv alpha=0 beta=0 null=y", "invalid_pointer", "continues"},

		{"rocblas_dtrmv uplo=123 n=-1 incx=0", "invalid_value", "invalid_value"},
		{"rocblas_dtrmv n=0 lda=0", "invalid_size", "invalid_size"},
		{"rocblas_dtrsv n=10 lda=9", "invalid_size", "invalid_size"},
		{"rocblas_strsv_batched batch_count=0 null=A", "success", "size_unchanged"},
		{"rocblas_dtpmv incx=0", "invalid_size", "invalid_size"},
		{"rocblas_dtbmv_batched k=3 lda=3", "invalid_size", "invalid_size"},
		{"rocblas_dtbmv_batched batch_count=0 null=A,x", "success", "size_unchanged"},
		{"rocblas_dtbmv null=x", "invalid_pointer", "invalid_pointer"},
		{"rocblas_dtrmv_64 n=lda=2147483648", "continues", "continues"}, // refused after memory is allocated
		{"rocblas_dsymv n=0", "success", "success"},
		{"rocblas_zhemv uplo=0 lda=0", "invalid_value", "invalid_value"},
		{"rocblas_zhemv null=alpha", "invalid_pointer", "continues"},

		{"rocblas_dgemm transB=0 m=-1", "invalid_value", "size_unchanged"},
		{"rocblas_dgemm ldb=3", "invalid_size", "size_unchanged"},
		{"rocblas_dgemm k=0 beta=0 null=alpha,A,B", "continues", "size_unchanged"},
		{"rocblas_dgemm k=0 null=alpha,A,B,C", "success", "size_unchanged"},
		{"rocblas_dgemm k=0 beta=2 null=C", "invalid_pointer", "size_unchanged"},
		{"rocblas_dgemmt k=0 beta=2", "continues", "size_unchanged"},
		{"rocblas_dgemmt_64 n=lda=ldc=2147483648 k=0 beta=2", "success", "size_unchanged"}, // C is not scaled
		{"rocblas_dsymm side=143", "invalid_value", "size_unchanged"},
		{"rocblas_dsymm m=n=0 lda=ldb=ldc=0", "success", "size_unchanged"},
		{"rocblas_dsyrk transA=113", "continues", "continues"},
		{"rocblas_zsyrk transA=113 n=-1", "invalid_value", "continues"},
		{"rocblas_zherk transA=112", "invalid_value", "continues"},
		{"rocblas_zher2k trans=112", "invalid_value", "size_unchanged"},
		{"rocblas_zherkx trans=113", "continues", "size_unchanged"},
		{"rocblas_dsyrk k=0 beta=0 null=alpha", "crash", "continues"},
		{"rocblas_dsyrk k=0 beta=0 null=alpha,C", "invalid_pointer", "continues"},
		{"rocblas_dsyrk_64 k=0 beta=0", "success", "continues"}, // C is not scaled
		{"rocblas_dsyrk n=0", "success", "size_unchanged"},
		{"rocblas_dtrmm alpha=0 null=A,B", "continues", "size_unchanged"},
		{"rocblas_dtrmm null=C", "invalid_pointer", "size_unchanged"},
		{"rocblas_dtrsm diag=0 m=-1", "invalid_value", "invalid_value"},
		{"rocblas_dtrsm m=0 ldb=0 lda=0 null=alpha,A,B", "success", "size_unchanged"},
		{"rocblas_dtrsm null=alpha", "invalid_pointer", "crash"},
		{"rocblas_dtrtri uplo=0 n=-1", "invalid_value", "continues"},
		{"rocblas_dtrtri ldinvA=3", "invalid_size", "continues"},
		{"rocblas_dtrtri n=0 lda=0 null=A,invA", "success", "size_unchanged"},

		{"rocblas_dot_ex x_type=150 null=x", "invalid_pointer", "continues"},
		{"rocblas_dot_ex x_type=150", "continues", "continues"}, // refused after memory is allocated
		{"rocblas_dotc_ex n=0 x_type=0 null=x,y", "success, zero", "size_unchanged"},
		{"rocblas_nrm2_batched_ex incx=-1", "success, zero", "size_unchanged"},
		{"rocblas_trsm_ex compute_type=150 side=0", "not_implemented", "not_implemented"},
		{"rocblas_trsm_ex side=0 m=-1", "invalid_value", "invalid_value"},
		{"rocblas_gemm_ex compute_type=168 m=-1", "not_implemented", "size_unchanged"},
		{"rocblas_gemm_ex b_type=151", "not_implemented", "size_unchanged"},
		{"rocblas_gemm_ex ldd=3 b_type=151", "invalid_size", "size_unchanged"},
		{"rocblas_gemm_ex beta=0 null=c", "continues", "size_unchanged"},
		{"rocblas_gemm_ex null=c", "invalid_pointer", "size_unchanged"},
		{"rocblas_gemm_ex a_type=150 compute_type=151 transA=0", "invalid_value", "invalid_value"},
		{"rocblas_gemm_ex a_type=150 compute_type=151 m=0", "success", "size_unchanged"},
		{"rocblas_gemm_ex a_type=b_type=c_type=d_type=150 compute_type=151", "continues", "continues"},
		{"rocblas_gemm_ex a_type=b_type=c_type=d_type=150 compute_type=151 null=alpha", "invalid_pointer", "crash"},
		{"rocblas_syrk_ex execution_type=168 n=0", "not_implemented", "size_unchanged"},
		{"rocblas_syrk_ex n=0 a_type=0 uplo=0 null=alpha,A,beta,C", "success", "size_unchanged"},
		{"rocblas_syrk_ex a_type=150 uplo=0 n=-1", "not_implemented", "continues"},
		{"rocblas_syrk_ex uplo=0 n=-1", "invalid_value", "continues"},
		{"rocblas_syrk_ex transA=113 lda=3", "invalid_size", "continues"},
		{"rocblas_syrk_ex k=0 null=alpha,A,C", "success", "continues"},
		{"rocblas_syrk_ex k=0 beta=0 null=alpha,A", "crash", "continues"},
		{"rocblas_syrk_ex k=0 beta=0 null=alpha,C", "invalid_pointer", "continues"},
		{"rocblas_syrk_ex k=0 null=beta", "invalid_pointer", "continues"},
		{"rocblas_gemm_ex3 compute_type=305 n=0", "not_implemented", "not_implemented"},
		{"rocblas_gemm_ex3 a_type=0 n=0 null=alpha", "success", "size_unchanged"},
		{"rocblas_gemm_ex3 transA=0 n=-1", "invalid_value", "invalid_value"},
		{"rocblas_gemm_ex3 a_type=0 null=d", "continues", "continues"}, // not modelled
		{"rocblas_sgemm_kernel_name n=-1", "not_implemented", "not_implemented"},

		{"rocsolver_dgetrf m=-1 null=A", "invalid_size", "invalid_size"},
		{"rocsolver_dgetrf lda=3", "invalid_size", "invalid_size"},
		{"rocsolver_dgetrf m=0 lda=0 null=A,ipiv", "continues", "size_unchanged"},
		{"rocsolver_dgetrf m=0 null=info", "invalid_pointer", "size_unchanged"},
		{"rocsolver_dgetrf_batched batch_count=0 null=info", "continues", "size_unchanged"},
		{"rocsolver_dgetrf_batched batch_count=0 null=A", "invalid_pointer", "size_unchanged"},
		{"rocsolver_dgetrs trans=0 n=-1", "invalid_value", "invalid_value"},
		{"rocsolver_dgetrs nrhs=-1", "invalid_size", "invalid_size"},
		{"rocsolver_dgetrs nrhs=0 null=B", "continues", "size_unchanged"},
		{"rocsolver_dgesv ldb=3", "invalid_size", "invalid_size"},
		{"rocsolver_dpotrf uplo=123 lda=0", "invalid_value", "invalid_value"},
		{"rocsolver_dposv null=info", "invalid_pointer", "continues"},
		{"rocsolver_dgeqrf null=ipiv", "invalid_pointer", "continues"},
		{"rocsolver_dcsrrf_sumlu nnzL=3", "invalid_size", "invalid_size"},
		{"rocsolver_dcsrrf_sumlu nnzU=0 null=indT,valT,indU,valU", "continues", "size_unchanged"},
		{"rocsolver_dcsrrf_sumlu nnzU=0 null=indL", "invalid_pointer", "size_unchanged"},
		{"rocsolver_dcsrrf_sumlu n=nnzL=0 null=ptrT", "invalid_pointer", "size_unchanged"},
		{"rocsolver_dcsrrf_sumlu n=0 nnzU=0 null=indT", "invalid_pointer", "size_unchanged"},
		{"rocsolver_dcsrrf_splitlu nnzT=-1 null=ptrT", "invalid_size", "invalid_size"},
		{"rocsolver_dcsrrf_splitlu nnzT=0 null=indT,valT,indU,valU", "continues", "size_unchanged"},
		{"rocsolver_dcsrrf_splitlu nnzT=0 null=indL", "invalid_pointer", "size_unchanged"},
		{"rocsolver_dcsrrf_splitlu n=nnzT=0 null=indL,valL,indT,valT", "continues", "size_unchanged"},
		{"rocsolver_dcsrrf_splitlu null=valU", "invalid_pointer", "continues"},
		{"rocsolver_dcsrrf_analysis ldb=3", "invalid_size", "invalid_size"},
		{"rocsolver_dcsrrf_analysis nrhs=0 null=rfinfo", "invalid_pointer", "crash"},
		{"rocsolver_dcsrrf_analysis n=0 null=rfinfo", "invalid_pointer", "size_unchanged"},
		{"rocsolver_dcsrrf_solve nrhs=0 null=rfinfo", "invalid_pointer", "size_unchanged"},
	} {
		a := call(t, c.call)
		if have := outcome(a, Mode{}); have != c.executed {
			t.Errorf("%s: %s (%s), want %s", c.call, have, reason(a, Mode{}), c.executed)
		}
		if have := outcome(a, Mode{Query: true}); have != c.queried {
			t.Errorf("%s in a query: %s (%s), want %s", c.call, have, reason(a, Mode{Query: true}), c.queried)
		}
	}
}

// TestDevicePointers checks that level 2 and symm do not check arrays in device pointer mode, and that other routines
// decide by the fetched scalars.
func TestDevicePointers(t *testing.T) {
	for text, want := range map[string]string{
		"rocblas_dgemv null=A,x,y":                               "continues",
		"rocblas_dgemv null=alpha":                               "invalid_pointer",
		"rocblas_dsymv null=A,x,y":                               "continues",
		"rocblas_dsymm null=A,B,C":                               "continues",
		"rocblas_dsymm m=33 lda=ldb=ldc=33 null=B":               "internal_error",
		"rocblas_dsymm m=33 lda=ldb=ldc=33 null=A":               "continues",
		"rocblas_dsymm_64 m=33 lda=ldb=33 ldc=2147483648 null=B": "continues",
		"rocblas_dsyrk_64 k=0 beta=0 null=C":                     "success",
		"rocblas_dgemm null=A":                                   "invalid_pointer",
		"rocblas_dgemm alpha=0 beta=0 null=A":                    "continues",
		"rocblas_dsyrk alpha=0 beta=1 null=A,C":                  "success",
		"rocblas_dtrsm null=A":                                   "continues",
		"rocblas_dtrsm null=B":                                   "invalid_pointer",
		"rocblas_dasum n=0":                                      "success, zero",
	} {
		if have := outcome(call(t, text), Mode{DevicePointers: true}); have != want {
			t.Errorf("%s: %s, want %s", text, have, want)
		}
	}
}

// TestFetches checks which scalars are copied to the host.
func TestFetches(t *testing.T) {
	for text, want := range map[string][2]bool{
		"rocblas_dgemm":                {true, true},
		"rocblas_dgemm transA=0":       {true, true}, // before the first check
		"rocblas_dgemm k=0":            {false, true},
		"rocblas_dgemm null=beta":      {true, false},
		"rocblas_dsyrk":                {true, true},
		"rocblas_dsyrk transA=0":       {false, false},
		"rocblas_dsyrk_64 k=0":         {false, false},
		"rocblas_dsymm m=0":            {false, false},
		"rocblas_dtrmm":                {true, false},
		"rocblas_dtrmm n=0":            {false, false},
		"rocblas_dgemv":                {false, false},
		"rocblas_dtrsm":                {false, false},
		"rocblas_dasum":                {false, false},
		"rocsolver_dgetrf":             {false, false},
		"rocblas_zher2k_batched_64":    {true, true},
		"rocblas_dsyrkx_batched n=0":   {true, true},
		"rocblas_zherk_batched lda=-1": {false, false},
	} {
		a := call(t, text)
		if alpha, beta := fetches(a, Mode{DevicePointers: true}); [2]bool{alpha, beta} != want {
			t.Errorf("%s: alpha %v, beta %v, want %v", text, alpha, beta, want)
		}
		for _, mode := range []Mode{{}, {Query: true}, {Query: true, DevicePointers: true}} {
			if alpha, beta := fetches(a, mode); alpha || beta {
				t.Errorf("%s fetches in %+v", text, mode)
			}
		}
	}
}

// TestFetchesInQueries checks that the queries that choose a kernel copy scalars as executed calls do.
func TestFetchesInQueries(t *testing.T) {
	const wide = " a_type=150 b_type=150 c_type=151 d_type=151 compute_type=151"
	for text, want := range map[string]bool{
		"rocblas_gemm_ex" + wide:                     true,
		"rocblas_gemm_batched_ex_64" + wide + " n=0": true, // before the first check
		"rocblas_gemm_ex":                            false,
		"rocblas_syrk_ex":                            false,
	} {
		alpha, beta := fetches(call(t, text), Mode{Query: true, DevicePointers: true})
		if alpha != want || beta != want {
			t.Errorf("%s: alpha %v, beta %v, want %v", text, alpha, beta, want)
		}
	}
}

// TestWithoutWorkspace checks that trsm with a host alpha of 0 computes without memory, in a query as well.
func TestWithoutWorkspace(t *testing.T) {
	a := call(t, "rocblas_dtrsm alpha=0 null=A")
	for _, mode := range []Mode{{}, {Query: true}} {
		if d := Decide(a, mode); d.Status != 0 || d.Effect != WithoutWorkspace || d.Ends() {
			t.Errorf("%+v: %v, effect %d, ends %v; want success, WithoutWorkspace", mode, d.Status, d.Effect, d.Ends())
		}
		if why := reason(a, mode); why != "" {
			t.Errorf("%+v: a call that continues is explained: %s", mode, why)
		}
	}
}

// TestAfterAllocation checks which calls are refused once their memory is allocated.
func TestAfterAllocation(t *testing.T) {
	for text, refused := range map[string]bool{
		"rocblas_dtrmv_64 n=lda=2147483647":                false,
		"rocblas_dtrmv_64 n=lda=2147483648":                true,
		"rocblas_dtbmv_64 k=2147483648 lda=2147483649":     true,
		"rocblas_zhemv_64 n=lda=2147483648":                true,
		"rocblas_dgemv_64 m=n=lda=2147483648":              false,
		"rocblas_dgemm_64 m=n=k=lda=ldb=ldc=2147483648":    false,
		"rocblas_dsyrk_64 n=lda=ldc=2147483648":            true,
		"rocblas_dsyrk_64 k=2147483648":                    false,
		"rocblas_dtrmm_64 m=lda=ldb=ldc=268435456":         false,
		"rocblas_dtrmm_64 m=lda=ldb=ldc=268435457":         true,
		"rocblas_dtrmm_64 m=lda=ldb=ldc=268435457 alpha=0": false,
		"rocblas_dtrmm_64 n=268435457":                     false,
		"rocblas_dtrmm_64 side=142 n=lda=268435457":        true,
		"rocblas_dtrmm m=lda=ldb=ldc=268435457":            false,
		"rocblas_dtrsm_64 m=lda=ldb=2147483648":            true,
		"rocblas_dtrsm_64 side=142 m=ldb=2147483648":       false,
		"rocblas_dgbmv_64 m=2147483648":                    true,
		"rocblas_dgbmv_64 n=2147483647":                    false,
		"rocblas_dsbmv_64 n=2147483648":                    true,
		"rocblas_zhpmv_64 n=2147483648":                    true,
		"rocblas_dtbsv_64 n=2147483648":                    true,
		"rocblas_dtpsv_64 n=2147483648":                    true,
		"rocblas_dtpsv_64 n=2147483647":                    false,
		"rocblas_dsyr_64 n=lda=2147483648":                 false,
		"rocblas_zher_64 n=lda=2147483648":                 true,
		"rocblas_dspr_64 n=2147483648":                     true,
		"rocblas_dsyr2_64 n=lda=2147483648":                true,
		"rocblas_zhpr2_64 n=2147483648":                    true,
		"rocblas_dgemmt_64 n=lda=ldc=2147483648":           true,
	} {
		a := call(t, text)
		if have := outcome(a, Mode{}); have != "continues" {
			t.Errorf("%s: %s, want that it continues", text, have)
		}
		d := Decide(a, Mode{})
		if have := d.Effect == AfterAllocation; have != refused || have && d.Status != status.InvalidSize {
			t.Errorf("%s: %v, refused %v, want %v", text, d.Status, have, refused)
		}
	}
}
