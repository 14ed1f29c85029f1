#include "textflag.h"

// Products of panels.
//
// Registers of both functions: R0 is the number of remaining steps, R1 points into A, R2 into B, R3 to the next column
// of C, and R4 is the distance between columns of C in bytes. A tile has four columns of four vectors. V0 to V3 hold a
// column of A, V4 to V7 an element of B in all lanes each, and V16 to V31 the product.

#define ZERO(v0, v1, v2, v3) \
	VEOR v0.B16, v0.B16, v0.B16 \
	VEOR v1.B16, v1.B16, v1.B16 \
	VEOR v2.B16, v2.B16, v2.B16 \
	VEOR v3.B16, v3.B16, v3.B16

// STEP_* multiplies the column of A with an element of B, and adds the product to a column.
#define STEP_F64(b, v0, v1, v2, v3) \
	VFMLA V0.D2, b.D2, v0.D2 \
	VFMLA V1.D2, b.D2, v1.D2 \
	VFMLA V2.D2, b.D2, v2.D2 \
	VFMLA V3.D2, b.D2, v3.D2

#define STEP_F32(b, v0, v1, v2, v3) \
	VFMLA V0.S4, b.S4, v0.S4 \
	VFMLA V1.S4, b.S4, v1.S4 \
	VFMLA V2.S4, b.S4, v2.S4 \
	VFMLA V3.S4, b.S4, v3.S4

// STORE_* adds alpha, which is in all lanes of V4, times a column to C.
#define STORE_F64(v0, v1, v2, v3) \
	VLD1 (R3), [V0.D2, V1.D2, V2.D2, V3.D2] \
	VFMLA v0.D2, V4.D2, V0.D2               \
	VFMLA v1.D2, V4.D2, V1.D2               \
	VFMLA v2.D2, V4.D2, V2.D2               \
	VFMLA v3.D2, V4.D2, V3.D2               \
	VST1 [V0.D2, V1.D2, V2.D2, V3.D2], (R3) \
	ADD R4, R3

#define STORE_F32(v0, v1, v2, v3) \
	VLD1 (R3), [V0.S4, V1.S4, V2.S4, V3.S4] \
	VFMLA v0.S4, V4.S4, V0.S4               \
	VFMLA v1.S4, V4.S4, V1.S4               \
	VFMLA v2.S4, V4.S4, V2.S4               \
	VFMLA v3.S4, V4.S4, V3.S4               \
	VST1 [V0.S4, V1.S4, V2.S4, V3.S4], (R3) \
	ADD R4, R3

// func tileNEONF64(k int, alpha float64, a, b, c *float64, ldc int)
// The tile is 8 x 4.
TEXT ·tileNEONF64(SB), NOSPLIT, $0-48
	MOVD k+0(FP), R0
	MOVD a+16(FP), R1
	MOVD b+24(FP), R2
	MOVD c+32(FP), R3
	MOVD ldc+40(FP), R4
	LSL  $3, R4
	ZERO(V16, V17, V18, V19)
	ZERO(V20, V21, V22, V23)
	ZERO(V24, V25, V26, V27)
	ZERO(V28, V29, V30, V31)

loop:
	VLD1.P 64(R1), [V0.D2, V1.D2, V2.D2, V3.D2]
	VLD1R.P 8(R2), [V4.D2]
	VLD1R.P 8(R2), [V5.D2]
	VLD1R.P 8(R2), [V6.D2]
	VLD1R.P 8(R2), [V7.D2]
	STEP_F64(V4, V16, V17, V18, V19)
	STEP_F64(V5, V20, V21, V22, V23)
	STEP_F64(V6, V24, V25, V26, V27)
	STEP_F64(V7, V28, V29, V30, V31)
	SUBS $1, R0
	BNE  loop

	FMOVD alpha+8(FP), F4
	VDUP  V4.D[0], V4.D2
	STORE_F64(V16, V17, V18, V19)
	STORE_F64(V20, V21, V22, V23)
	STORE_F64(V24, V25, V26, V27)
	STORE_F64(V28, V29, V30, V31)
	RET

