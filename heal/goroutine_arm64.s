//go:build !atomrace_off

#include "textflag.h"

// func getg() uintptr
TEXT ·getg(SB),NOSPLIT,$0-8
	MOVD g, ret+0(FP)
	RET

// func onOwnStack(p unsafe.Pointer) bool
TEXT ·onOwnStack(SB),NOSPLIT,$0-9
	MOVD p+0(FP), R0
	MOVD 0(g), R1
	MOVD 8(g), R2
	CMP  R1, R0
	CSET HS, R3
	CMP  R2, R0
	CSET LO, R4
	AND  R3, R4, R3
	MOVB R3, ret+8(FP)
	RET

// func self() *Stack
TEXT ·self(SB),NOSPLIT,$0-8
	MOVD g, ret+0(FP)
	RET
