package footprint_test

import (
	"strings"
	"testing"

	"roclua/workspace"
	"roclua/workspace/footprint"
)

// returned returns the result of a function of hipSOLVER, in its unit.
func returned(t *testing.T, profile, call string) (lwork, unit uint64, err error) {
	t.Helper()
	c, err := footprint.Parse(call)
	if err != nil {
		return 0, 0, err
	}
	s, err := footprint.NewSequence([]*footprint.Call{c}, nil)
	if err != nil {
		return 0, 0, err
	}
	p, err := workspace.FindProfile(profile)
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.On(footprint.Target{Profile: p, Arch: "gfx90a"}, nil)
	if err != nil {
		return 0, 0, err
	}
	if err := f.Refused(); err != nil {
		return 0, 0, err
	}
	if len(f.Held) != 0 {
		t.Errorf("%s: a handle holds %v", call, f.Held)
	}
	r := f.Calls[0].Returned
	return r.Lwork, r.Each, nil
}

// TestHipSOLVERNames checks that names and numbers of enumerations mean the same, also in cuSOLVER.
func TestHipSOLVERNames(t *testing.T) {
	for _, calls := range [][]string{
		{
			"hipsolverDnDsyevd_bufferSize jobz=vector uplo=lower n=1000 lda=1000",
			"hipsolverDnDsyevd_bufferSize jobz=202 uplo=122 n=1000",
			"hipsolverDnDsyevd_bufferSize jobz=V uplo=L n=1000",
			"hipsolverDnDsyevd_bufferSize jobz=HIPSOLVER_EIG_MODE_VECTOR uplo=HIPBLAS_FILL_MODE_LOWER n=1000",
			"cusolverDnDsyevd_bufferSize jobz=CUSOLVER_EIG_MODE_VECTOR uplo=CUBLAS_FILL_MODE_LOWER n=1000",
			"hipsolverDsyevd_bufferSize jobz=eig_mode_vector uplo=fill_mode_lower n=1000",
		},
		{
			"hipsolverSgesvd_bufferSize jobu=S jobv=N m=300 n=200",
			"hipsolverSgesvd_bufferSize jobu=83 jobv=78 m=300 n=200",
		},
		{
			"hipsolverDnZunmqr_bufferSize side=right trans=c m=300 n=200 k=100",
			"hipsolverDnZunmqr_bufferSize side=142 trans=HIPBLAS_OP_C m=300 n=200 k=100",
		},
		{
			"hipsolverDnXgetrf_bufferSize dataTypeA=HIP_C_32F m=300 n=200",
			"cusolverDnXgetrf_bufferSize dataTypeA=CUDA_C_32F computeType=4 m=300 n=200",
		},
		{
			"hipsolverZhegvdx_bufferSize itype=2 range=i il=1 iu=9 n=300",
			"hipsolverZhegvdx_bufferSize itype=HIPSOLVER_EIG_TYPE_2 range=223 il=1 iu=9 n=300",
		},
	} {
		want, _, err := returned(t, "rocm-7.2", calls[0])
		if err != nil || want == 0 {
			t.Errorf("%s: %d, %v", calls[0], want, err)
		}
		for _, other := range calls[1:] {
			if have, _, err := returned(t, "rocm-7.2", other); have != want || err != nil {
				t.Errorf("%s: %d, %v, want %d", other, have, err, want)
			}
		}
	}
}

// TestHipSOLVERUnits checks the units of results.
func TestHipSOLVERUnits(t *testing.T) {
	for _, test := range []struct {
		profile, call string
		lwork, unit   uint64
	}{
		{"rocm-6.4", "hipsolverDnDsyevd_bufferSize jobz=vector uplo=lower n=1000", 26212864, 1},
		{"rocm-7.1", "hipsolverDnDsyevd_bufferSize jobz=vector uplo=lower n=1000", 3290392, 8},
		{"rocm-7.2", "hipsolverDnDsyevd_bufferSize jobz=vector uplo=lower n=1000", 3290392, 8},
		{"rocm-7.2", "hipsolverDgetrf_bufferSize m=12000 n=12000", 49821568, 1},
	} {
		lwork, unit, err := returned(t, test.profile, test.call)
		if lwork != test.lwork || unit != test.unit || err != nil {
			t.Errorf("%s on %s: %d in %d bytes, %v, want %d in %d", test.call, test.profile, lwork, unit, err,
				test.lwork, test.unit)
		}
	}
}

// TestHipSOLVERRefuses checks the statuses of hipSOLVER and the explanations.
func TestHipSOLVERRefuses(t *testing.T) {
	const invalid, enum = "HIPSOLVER_STATUS_INVALID_VALUE (3): ", "HIPSOLVER_STATUS_INVALID_ENUM (10): "
	for _, test := range []struct{ call, want string }{
		{"Dorgbr_bufferSize side=143 m=9 n=9 k=9",
			enum + "side is 143, which is none of side_left (141), side_right (142)"},
		{"Dsygvd_bufferSize itype=4 n=9",
			enum + "itype is 4, which is none of eig_type_1 (211), eig_type_2 (212), eig_type_3 (213)"},
		{"Dgesvd_bufferSize jobu=86 jobv=N m=9 n=9",
			invalid + "jobu is 86, which is none of job_a (65), job_n (78), job_o (79), job_s (83)"},
		{"Dpotrf_bufferSize n=9 lda=8", invalid + "rocSOLVER returns invalid_size"},
		{"DnXpotrf_bufferSize n=9 dataTypeA=0 computeType=1", enum + "computeType is not dataTypeA"},
		{"DDgesv_bufferSize n=9 nrhs=1 ldx=8",
			invalid + "rocSOLVER returns invalid_size: ldx is 8, must be at least n = 9"},
		{"Dpotrf_bufferSize n=50000", ""},
		{"Dsyevj_bufferSize n=50000", "HIPSOLVER_STATUS_INTERNAL_ERROR (6): lwork is an int"},
		{"DnDgetrs_bufferSize n=9", `"hipsolverDnDgetrs_bufferSize"; hipSOLVER has hipsolverDgetrs_bufferSize`},
		{"DnDgetfr_bufferSize m=9 n=9", `did you mean "hipsolverDnDgetrf_bufferSize"`},
		{"DnDpotrf_bufferSizes n=9", "no routine"},
		{"Dsyevd_bufferSize range=all n=9", `unknown parameter "range" (has jobz, uplo, n, lda)`},
		{"Dsyevd_bufferSize evect=original n=9", `"original" is not one of novector, vector`},
		{"Dsyevd_bufferSize jobz=vectors n=9", `"vectors" is not one of novector, vector`},
		{"DnXpotrf_bufferSize n=9", "parameter dataTypeA is missing"},
		{"DnXpotrf_bufferSize n=8 dataTypeA=HIP", "is not one of r_32f, r_64f, c_32f, c_64f"},
		{"DnDsyevd_bufferSize n=3000000000", "does not fit the int of hipsolverDnDsyevd_bufferSize"},
	} {
		call, want := "hipsolver"+test.call, test.want
		_, _, err := returned(t, "rocm-7.2", call)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", call, err, want)
		}
	}
}