// func tileNEONF32(k int, alpha float32, a, b, c *float32, ldc int)
// The tile is 16 x 4.
TEXT ·tileNEONF32(SB), NOSPLIT, $0-48
	MOVD k+0(FP), R0
	MOVD a+16(FP), R1
	MOVD b+24(FP), R2
	MOVD c+32(FP), R3
	MOVD ldc+40(FP), R4
	LSL  $2, R4
	ZERO(V16, V17, V18, V19)
	ZERO(V20, V21, V22, V23)
	ZERO(V24, V25, V26, V27)
	ZERO(V28, V29, V30, V31)

loop:
	VLD1.P 64(R1), [V0.S4, V1.S4, V2.S4, V3.S4]
	VLD1R.P 4(R2), [V4.S4]
	VLD1R.P 4(R2), [V5.S4]
	VLD1R.P 4(R2), [V6.S4]
	VLD1R.P 4(R2), [V7.S4]
	STEP_F32(V4, V16, V17, V18, V19)
	STEP_F32(V5, V20, V21, V22, V23)
	STEP_F32(V6, V24, V25, V26, V27)
	STEP_F32(V7, V28, V29, V30, V31)
	SUBS $1, R0
	BNE  loop

	FMOVS alpha+8(FP), F4
	VDUP  V4.S[0], V4.S4
	STORE_F32(V16, V17, V18, V19)
	STORE_F32(V20, V21, V22, V23)
	STORE_F32(V24, V25, V26, V27)
	STORE_F32(V28, V29, V30, V31)
	RET

// Sums of a column and a multiple of another one.
//
// R0 is the number of remaining elements, R1 points into x, R2 into y. The main loops process four vectors at a time, the
// second loops one element.

// func axpyNEONF64(n int, alpha float64, x, y *float64)
TEXT ·axpyNEONF64(SB), NOSPLIT, $0-32
	MOVD  n+0(FP), R0
	FMOVD alpha+8(FP), F8
	MOVD  x+16(FP), R1
	MOVD  y+24(FP), R2
	VDUP  V8.D[0], V9.D2
	SUBS  $8, R0
	BLT   rest

loop:
	VLD1.P 64(R1), [V0.D2, V1.D2, V2.D2, V3.D2]
	VLD1   (R2), [V4.D2, V5.D2, V6.D2, V7.D2]
	VFMLA  V0.D2, V9.D2, V4.D2
	VFMLA  V1.D2, V9.D2, V5.D2
	VFMLA  V2.D2, V9.D2, V6.D2
	VFMLA  V3.D2, V9.D2, V7.D2
	VST1.P [V4.D2, V5.D2, V6.D2, V7.D2], 64(R2)
	SUBS   $8, R0
	BGE    loop

rest:
	ADDS $8, R0
	BEQ  done

element:
	FMOVD (R1), F0
	FMOVD (R2), F1
	FMADDD F0, F1, F8, F1
	FMOVD F1, (R2)
	ADD   $8, R1
	ADD   $8, R2
	SUBS  $1, R0
	BNE   element

done:
	RET

// func axpyNEONF32(n int, alpha float32, x, y *float32)
TEXT ·axpyNEONF32(SB), NOSPLIT, $0-32
	MOVD  n+0(FP), R0
	FMOVS alpha+8(FP), F8
	MOVD  x+16(FP), R1
	MOVD  y+24(FP), R2
	VDUP  V8.S[0], V9.S4
	SUBS  $16, R0
	BLT   rest

loop:
	VLD1.P 64(R1), [V0.S4, V1.S4, V2.S4, V3.S4]
	VLD1   (R2), [V4.S4, V5.S4, V6.S4, V7.S4]
	VFMLA  V0.S4, V9.S4, V4.S4
	VFMLA  V1.S4, V9.S4, V5.S4
	VFMLA  V2.S4, V9.S4, V6.S4
	VFMLA  V3.S4, V9.S4, V7.S4
	VST1.P [V4.S4, V5.S4, V6.S4, V7.S4], 64(R2)
	SUBS   $16, R0
	BGE    loop

rest:
	ADDS $16, R0
	BEQ  done

element:
	FMOVS (R1), F0
	FMOVS (R2), F1
	FMADDS F0, F1, F8, F1
	FMOVS F1, (R2)
	ADD   $4, R1
	ADD   $4, R2
	SUBS  $1, R0
	BNE   element

done:
	RET
