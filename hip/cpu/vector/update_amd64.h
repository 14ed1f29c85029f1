// GEMMs in place, for vectors of any size. A file that includes this one defines the registers V0 to V13,
// the masks M1 and M2, VECTOR, the bytes of a vector, ZERO, which clears a register, and MASKS, which sets the masks.
//
// A group of rows is two vectors; the masks select the elements that exist. Groups of columns are four real or
// two complex ones, and then single ones. Sizes count real numbers, so a complex column of A and C has two
// elements for each row.
//
// R8 is the distance between columns of A, BX that between rows of B and R12 that between columns of C, in bytes. R9 to
// R11 are the distances from a column of B to the following ones; those of complex numbers are the imaginary part, the
// next column and its imaginary part. R13 points to a row of A and DX to the same row of C; SI and DI run along A and B.
// AX counts rows, R15 columns and CX steps. V0 and V1 hold a column of A, V2 and V3 elements of B in all lanes, V4 to
// V11 the product, a pair for each real column of B, and V12 and V13 the factors alpha and beta.

#define ARGUMENTS \
	MOVQ lda+48(FP), R8    \
	MOVQ down+64(FP), BX   \
	MOVQ right+72(FP), R10 \
	MOVQ ldc+88(FP), R12   \
	MOVQ n+8(FP), R15

#define FIRST_ROW \
	MOVQ a+40(FP), R13 \
	MOVQ c+80(FP), DX  \
	MOVQ m+0(FP), AX

#define START \
	ZERO V4, V4, V4    \
	ZERO V5, V5, V5    \
	ZERO V6, V6, V6    \
	ZERO V7, V7, V7    \
	ZERO V8, V8, V8    \
	ZERO V9, V9, V9    \
	ZERO V10, V10, V10 \
	ZERO V11, V11, V11 \
	MOVQ R13, SI       \
	MOVQ b+56(FP), DI  \
	MOVQ k+16(FP), CX

// COLUMN loads a column of A, PAIR multiplies it by an element of B.
#define COLUMN(LOAD) \
	LOAD (SI), M1, V0       \
	LOAD VECTOR(SI), M2, V1 \
	ADDQ R8, SI

#define PAIR(BROADCAST, FMA, address, z, z0, z1) \
	BROADCAST address, z \
	FMA V0, z, z0        \
	FMA V1, z, z1

#define NEXT_ROW \
	ADDQ BX, DI \
	DECQ CX

// NEXT_ROWS moves to the next group of rows, and NEXT_COLUMNS to the next "count" columns.
#define NEXT_ROWS(most) \
	ADDQ $(2*VECTOR), R13 \
	ADDQ $(2*VECTOR), DX  \
	SUBQ $most, AX

#define NEXT_COLUMNS(count) \
	MOVQ right+72(FP), CX \
	MOVQ ldc+88(FP), SI   \
	IMULQ $count, CX      \
	IMULQ $count, SI      \
	ADDQ CX, b+56(FP)     \
	ADDQ SI, c+80(FP)     \
	SUBQ $count, R15

// ADD_REAL adds alpha, which is in V12, times a column of the product to C at DI.
#define ADD_REAL(LOAD, STORE, FMA, z0, z1) \
	LOAD (DI), M1, V0        \
	LOAD VECTOR(DI), M2, V1  \
	FMA z0, V12, V0          \
	FMA z1, V12, V1          \
	STORE V0, M1, (DI)       \
	STORE V1, M2, VECTOR(DI) \
	ADDQ R12, DI

// ADD_COMPLEX adds alpha times (z0, z1), the product with real parts, and i beta times (z2, z3), the product with
// imaginary parts. V13 has -beta and beta in turn.
#define ADD_COMPLEX(LOAD, STORE, FMA, SWAP, order, z0, z1, z2, z3) \
	SWAP order, z2, z2       \
	SWAP order, z3, z3       \
	LOAD (DI), M1, V0        \
	LOAD VECTOR(DI), M2, V1  \
	FMA z0, V12, V0          \
	FMA z1, V12, V1          \
	FMA z2, V13, V0          \
	FMA z3, V13, V1          \
	STORE V0, M1, (DI)       \
	STORE V1, M2, VECTOR(DI) \
	ADDQ R12, DI

// REAL is the product of real matrices. Two vectors have "most" elements.
#define REAL(BROADCAST, FMA, ADD, LOAD, STORE, most) \
	MOVQ R10, R9                                    \
	ADDQ R10, R10                                   \
	LEAQ (R9)(R10*1), R11                           \
	CMPQ R15, $4                                    \
	JLT  single                                     \
four:                                            \
	FIRST_ROW                                       \
fourRows:                                        \
	MASKS(most)                                     \
	START                                           \
