#include "textflag.h"

// Products of a column and a number.
//
// DI points into the column, CX counts its real numbers, and Y15 selects the last ones, fewer than in a
// vector. Y0 has the real part of the factor in all lanes, Y1 the imaginary part with alternating signs.

// REST sets the mask of the last elements. A vector has "lanes" elements.
#define REST(lanes) \
	MOVQ    n+0(FP), CX       \
	MOVQ    x+24(FP), DI      \
	MOVQ    CX, SI            \
	ANDQ    $(lanes-1), SI    \
	IMULQ   $(32/lanes), SI   \
	LEAQ    ·masks+64(SB), DX \
	SUBQ    SI, DX            \
	VMOVUPS (DX), Y15

// REAL multiplies real numbers.
#define REAL(MOVE, MASKED, MUL, lanes) \
	REST(lanes)          \
	SUBQ $lanes, CX      \
	JLT  rest            \
loop:                 \
	MUL  (DI), Y0, Y2    \
	MOVE Y2, (DI)        \
	ADDQ $32, DI         \
	SUBQ $lanes, CX      \
	JGE  loop            \
rest:                 \
	ADDQ $lanes, CX      \
	JZ   done            \
	MASKED (DI), Y15, Y2 \
	MUL  Y2, Y0, Y2      \
	MASKED Y2, Y15, (DI) \
done:                 \
	VZEROUPPER           \
	RET

// COMPLEX multiplies complex numbers.
#define COMPLEX(MOVE, MASKED, MUL, FMA, SWAP, order, lanes) \
	REST(lanes)          \
	SUBQ $lanes, CX      \
	JLT  rest            \
loop:                 \
	MOVE (DI), Y2        \
	SWAP order, Y2, Y3   \
	MUL  Y2, Y0, Y2      \
	FMA  Y3, Y1, Y2      \
	MOVE Y2, (DI)        \
	ADDQ $32, DI         \
	SUBQ $lanes, CX      \
	JGE  loop            \
rest:                 \
	ADDQ $lanes, CX      \
	JZ   done            \
	MASKED (DI), Y15, Y2 \
	SWAP order, Y2, Y3   \
	MUL  Y2, Y0, Y2      \
	FMA  Y3, Y1, Y2      \
	MASKED Y2, Y15, (DI) \
done:                 \
	VZEROUPPER           \
	RET

// func scaleAVX2F32(n int, re, im float64, x *byte)
TEXT ·scaleAVX2F32(SB), NOSPLIT, $0-32
	VCVTSD2SS re+8(FP), X0, X0
	VBROADCASTSS X0, Y0
	REAL(VMOVUPS, VMASKMOVPS, VMULPS, 8)

// func scaleAVX2F64(n int, re, im float64, x *byte)
TEXT ·scaleAVX2F64(SB), NOSPLIT, $0-32
	VBROADCASTSD re+8(FP), Y0
	REAL(VMOVUPD, VMASKMOVPD, VMULPD, 4)

// func scaleAVX2C64(n int, re, im float64, x *byte)
TEXT ·scaleAVX2C64(SB), NOSPLIT, $0-32
	VCVTSD2SS re+8(FP), X0, X0
	VCVTSD2SS im+16(FP), X1, X1
	VBROADCASTSS X0, Y0
	VBROADCASTSS X1, Y1
	VXORPS    Y2, Y2, Y2
	VADDSUBPS Y1, Y2, Y1
	COMPLEX(VMOVUPS, VMASKMOVPS, VMULPS, VFMADD231PS, VPERMILPS, $0xB1, 8)

// func scaleAVX2C128(n int, re, im float64, x *byte)
TEXT ·scaleAVX2C128(SB), NOSPLIT, $0-32
	VBROADCASTSD re+8(FP), Y0
	VBROADCASTSD im+16(FP), Y1
	VXORPD    Y2, Y2, Y2
	VADDSUBPD Y1, Y2, Y1
	COMPLEX(VMOVUPD, VMASKMOVPD, VMULPD, VFMADD231PD, VPERMILPD, $0x5, 4)
