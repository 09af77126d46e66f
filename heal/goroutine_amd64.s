//go:build !atomrace_off

#include "textflag.h"

// func getg() uintptr
TEXT ·getg(SB),NOSPLIT,$0-8
	MOVQ (TLS), AX
	MOVQ AX, ret+0(FP)
	RET

// func onOwnStack(p unsafe.Pointer) bool
TEXT ·onOwnStack(SB),NOSPLIT,$0-9
	MOVQ (TLS), AX
	MOVQ p+0(FP), BX
	CMPQ BX, 0(AX)
	SETCC CX
	CMPQ BX, 8(AX)
	SETCS DX
	ANDL DX, CX
	MOVB CX, ret+8(FP)
	RET

// func self() *Stack
TEXT ·self(SB),NOSPLIT,$0-8
	MOVQ (TLS), AX
	MOVQ AX, ret+0(FP)
	RET
