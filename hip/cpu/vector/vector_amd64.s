#include "textflag.h"

// Products of panels.
//
// Registers of all four functions: CX is the number of remaining steps, SI points into A, DI into B, DX to the next
// column of C, and R8 is the distance between columns of C in bytes. A tile has three vectors in a column. Vectors 0 to
// 2 hold a column of A, vector 3 an element of B in all lanes, and the following ones the columns of the product.

// ARGUMENTS loads the arguments after alpha. The offsets are equal for both types, because alpha takes 8 bytes in the
// frame.
#define ARGUMENTS \
	MOVQ k+0(FP), CX     \
	MOVQ a+16(FP), SI    \
	MOVQ b+24(FP), DI    \
	MOVQ c+32(FP), DX    \
	MOVQ ldc+40(FP), R8

// PREFETCH_C asks for a column of C of three cache lines.
#define PREFETCH_C \
	PREFETCHT0 (R9)    \
	PREFETCHT0 64(R9)  \
	PREFETCHT0 128(R9) \
	ADDQ R8, R9

#define ZERO512(z0, z1, z2) \
	VPXORQ z0, z0, z0 \
	VPXORQ z1, z1, z1 \
	VPXORQ z2, z2, z2

#define ZERO512_ALL \
	ZERO512(Z8, Z9, Z10)   \
	ZERO512(Z11, Z12, Z13) \
	ZERO512(Z14, Z15, Z16) \
	ZERO512(Z17, Z18, Z19) \
	ZERO512(Z20, Z21, Z22) \
	ZERO512(Z23, Z24, Z25) \
	ZERO512(Z26, Z27, Z28) \
	ZERO512(Z29, Z30, Z31)

// STEP512_* multiplies the column of A with element offset of B, and adds the product to a column.
#define STEP512_F64(offset, z0, z1, z2) \
	VBROADCASTSD offset(DI), Z3 \
	VFMADD231PD Z0, Z3, z0      \
	VFMADD231PD Z1, Z3, z1      \
	VFMADD231PD Z2, Z3, z2

#define STEP512_F32(offset, z0, z1, z2) \
	VBROADCASTSS offset(DI), Z3 \
	VFMADD231PS Z0, Z3, z0      \
	VFMADD231PS Z1, Z3, z1      \
	VFMADD231PS Z2, Z3, z2

// STORE512_* multiplies a column with alpha, which is in all lanes of Z0, and adds it to C.
#define STORE512_F64(z0, z1, z2) \
	VFMADD213PD (DX), Z0, z0    \
	VFMADD213PD 64(DX), Z0, z1  \
	VFMADD213PD 128(DX), Z0, z2 \
	VMOVUPD z0, (DX)            \
	VMOVUPD z1, 64(DX)          \
	VMOVUPD z2, 128(DX)         \
	ADDQ R8, DX

#define STORE512_F32(z0, z1, z2) \
	VFMADD213PS (DX), Z0, z0    \
	VFMADD213PS 64(DX), Z0, z1  \
	VFMADD213PS 128(DX), Z0, z2 \
	VMOVUPS z0, (DX)            \
	VMOVUPS z1, 64(DX)          \
	VMOVUPS z2, 128(DX)         \
	ADDQ R8, DX

// func tileAVX512F64(k int, alpha float64, a, b, c *float64, ldc int)
// The tile is 24 x 8.
TEXT ·tileAVX512F64(SB), NOSPLIT, $0-48
	ARGUMENTS
	SHLQ $3, R8
	MOVQ DX, R9
	PREFETCH_C
	PREFETCH_C
	PREFETCH_C
	PREFETCH_C
	PREFETCH_C
	PREFETCH_C
	PREFETCH_C
	PREFETCH_C
	ZERO512_ALL

