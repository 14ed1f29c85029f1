#include "textflag.h"

#define VECTOR 64
#define ZERO VPXORQ
#define M1 K1
#define M2 K2
#define V0 Z0
#define V1 Z1
#define V2 Z2
#define V3 Z3
#define V4 Z4
#define V5 Z5
#define V6 Z6
#define V7 Z7
#define V8 Z8
#define V9 Z9
#define V10 Z10
#define V11 Z11
#define V12 Z12
#define V13 Z13

// MASKS selects the first AX of the "most" elements of two vectors, or all if AX is larger.
#define MASKS(most) \
	MOVL    $-1, CX       \
	MOVL    $most, SI     \
	CMPQ    AX, SI        \
	CMOVQLT AX, SI        \
	BZHIL   SI, CX, CX    \
	KMOVW   CX, K1        \
	SHRL    $(most/2), CX \
	KMOVW   CX, K2

#include "update_amd64.h"

// func updateAVX512F32(m, n, k int, alpha, beta float64, a *byte, lda int, b *byte, down, right int, c *byte, ldc int)
TEXT ·updateAVX512F32(SB), NOSPLIT, $0-96
	ARGUMENTS
	VCVTSD2SS alpha+24(FP), X12, X12
	VBROADCASTSS X12, V12
	REAL(VBROADCASTSS, VFMADD231PS, VADDPS, VMOVUPS.Z, VMOVUPS, 32)

// func updateAVX512F64(m, n, k int, alpha, beta float64, a *byte, lda int, b *byte, down, right int, c *byte, ldc int)
TEXT ·updateAVX512F64(SB), NOSPLIT, $0-96
	ARGUMENTS
	VBROADCASTSD alpha+24(FP), V12
	REAL(VBROADCASTSD, VFMADD231PD, VADDPD, VMOVUPD.Z, VMOVUPD, 16)

// func updateAVX512C64(m, n, k int, alpha, beta float64, a *byte, lda int, b *byte, down, right int, c *byte, ldc int)
TEXT ·updateAVX512C64(SB), NOSPLIT, $0-96
	ARGUMENTS
	VCVTSD2SS alpha+24(FP), X12, X12
	VCVTSD2SS beta+32(FP), X13, X13
	VBROADCASTSS X12, V12
	VBROADCASTSS X13, Y13
	VXORPS Y0, Y0, Y0
	VADDSUBPS Y13, Y0, Y13
	VINSERTF64X4 $1, Y13, V13, V13
	COMPLEX(VBROADCASTSS, VFMADD231PS, VPERMILPS, $0xB1, VMOVUPS.Z, VMOVUPS, 32)

// func updateAVX512C128(m, n, k int, alpha, beta float64, a *byte, lda int, b *byte, down, right int, c *byte, ldc int)
TEXT ·updateAVX512C128(SB), NOSPLIT, $0-96
	ARGUMENTS
	VBROADCASTSD alpha+24(FP), V12
	VBROADCASTSD beta+32(FP), Y13
	VXORPD Y0, Y0, Y0
	VADDSUBPD Y13, Y0, Y13
	VINSERTF64X4 $1, Y13, V13, V13
	COMPLEX(VBROADCASTSD, VFMADD231PD, VPERMILPD, $0x55, VMOVUPD.Z, VMOVUPD, 16)
