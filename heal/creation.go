package heal

import (
	"runtime"
	"strconv"
	"strings"
	"unsafe"
)

// Creation is the go statement that started a goroutine.
type Creation struct {
	Function  string // that executed it
	File      string
	Line      int
	Goroutine uint64 // that executed it; 0 if unknown
}

// creation returns where the calling goroutine was started, nil for the main
// goroutine. Only the end of a full traceback tells, so this is for the first
// report of a violation, not for every foreign access.
func creation() *Creation {
	buf := make([]byte, 32<<10)
	return parseCreation(string(buf[:runtime.Stack(buf, false)]))
}

// parseCreation reads the last two lines of a traceback:
//
//	created by main.serve in goroutine 7
//		/src/main.go:31 +0x5c
func parseCreation(traceback string) *Creation {
	i := strings.LastIndex(traceback, "\ncreated by ")
	if i < 0 {
		return nil
	}
	who, where, _ := strings.Cut(traceback[i+len("\ncreated by "):], "\n\t")
	c := new(Creation)
	var id string
	c.Function, id, _ = strings.Cut(who, " in goroutine ")
	c.Goroutine, _ = strconv.ParseUint(id, 10, 64)
	where, _, _ = strings.Cut(strings.TrimSpace(where), " +0x")
	colon := strings.LastIndexByte(where, ':')
	if colon < 0 {
		return c
	}
	c.File = where[:colon]
	c.Line, _ = strconv.Atoi(where[colon+1:])
	return c
}

// copied is c in memory of the caller's own: what another goroutine allocated,
// the race detector would not let it read.
//
//go:norace
func (c *Creation) copied() *Creation {
	if c == nil {
		return nil
	}
	d := new(Creation)
	d.Line, d.Goroutine = c.Line, c.Goroutine
	d.Function, d.File = copiedString(c.Function), copiedString(c.File)
	return d
}

//go:norace
func copiedString(s string) string {
	if s == "" {
		return ""
	}
	b := make([]byte, len(s))
	for i := 0; i < len(s); i++ {
		b[i] = s[i]
	}
	return unsafe.String(&b[0], len(b))
}
