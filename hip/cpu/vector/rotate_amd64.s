#include "textflag.h"

// Rotations of 16 rows.
//
// DI points to the right column of a rotation; the left one is 128 bytes before it. Y0 to Y3 have the elements of the
// right column, which the rotation before has changed. Y4 is the cosine, Y5 the sine.

// ROTATE rotates 4 rows.
#define ROTATE(offset, right, product, left) \
	VMULPD      right, Y4, product \
	VMULPD      right, Y5, right   \
	VMOVUPD     (offset-128)(DI), left \
	VFMADD231PD left, Y5, product  \
	VFMSUB231PD left, Y4, right    \
	VMOVUPD     product, offset(DI)

// func rotateAVX2(count int, rotations *Rotation, column *float64)
TEXT ·rotateAVX2(SB), NOSPLIT, $0-24
	MOVQ    count+0(FP), CX
	MOVQ    rotations+8(FP), SI
	MOVQ    column+16(FP), DI
	VMOVUPD 0(DI), Y0
	VMOVUPD 32(DI), Y1
	VMOVUPD 64(DI), Y2
	VMOVUPD 96(DI), Y3
loop:
	VBROADCASTSD 0(SI), Y4
	VBROADCASTSD 8(SI), Y5
	ROTATE(0, Y0, Y6, Y7)
	ROTATE(32, Y1, Y8, Y9)
	ROTATE(64, Y2, Y10, Y11)
	ROTATE(96, Y3, Y12, Y13)
	ADDQ    $16, SI
	SUBQ    $128, DI
	DECQ    CX
	JNZ     loop
	VMOVUPD Y0, 0(DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VZEROUPPER
	RET
