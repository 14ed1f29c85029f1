#include "textflag.h"

// Rotations of 16 rows.
//
// DI points to the column that the rotation before has changed, whose elements are in Y0 to Y3; the next column is DX
// bytes after it. Y4 is the cosine, Y5 the sine.

// ROTATE rotates 4 rows.
#define ROTATE(offset, changed, product, next) \
	VMULPD      changed, Y4, product  \
	VMULPD      changed, Y5, changed  \
	VMOVUPD     offset(DI)(DX*1), next \
	VFMADD231PD next, Y5, product     \
	VFMSUB231PD next, Y4, changed     \
	VMOVUPD     product, offset(DI)

// func rotateAVX2(count int, rotations *Rotation, column *float64, step int)
TEXT ·rotateAVX2(SB), NOSPLIT, $0-32
	MOVQ    count+0(FP), CX
	MOVQ    rotations+8(FP), SI
	MOVQ    column+16(FP), DI
	MOVQ    step+24(FP), DX
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
	ADDQ    DX, DI
	DECQ    CX
	JNZ     loop
	VMOVUPD Y0, 0(DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VZEROUPPER
	RET