loop:
	VMOVUPD (SI), Z0
	VMOVUPD 64(SI), Z1
	VMOVUPD 128(SI), Z2
	STEP512_F64(0, Z8, Z9, Z10)
	STEP512_F64(8, Z11, Z12, Z13)
	STEP512_F64(16, Z14, Z15, Z16)
	STEP512_F64(24, Z17, Z18, Z19)
	STEP512_F64(32, Z20, Z21, Z22)
	STEP512_F64(40, Z23, Z24, Z25)
	STEP512_F64(48, Z26, Z27, Z28)
	STEP512_F64(56, Z29, Z30, Z31)
	ADDQ $192, SI
	ADDQ $64, DI
	DECQ CX
	JNZ  loop

	VBROADCASTSD alpha+8(FP), Z0
	STORE512_F64(Z8, Z9, Z10)
	STORE512_F64(Z11, Z12, Z13)
	STORE512_F64(Z14, Z15, Z16)
	STORE512_F64(Z17, Z18, Z19)
	STORE512_F64(Z20, Z21, Z22)
	STORE512_F64(Z23, Z24, Z25)
	STORE512_F64(Z26, Z27, Z28)
	STORE512_F64(Z29, Z30, Z31)
	VZEROUPPER
	RET

// func tileAVX512F32(k int, alpha float32, a, b, c *float32, ldc int)
// The tile is 48 x 8.
TEXT ·tileAVX512F32(SB), NOSPLIT, $0-48
	ARGUMENTS
	SHLQ $2, R8
	MOVQ DX, R9
	PREFETCH_C
	PREFETCH_C
	PREFETCH_C
	PREFETCH_C
	PREFETCH_C
	PREFETCH_C
	PREFETCH_C
	PREFETCH_C
	ZERO512_ALL

loop:
	VMOVUPS (SI), Z0
	VMOVUPS 64(SI), Z1
	VMOVUPS 128(SI), Z2
	STEP512_F32(0, Z8, Z9, Z10)
	STEP512_F32(4, Z11, Z12, Z13)
	STEP512_F32(8, Z14, Z15, Z16)
	STEP512_F32(12, Z17, Z18, Z19)
	STEP512_F32(16, Z20, Z21, Z22)
	STEP512_F32(20, Z23, Z24, Z25)
	STEP512_F32(24, Z26, Z27, Z28)
	STEP512_F32(28, Z29, Z30, Z31)
	ADDQ $192, SI
	ADDQ $32, DI
	DECQ CX
	JNZ  loop

	VBROADCASTSS alpha+8(FP), Z0
	STORE512_F32(Z8, Z9, Z10)
	STORE512_F32(Z11, Z12, Z13)
	STORE512_F32(Z14, Z15, Z16)
	STORE512_F32(Z17, Z18, Z19)
	STORE512_F32(Z20, Z21, Z22)
	STORE512_F32(Z23, Z24, Z25)
	STORE512_F32(Z26, Z27, Z28)
	STORE512_F32(Z29, Z30, Z31)
	VZEROUPPER
	RET

#define ZERO256(y0, y1, y2) \
	VXORPD y0, y0, y0 \
	VXORPD y1, y1, y1 \
	VXORPD y2, y2, y2

#define ZERO256_ALL \
	ZERO256(Y4, Y5, Y6)    \
	ZERO256(Y7, Y8, Y9)    \
	ZERO256(Y10, Y11, Y12) \
	ZERO256(Y13, Y14, Y15)

#define STEP256_F64(offset, y0, y1, y2) \
	VBROADCASTSD offset(DI), Y3 \
	VFMADD231PD Y0, Y3, y0      \
	VFMADD231PD Y1, Y3, y1      \
	VFMADD231PD Y2, Y3, y2

#define STEP256_F32(offset, y0, y1, y2) \
	VBROADCASTSS offset(DI), Y3 \
	VFMADD231PS Y0, Y3, y0      \
	VFMADD231PS Y1, Y3, y1      \
	VFMADD231PS Y2, Y3, y2

#define STORE256_F64(y0, y1, y2) \
	VFMADD213PD (DX), Y0, y0   \
	VFMADD213PD 32(DX), Y0, y1 \
	VFMADD213PD 64(DX), Y0, y2 \
	VMOVUPD y0, (DX)           \
	VMOVUPD y1, 32(DX)         \
	VMOVUPD y2, 64(DX)         \
	ADDQ R8, DX

#define STORE256_F32(y0, y1, y2) \
	VFMADD213PS (DX), Y0, y0   \
	VFMADD213PS 32(DX), Y0, y1 \
	VFMADD213PS 64(DX), Y0, y2 \
	VMOVUPS y0, (DX)           \
	VMOVUPS y1, 32(DX)         \
	VMOVUPS y2, 64(DX)         \
	ADDQ R8, DX

