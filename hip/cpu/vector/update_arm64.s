#include "textflag.h"

// GEMMs in place.
//
// A group of rows is two vectors; m is a multiple of their elements. Groups of columns are four real or two complex
// ones, and then single ones. Sizes count real numbers.
//
// R5 is the distance between columns of A, R7 that between rows of B, R8 that between columns of B and R10 that between
// columns of C, in bytes. R6 points to a column of B and R9 to a column of C, R13 to a row of A and R14 to the same row
// of C. R1 runs along A, and R2, R3, R4 and R15 along columns of B. R0 counts steps, R11 rows and R12 columns. V0 and V1
// hold a column of A, V4 to V7 elements of B in all lanes, V16 to V23 the product, and V12 and V13 the factors
// alpha and beta.

#define ARGUMENTS \
	MOVD lda+48(FP), R5   \
	MOVD b+56(FP), R6     \
	MOVD down+64(FP), R7  \
	MOVD right+72(FP), R8 \
	MOVD c+80(FP), R9     \
	MOVD ldc+88(FP), R10  \
	MOVD n+8(FP), R12

#define FIRST_ROW \
	MOVD a+40(FP), R13 \
	MOVD R9, R14       \
	MOVD m+0(FP), R11

#define NEXT_ROWS(lanes) \
	ADD  $32, R13 \
	ADD  $32, R14 \
	SUBS $(2*lanes), R11

// ADD_COLUMN adds alpha times a column of the product to C.
#define ADD_COLUMN(form, v0, v1) \
	VLD1  (R1), [V0.form, V1.form]   \
	VFMLA v0.form, V12.form, V0.form \
	VFMLA v1.form, V12.form, V1.form \
	VST1  [V0.form, V1.form], (R1)   \
	ADD   R10, R1

// START_FOUR and LOOP_FOUR multiply a group of rows by four columns of real numbers.
#define START_FOUR \
	VEOR V16.B16, V16.B16, V16.B16 \
	VEOR V17.B16, V17.B16, V17.B16 \
	VEOR V18.B16, V18.B16, V18.B16 \
	VEOR V19.B16, V19.B16, V19.B16 \
	VEOR V20.B16, V20.B16, V20.B16 \
	VEOR V21.B16, V21.B16, V21.B16 \
	VEOR V22.B16, V22.B16, V22.B16 \
	VEOR V23.B16, V23.B16, V23.B16 \
	MOVD R13, R1                   \
	MOVD k+16(FP), R0

#define STEP_FOUR(form) \
	VLD1  (R1), [V0.form, V1.form]   \
	VLD1R (R2), [V4.form]            \
	VLD1R (R3), [V5.form]            \
	VLD1R (R4), [V6.form]            \
	VLD1R (R15), [V7.form]           \
	ADD   R5, R1                     \
	ADD   R7, R2                     \
	ADD   R7, R3                     \
	ADD   R7, R4                     \
	ADD   R7, R15                    \
	VFMLA V0.form, V4.form, V16.form \
	VFMLA V1.form, V4.form, V17.form \
	VFMLA V0.form, V5.form, V18.form \
	VFMLA V1.form, V5.form, V19.form \
	VFMLA V0.form, V6.form, V20.form \
	VFMLA V1.form, V6.form, V21.form \
	VFMLA V0.form, V7.form, V22.form \
	VFMLA V1.form, V7.form, V23.form \
	SUBS  $1, R0

// REAL is the product of real matrices. A vector has "lanes" elements.
#define REAL(form, lanes) \
	CMP  $4, R12                     \
	BLT  single                      \
four:                             \
	FIRST_ROW                        \
fourRows:                         \
	START_FOUR                       \
	MOVD R6, R2                      \
	ADD  R8, R2, R3                  \
	ADD  R8, R3, R4                  \
	ADD  R8, R4, R15                 \
fourLoop:                         \
	STEP_FOUR(form)                  \
	BNE  fourLoop                    \
	MOVD R14, R1                     \
	ADD_COLUMN(form, V16, V17)       \
	ADD_COLUMN(form, V18, V19)       \
	ADD_COLUMN(form, V20, V21)       \
	ADD_COLUMN(form, V22, V23)       \
	NEXT_ROWS(lanes)                 \
	BGT  fourRows                    \
	ADD  R8<<2, R6                   \
	ADD  R10<<2, R9                  \
	SUB  $4, R12                     \
	CMP  $4, R12                     \
	BGE  four                        \
single:                           \
	CBZ  R12, done                   \
	FIRST_ROW                        \
singleRows:                       \
	VEOR V16.B16, V16.B16, V16.B16   \
	VEOR V17.B16, V17.B16, V17.B16   \
	MOVD R13, R1                     \
	MOVD R6, R2                      \
	MOVD k+16(FP), R0                \
