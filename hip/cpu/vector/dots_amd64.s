#include "textflag.h"

// Products of a column, conjugated, and the columns of a matrix.
//
// Sizes count real numbers. DI runs along x and SI along a column of A, at R10. DX points to the result, R8 is
// the distance between columns in bytes, R9 counts columns and CX elements. Y15 selects the last elements, which are
// fewer than a vector has. Y4 to Y7 are sums.

// ARGUMENTS loads the arguments. A vector has "lanes" elements.
#define ARGUMENTS(lanes) \
	MOVQ    n+8(FP), R9       \
	MOVQ    a+24(FP), R10     \
	MOVQ    lda+32(FP), R8    \
	MOVQ    y+40(FP), DX      \
	MOVQ    m+0(FP), CX       \
	ANDQ    $(lanes-1), CX    \
	IMULQ   $(32/lanes), CX   \
	LEAQ    ·masks+64(SB), SI \
	SUBQ    CX, SI            \
	VMOVUPS (SI), Y15

#define START \
	VXORPS Y4, Y4, Y4   \
	VXORPS Y5, Y5, Y5   \
	VXORPS Y6, Y6, Y6   \
	VXORPS Y7, Y7, Y7   \
	MOVQ   x+16(FP), DI \
	MOVQ   R10, SI      \
	MOVQ   m+0(FP), CX

// STEP adds the products of a vector of x and one of A.
#define STEP(MOVE, FMA, offset, sum) \
	MOVE offset(DI), Y0 \
	FMA  offset(SI), Y0, sum

// STEP_COMPLEX adds the products of the same parts and the products of different parts.
#define STEP_COMPLEX(MOVE, FMA, SWAP, order, offset, same, different) \
	MOVE offset(DI), Y0 \
	MOVE offset(SI), Y1 \
	FMA  Y0, Y1, same   \
	SWAP order, Y1, Y1  \
	FMA  Y0, Y1, different

#define ADVANCE(bytes) \
	ADDQ $bytes, DI \
	ADDQ $bytes, SI

#define NEXT_COLUMN(bytes) \
	ADDQ $bytes, DX \
	ADDQ R8, R10    \
	DECQ R9

// REAL is the sums of real numbers; Y4 has their parts at the label "sum".
#define REAL(MOVE, MASKED, FMA, ADD, lanes) \
	ARGUMENTS(lanes)        \
column:                  \
	START                   \
	SUBQ $(4*lanes), CX     \
	JLT  vectors            \
loop:                    \
	STEP(MOVE, FMA, 0, Y4)  \
	STEP(MOVE, FMA, 32, Y5) \
	STEP(MOVE, FMA, 64, Y6) \
	STEP(MOVE, FMA, 96, Y7) \
	ADVANCE(128)            \
	SUBQ $(4*lanes), CX     \
	JGE  loop               \
vectors:                 \
	ADDQ $(3*lanes), CX     \
	JLT  rest               \
vector:                  \
	STEP(MOVE, FMA, 0, Y4)  \
	ADVANCE(32)             \
	SUBQ $lanes, CX         \
	JGE  vector             \
rest:                    \
	ADDQ $lanes, CX         \
	JZ   sum                \
	MASKED (DI), Y15, Y0    \
	MASKED (SI), Y15, Y1    \
	FMA  Y0, Y1, Y5         \
sum:                     \
	ADD  Y5, Y4, Y4         \
	ADD  Y7, Y6, Y6         \
	ADD  Y6, Y4, Y4         \
	VEXTRACTF128 $1, Y4, X5 \
	ADD  X5, X4, X4

// COMPLEX is the sums of complex numbers: X4 gets the products of the real and of the imaginary parts, in turn, and X6
// those of real parts of x and imaginary ones of A, and the other way round.
#define COMPLEX(MOVE, MASKED, FMA, ADD, SWAP, order, lanes) \
	ARGUMENTS(lanes)                                 \
column:                                           \
	START                                            \
	SUBQ $(2*lanes), CX                              \
	JLT  vectors                                     \
loop:                                             \
	STEP_COMPLEX(MOVE, FMA, SWAP, order, 0, Y4, Y6)  \
	STEP_COMPLEX(MOVE, FMA, SWAP, order, 32, Y5, Y7) \
	ADVANCE(64)                                      \
	SUBQ $(2*lanes), CX                              \
	JGE  loop                                        \
vectors:                                          \
	ADDQ $lanes, CX                                  \
	JLT  rest                                        \
	STEP_COMPLEX(MOVE, FMA, SWAP, order, 0, Y4, Y6)  \
	ADVANCE(32)                                      \
	SUBQ $lanes, CX                                  \
rest:                                             \
	ADDQ $lanes, CX                                  \
	JZ   sum                                         \
	MASKED (DI), Y15, Y0                             \
	MASKED (SI), Y15, Y1                             \
	FMA  Y0, Y1, Y5                                  \
	SWAP order, Y1, Y1                               \
	FMA  Y0, Y1, Y7                                  \
sum:                                              \
	ADD  Y5, Y4, Y4                                  \
	ADD  Y7, Y6, Y6                                  \
	VEXTRACTF128 $1, Y4, X5                          \
	VEXTRACTF128 $1, Y6, X7                          \
	ADD  X5, X4, X4                                  \
	ADD  X7, X6, X6

// func dotsAVX2F32(m, n int, x, a *byte, lda int, y *byte)
TEXT ·dotsAVX2F32(SB), NOSPLIT, $0-48
	REAL(VMOVUPS, VMASKMOVPS, VFMADD231PS, VADDPS, 8)
	VHADDPS X4, X4, X4
	VHADDPS X4, X4, X4
	VMOVSS  X4, (DX)
	NEXT_COLUMN(4)
	JNZ     column
	VZEROUPPER
	RET

// func dotsAVX2F64(m, n int, x, a *byte, lda int, y *byte)
TEXT ·dotsAVX2F64(SB), NOSPLIT, $0-48
	REAL(VMOVUPD, VMASKMOVPD, VFMADD231PD, VADDPD, 4)
	VHADDPD X4, X4, X4
	VMOVSD  X4, (DX)
	NEXT_COLUMN(8)
	JNZ     column
	VZEROUPPER
	RET

// func dotsAVX2C64(m, n int, x, a *byte, lda int, y *byte)
TEXT ·dotsAVX2C64(SB), NOSPLIT, $0-48
	COMPLEX(VMOVUPS, VMASKMOVPS, VFMADD231PS, VADDPS, VPERMILPS, $0xB1, 8)
	VHADDPS X4, X4, X4
	VHADDPS X4, X4, X4
	VHSUBPS X6, X6, X6
	VHADDPS X6, X6, X6
	VUNPCKLPS X6, X4, X4
	VMOVSD  X4, (DX)
	NEXT_COLUMN(8)
	JNZ     column
	VZEROUPPER
	RET

// func dotsAVX2C128(m, n int, x, a *byte, lda int, y *byte)
TEXT ·dotsAVX2C128(SB), NOSPLIT, $0-48
	COMPLEX(VMOVUPD, VMASKMOVPD, VFMADD231PD, VADDPD, VPERMILPD, $0x5, 4)
	VHADDPD X4, X4, X4
	VHSUBPD X6, X6, X6
	VUNPCKLPD X6, X4, X4
	VMOVUPD X4, (DX)
	NEXT_COLUMN(16)
	JNZ     column
	VZEROUPPER
	RET