// func tileAVX2F64(k int, alpha float64, a, b, c *float64, ldc int)
// The tile is 12 x 4.
TEXT ·tileAVX2F64(SB), NOSPLIT, $0-48
	ARGUMENTS
	SHLQ $3, R8
	MOVQ DX, R9
	PREFETCH_C
	PREFETCH_C
	PREFETCH_C
	PREFETCH_C
	ZERO256_ALL

loop:
	VMOVUPD (SI), Y0
	VMOVUPD 32(SI), Y1
	VMOVUPD 64(SI), Y2
	STEP256_F64(0, Y4, Y5, Y6)
	STEP256_F64(8, Y7, Y8, Y9)
	STEP256_F64(16, Y10, Y11, Y12)
	STEP256_F64(24, Y13, Y14, Y15)
	ADDQ $96, SI
	ADDQ $32, DI
	DECQ CX
	JNZ  loop

	VBROADCASTSD alpha+8(FP), Y0
	STORE256_F64(Y4, Y5, Y6)
	STORE256_F64(Y7, Y8, Y9)
	STORE256_F64(Y10, Y11, Y12)
	STORE256_F64(Y13, Y14, Y15)
	VZEROUPPER
	RET

// func tileAVX2F32(k int, alpha float32, a, b, c *float32, ldc int)
// The tile is 24 x 4.
TEXT ·tileAVX2F32(SB), NOSPLIT, $0-48
	ARGUMENTS
	SHLQ $2, R8
	MOVQ DX, R9
	PREFETCH_C
	PREFETCH_C
	PREFETCH_C
	PREFETCH_C
	ZERO256_ALL

loop:
	VMOVUPS (SI), Y0
	VMOVUPS 32(SI), Y1
	VMOVUPS 64(SI), Y2
	STEP256_F32(0, Y4, Y5, Y6)
	STEP256_F32(4, Y7, Y8, Y9)
	STEP256_F32(8, Y10, Y11, Y12)
	STEP256_F32(12, Y13, Y14, Y15)
	ADDQ $96, SI
	ADDQ $16, DI
	DECQ CX
	JNZ  loop

	VBROADCASTSS alpha+8(FP), Y0
	STORE256_F32(Y4, Y5, Y6)
	STORE256_F32(Y7, Y8, Y9)
	STORE256_F32(Y10, Y11, Y12)
	STORE256_F32(Y13, Y14, Y15)
	VZEROUPPER
	RET

// Sums of a column and a multiple of another one.
//
// CX is the number of remaining elements, SI points into x, DI into y. The main loops process four vectors at a time,
// the second loops one element.

// func axpyAVX2F64(n int, alpha float64, x, y *float64)
TEXT ·axpyAVX2F64(SB), NOSPLIT, $0-32
	MOVQ n+0(FP), CX
	MOVQ x+16(FP), SI
	MOVQ y+24(FP), DI
	VBROADCASTSD alpha+8(FP), Y0
	SUBQ $16, CX
	JLT  rest

loop:
	VMOVUPD (DI), Y1
	VMOVUPD 32(DI), Y2
	VMOVUPD 64(DI), Y3
	VMOVUPD 96(DI), Y4
	VFMADD231PD (SI), Y0, Y1
	VFMADD231PD 32(SI), Y0, Y2
	VFMADD231PD 64(SI), Y0, Y3
	VFMADD231PD 96(SI), Y0, Y4
	VMOVUPD Y1, (DI)
	VMOVUPD Y2, 32(DI)
	VMOVUPD Y3, 64(DI)
	VMOVUPD Y4, 96(DI)
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $16, CX
	JGE  loop

rest:
	ADDQ $16, CX
	JZ   done

element:
	VMOVSD (DI), X1
	VFMADD231SD (SI), X0, X1
	VMOVSD X1, (DI)
	ADDQ $8, SI
	ADDQ $8, DI
	DECQ CX
	JNZ  element

done:
	VZEROUPPER
	RET

// func axpyAVX2F32(n int, alpha float32, x, y *float32)
TEXT ·axpyAVX2F32(SB), NOSPLIT, $0-32
	MOVQ n+0(FP), CX
	MOVQ x+16(FP), SI
	MOVQ y+24(FP), DI
	VBROADCASTSS alpha+8(FP), Y0
	SUBQ $32, CX
	JLT  rest

