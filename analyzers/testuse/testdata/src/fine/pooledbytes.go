package fine

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"
)

var scratchBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func borrowScratch() *bytes.Buffer { return scratchBuffers.Get().(*bytes.Buffer) }

func returnScratch(b *bytes.Buffer) {
	b.Reset()
	scratchBuffers.Put(b)
}

// EncodeRow returns a copy of the bytes.
func EncodeRow(row any) ([]byte, error) {
	buf := borrowScratch()
	defer returnScratch(buf)
	if err := json.NewEncoder(buf).Encode(row); err != nil {
		return nil, err
	}
	return slices.Clone(bytes.TrimRight(buf.Bytes(), "\n")), nil
}

// EncodeText returns a string, which is a copy.
func EncodeText(row any) string {
	buf := borrowScratch()
	defer returnScratch(buf)
	_ = json.NewEncoder(buf).Encode(row)
	return buf.String()
}

// EncodeInto gives the buffer back only where it has failed.
func EncodeInto(row any) (*bytes.Buffer, error) {
	buf := borrowScratch()
	if err := json.NewEncoder(buf).Encode(row); err != nil {
		returnScratch(buf)
		return nil, err
	}
	return buf, nil
}

// A countedScratch goes back with the last of those who share it.
type countedScratch struct {
	bytes.Buffer
	mu    sync.Mutex
	users int
}

func (c *countedScratch) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.users--; c.users == 0 {
		countedScratches.Put(c)
	}
}

var countedScratches = sync.Pool{New: func() any { return new(countedScratch) }}

// EncodeShared releases its own share alone.
func EncodeShared(row any, keep func(*countedScratch)) *countedScratch {
	c := countedScratches.Get().(*countedScratch)
	defer c.release()
	c.mu.Lock()
	c.users += 2
	c.mu.Unlock()
	_ = json.NewEncoder(c).Encode(row)
	keep(c)
	return c
}