singleLoop:                       \
	VLD1  (R1), [V0.form, V1.form]   \
	VLD1R (R2), [V4.form]            \
	ADD   R5, R1                     \
	ADD   R7, R2                     \
	VFMLA V0.form, V4.form, V16.form \
	VFMLA V1.form, V4.form, V17.form \
	SUBS  $1, R0                     \
	BNE   singleLoop                 \
	MOVD  R14, R1                    \
	ADD_COLUMN(form, V16, V17)       \
	NEXT_ROWS(lanes)                 \
	BGT  singleRows                  \
	ADD  R8, R6                      \
	ADD  R10, R9                     \
	SUB  $1, R12                     \
	B    single                      \
done:                             \
	RET

// ADD_COMPLEX adds alpha times (v0, v1), the product with real parts, and i beta times (v2, v3), the product with
// imaginary parts, to a column of C. V13 has -beta and beta in turn.
#define ADD_COMPLEX(form, v0, v1, v2, v3) \
	SWAP(v2)                         \
	SWAP(v3)                         \
	VLD1  (R1), [V0.form, V1.form]   \
	VFMLA v0.form, V12.form, V0.form \
	VFMLA v1.form, V12.form, V1.form \
	VFMLA v2.form, V13.form, V0.form \
	VFMLA v3.form, V13.form, V1.form \
	VST1  [V0.form, V1.form], (R1)   \
	ADD   R10, R1

// COMPLEX is the product of complex matrices whose parts have "size" bytes. The last column of an odd number is
// multiplied as two equal ones; one is not used.
#define COMPLEX(form, lanes, size) \
two:                                   \
	FIRST_ROW                             \
	CMP  $1, R12                          \
	CSEL EQ, ZR, R8, R16                  \
twoRows:                               \
	START_FOUR                            \
	MOVD R6, R2                           \
	ADD  $size, R2, R3                    \
	ADD  R16, R2, R4                      \
	ADD  $size, R4, R15                   \
twoLoop:                               \
	STEP_FOUR(form)                       \
	BNE  twoLoop                          \
	MOVD R14, R1                          \
	ADD_COMPLEX(form, V16, V17, V18, V19) \
	CMP  $1, R12                          \
	BEQ  next                             \
	ADD_COMPLEX(form, V20, V21, V22, V23) \
next:                                  \
	NEXT_ROWS(lanes)                      \
	BGT  twoRows                          \
	ADD  R8<<1, R6                        \
	ADD  R10<<1, R9                       \
	SUBS $2, R12                          \
	BGT  two                              \
	RET

// func updateWholeF32(m, n, k int, alpha, beta float64, a *byte, lda int, b *byte, down, right int, c *byte, ldc int)
TEXT ·updateWholeF32(SB), NOSPLIT, $0-96
	ARGUMENTS
	FMOVD  alpha+24(FP), F12
	FCVTDS F12, F12
	VDUP   V12.S[0], V12.S4
	REAL(S4, 4)

// func updateWholeF64(m, n, k int, alpha, beta float64, a *byte, lda int, b *byte, down, right int, c *byte, ldc int)
TEXT ·updateWholeF64(SB), NOSPLIT, $0-96
	ARGUMENTS
	FMOVD alpha+24(FP), F12
	VDUP  V12.D[0], V12.D2
	REAL(D2, 2)

// func updateWholeC64(m, n, k int, alpha, beta float64, a *byte, lda int, b *byte, down, right int, c *byte, ldc int)
#define SWAP(v) VREV64 v.S4, v.S4
TEXT ·updateWholeC64(SB), NOSPLIT, $0-96
	ARGUMENTS
	FMOVD  alpha+24(FP), F12
	FMOVD  beta+32(FP), F13
	FCVTDS F12, F12
	FCVTDS F13, F13
	FNEGS  F13, F14
	VDUP   V12.S[0], V12.S4
	VMOV   V14.S[0], V13.S[1]
	VREV64 V13.S4, V13.S4
	VDUP   V13.D[0], V13.D2
	COMPLEX(S4, 4, 4)
#undef SWAP

// func updateWholeC128(m, n, k int, alpha, beta float64, a *byte, lda int, b *byte, down, right int, c *byte, ldc int)
#define SWAP(v) VEXT $8, v.B16, v.B16, v.B16
TEXT ·updateWholeC128(SB), NOSPLIT, $0-96
	ARGUMENTS
	FMOVD alpha+24(FP), F12
	FMOVD beta+32(FP), F14
	FNEGD F14, F13
	VDUP  V12.D[0], V12.D2
	VMOV  V14.D[0], V13.D[1]
	COMPLEX(D2, 2, 8)