loop:
	VMOVUPS (DI), Y1
	VMOVUPS 32(DI), Y2
	VMOVUPS 64(DI), Y3
	VMOVUPS 96(DI), Y4
	VFMADD231PS (SI), Y0, Y1
	VFMADD231PS 32(SI), Y0, Y2
	VFMADD231PS 64(SI), Y0, Y3
	VFMADD231PS 96(SI), Y0, Y4
	VMOVUPS Y1, (DI)
	VMOVUPS Y2, 32(DI)
	VMOVUPS Y3, 64(DI)
	VMOVUPS Y4, 96(DI)
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $32, CX
	JGE  loop

rest:
	ADDQ $32, CX
	JZ   done

element:
	VMOVSS (DI), X1
	VFMADD231SS (SI), X0, X1
	VMOVSS X1, (DI)
	ADDQ $4, SI
	ADDQ $4, DI
	DECQ CX
	JNZ  element

done:
	VZEROUPPER
	RET

// The complex sums add re*x, and im*x with exchanged parts: Y0 has the real part of alpha in all lanes, Y1 has the
// imaginary part with alternating signs, because the real part of a product has the sign of im*im reversed.

// func axpyAVX2C128(n int, re, im float64, x, y *complex128)
TEXT ·axpyAVX2C128(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), CX
	MOVQ x+24(FP), SI
	MOVQ y+32(FP), DI
	VBROADCASTSD re+8(FP), Y0
	VBROADCASTSD im+16(FP), Y1
	VXORPD    Y2, Y2, Y2
	VADDSUBPD Y1, Y2, Y1
	SUBQ $4, CX
	JLT  rest

loop:
	VMOVUPD (SI), Y2
	VMOVUPD 32(SI), Y3
	VMOVUPD (DI), Y4
	VMOVUPD 32(DI), Y5
	VFMADD231PD Y2, Y0, Y4
	VFMADD231PD Y3, Y0, Y5
	VPERMILPD $5, Y2, Y2
	VPERMILPD $5, Y3, Y3
	VFMADD231PD Y2, Y1, Y4
	VFMADD231PD Y3, Y1, Y5
	VMOVUPD Y4, (DI)
	VMOVUPD Y5, 32(DI)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $4, CX
	JGE  loop

rest:
	ADDQ $4, CX
	JZ   done

element:
	VMOVUPD (SI), X2
	VMOVUPD (DI), X4
	VFMADD231PD X2, X0, X4
	VPERMILPD $1, X2, X2
	VFMADD231PD X2, X1, X4
	VMOVUPD X4, (DI)
	ADDQ $16, SI
	ADDQ $16, DI
	DECQ CX
	JNZ  element

done:
	VZEROUPPER
	RET

// func axpyAVX2C64(n int, re, im float32, x, y *complex64)
TEXT ·axpyAVX2C64(SB), NOSPLIT, $0-32
	MOVQ n+0(FP), CX
	MOVQ x+16(FP), SI
	MOVQ y+24(FP), DI
	VBROADCASTSS re+8(FP), Y0
	VBROADCASTSS im+12(FP), Y1
	VXORPS    Y2, Y2, Y2
	VADDSUBPS Y1, Y2, Y1
	SUBQ $8, CX
	JLT  rest

loop:
	VMOVUPS (SI), Y2
	VMOVUPS 32(SI), Y3
	VMOVUPS (DI), Y4
	VMOVUPS 32(DI), Y5
	VFMADD231PS Y2, Y0, Y4
	VFMADD231PS Y3, Y0, Y5
	VPERMILPS $0xB1, Y2, Y2
	VPERMILPS $0xB1, Y3, Y3
	VFMADD231PS Y2, Y1, Y4
	VFMADD231PS Y3, Y1, Y5
	VMOVUPS Y4, (DI)
	VMOVUPS Y5, 32(DI)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $8, CX
	JGE  loop

rest:
	ADDQ $8, CX
	JZ   done

element:
	VMOVSD (SI), X2
	VMOVSD (DI), X4
	VFMADD231PS X2, X0, X4
	VPERMILPS $0xB1, X2, X2
	VFMADD231PS X2, X1, X4
	VMOVSD X4, (DI)
	ADDQ $8, SI
	ADDQ $8, DI
	DECQ CX
	JNZ  element

done:
	VZEROUPPER
	RET