fourLoop:                                        \
	COLUMN(LOAD)                                    \
	PAIR(BROADCAST, FMA, (DI), V2, V4, V5)          \
	PAIR(BROADCAST, FMA, (DI)(R9*1), V3, V6, V7)    \
	PAIR(BROADCAST, FMA, (DI)(R10*1), V2, V8, V9)   \
	PAIR(BROADCAST, FMA, (DI)(R11*1), V3, V10, V11) \
	NEXT_ROW                                        \
	JNZ  fourLoop                                   \
	MOVQ DX, DI                                     \
	ADD_REAL(LOAD, STORE, FMA, V4, V5)              \
	ADD_REAL(LOAD, STORE, FMA, V6, V7)              \
	ADD_REAL(LOAD, STORE, FMA, V8, V9)              \
	ADD_REAL(LOAD, STORE, FMA, V10, V11)            \
	NEXT_ROWS(most)                                 \
	JGT  fourRows                                   \
	NEXT_COLUMNS(4)                                 \
	CMPQ R15, $4                                    \
	JGE  four                                       \
single:                                          \
	TESTQ R15, R15                                  \
	JEQ  done                                       \
	FIRST_ROW                                       \
singleRows:                                      \
	MASKS(most)                                     \
	START                                           \
	SHRQ $1, CX                                     \
	JZ   last                                       \
singleLoop:                                      \
	COLUMN(LOAD)                                    \
	PAIR(BROADCAST, FMA, (DI), V2, V4, V5)          \
	ADDQ BX, DI                                     \
	COLUMN(LOAD)                                    \
	PAIR(BROADCAST, FMA, (DI), V3, V6, V7)          \
	NEXT_ROW                                        \
	JNZ  singleLoop                                 \
	ADD  V6, V4, V4                                 \
	ADD  V7, V5, V5                                 \
last:                                            \
	TESTQ $1, k+16(FP)                              \
	JEQ  store                                      \
	COLUMN(LOAD)                                    \
	PAIR(BROADCAST, FMA, (DI), V2, V4, V5)          \
store:                                           \
	MOVQ DX, DI                                     \
	ADD_REAL(LOAD, STORE, FMA, V4, V5)              \
	NEXT_ROWS(most)                                 \
	JGT  singleRows                                 \
	NEXT_COLUMNS(1)                                 \
	JMP  single                                     \
done:                                            \
	VZEROUPPER                                      \
	RET

// COMPLEX is the product of complex matrices.
#define COMPLEX(BROADCAST, FMA, SWAP, order, LOAD, STORE, most) \
	LEAQ (2*VECTOR/most)(R10), R11                               \
	CMPQ R15, $2                                                 \
	JLT  single                                                  \
two:                                                          \
	FIRST_ROW                                                    \
twoRows:                                                      \
	MASKS(most)                                                  \
	START                                                        \
twoLoop:                                                      \
	COLUMN(LOAD)                                                 \
	PAIR(BROADCAST, FMA, (DI), V2, V4, V5)                       \
	PAIR(BROADCAST, FMA, (2*VECTOR/most)(DI), V3, V6, V7)        \
	PAIR(BROADCAST, FMA, (DI)(R10*1), V2, V8, V9)                \
	PAIR(BROADCAST, FMA, (DI)(R11*1), V3, V10, V11)              \
	NEXT_ROW                                                     \
	JNZ  twoLoop                                                 \
	MOVQ DX, DI                                                  \
	ADD_COMPLEX(LOAD, STORE, FMA, SWAP, order, V4, V5, V6, V7)   \
	ADD_COMPLEX(LOAD, STORE, FMA, SWAP, order, V8, V9, V10, V11) \
	NEXT_ROWS(most)                                              \
	JGT  twoRows                                                 \
	NEXT_COLUMNS(2)                                              \
	CMPQ R15, $2                                                 \
	JGE  two                                                     \
single:                                                       \
	TESTQ R15, R15                                               \
	JEQ  done                                                    \
	FIRST_ROW                                                    \
singleRows:                                                   \
	MASKS(most)                                                  \
	START                                                        \
singleLoop:                                                   \
	COLUMN(LOAD)                                                 \
	PAIR(BROADCAST, FMA, (DI), V2, V4, V5)                       \
	PAIR(BROADCAST, FMA, (2*VECTOR/most)(DI), V3, V6, V7)        \
	NEXT_ROW                                                     \
	JNZ  singleLoop                                              \
	MOVQ DX, DI                                                  \
	ADD_COMPLEX(LOAD, STORE, FMA, SWAP, order, V4, V5, V6, V7)   \
	NEXT_ROWS(most)                                              \
	JGT  singleRows                                              \
done:                                                         \
	VZEROUPPER                                                   \
	RET
