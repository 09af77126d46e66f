package broken

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"
)

var scratchBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func borrowScratch() *bytes.Buffer { return scratchBuffers.Get().(*bytes.Buffer) }

func returnScratch(b *bytes.Buffer) {
	if b != nil && b.Cap() < 1<<16 {
		b.Reset()
	}
	if b.Cap() < 1<<16 {
		scratchBuffers.Put(b)
	}
}

// EncodeRow gives away the bytes of a buffer that goes back.
func EncodeRow(row any) ([]byte, error) {
	buf := borrowScratch()
	defer returnScratch(buf)
	if err := json.NewEncoder(buf).Encode(row); err != nil {
		return nil, err
	}
	line := bytes.TrimRight(buf.Bytes(), "\n")
	return line, nil // want `line is returned here, while buf goes back into the pool: the next goroutine that takes it from there overwrites what the caller has got`
}

// Digits puts the array back and returns it.
func Digits(n int) []byte {
	p := scratchArrays.Get().(*[]byte)
	out := fmt.Appendf((*p)[:0], "%d", n)
	*p = out
	scratchArrays.Put(p)
	return (*p)[:len(out)] // want `\(\*p\)\[:len\(out\)\] is returned here, while p goes back into the pool`
}

var scratchArrays = sync.Pool{New: func() any { b := make([]byte, 0, 64); return &b }}
