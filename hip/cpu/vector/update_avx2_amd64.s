#include "textflag.h"

#define VECTOR 32
#define ZERO VXORPS
#define M1 Y14
#define M2 Y15
#define V0 Y0
#define V1 Y1
#define V2 Y2
#define V3 Y3
#define V4 Y4
#define V5 Y5
#define V6 Y6
#define V7 Y7
#define V8 Y8
#define V9 Y9
#define V10 Y10
#define V11 Y11
#define V12 Y12
#define V13 Y13

// masks selects all elements of two vectors, and then none.
DATA ·masks+0(SB)/8, $-1
DATA ·masks+8(SB)/8, $-1
DATA ·masks+16(SB)/8, $-1
DATA ·masks+24(SB)/8, $-1
DATA ·masks+32(SB)/8, $-1
DATA ·masks+40(SB)/8, $-1
DATA ·masks+48(SB)/8, $-1
DATA ·masks+56(SB)/8, $-1
GLOBL ·masks(SB), RODATA|NOPTR, $128

// MASKS selects the first AX of the "most" elements of two vectors, or all if AX is larger.
#define MASKS(most) \
	MOVL    $most, CX            \
	CMPQ    AX, CX               \
	CMOVQLT AX, CX               \
	IMULQ   $(2*VECTOR/most), CX \
	LEAQ    ·masks+64(SB), SI   \
	SUBQ    CX, SI               \
	VMOVUPS (SI), M1             \
	VMOVUPS VECTOR(SI), M2

#include "update_amd64.h"

// func updateAVX2F32(m, n, k int, alpha, beta float64, a *byte, lda int, b *byte, down, right int, c *byte, ldc int)
TEXT ·updateAVX2F32(SB), NOSPLIT, $0-96
	ARGUMENTS
	VCVTSD2SS alpha+24(FP), X12, X12
	VBROADCASTSS X12, Y12
	REAL(VBROADCASTSS, VFMADD231PS, VADDPS, VMASKMOVPS, VMASKMOVPS, 16)

// func updateAVX2F64(m, n, k int, alpha, beta float64, a *byte, lda int, b *byte, down, right int, c *byte, ldc int)
TEXT ·updateAVX2F64(SB), NOSPLIT, $0-96
	ARGUMENTS
	VBROADCASTSD alpha+24(FP), Y12
	REAL(VBROADCASTSD, VFMADD231PD, VADDPD, VMASKMOVPD, VMASKMOVPD, 8)

// func updateAVX2C64(m, n, k int, alpha, beta float64, a *byte, lda int, b *byte, down, right int, c *byte, ldc int)
TEXT ·updateAVX2C64(SB), NOSPLIT, $0-96
	ARGUMENTS
	VCVTSD2SS alpha+24(FP), X12, X12
	VCVTSD2SS beta+32(FP), X13, X13
	VBROADCASTSS X12, Y12
	VBROADCASTSS X13, Y13
	VXORPS Y0, Y0, Y0
	VADDSUBPS Y13, Y0, Y13
	COMPLEX(VBROADCASTSS, VFMADD231PS, VPERMILPS, $0xB1, VMASKMOVPS, VMASKMOVPS, 16)

// func updateAVX2C128(m, n, k int, alpha, beta float64, a *byte, lda int, b *byte, down, right int, c *byte, ldc int)
TEXT ·updateAVX2C128(SB), NOSPLIT, $0-96
	ARGUMENTS
	VBROADCASTSD alpha+24(FP), Y12
	VBROADCASTSD beta+32(FP), Y13
	VXORPD Y0, Y0, Y0
	VADDSUBPD Y13, Y0, Y13
	COMPLEX(VBROADCASTSD, VFMADD231PD, VPERMILPD, $0x5, VMASKMOVPD, VMASKMOVPD, 8)
