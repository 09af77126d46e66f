package reqseq

import (
	"encoding/binary"
	"io"
	"sync"
	"sync/atomic"
)

var lastID uint64

func nextID() uint64 {
	id := atomic.LoadUint64(&lastID) + 1
	if id == 0 {
		id = 1
	}
	atomic.StoreUint64(&lastID, id)
	return id
}

// Codec frames requests onto a single stream.
type Codec struct {
	mu      sync.Mutex
	w       io.Writer
	waiting map[uint64]chan []byte
}

func NewCodec(w io.Writer) *Codec {
	return &Codec{w: w, waiting: make(map[uint64]chan []byte)}
}

func (c *Codec) Send(payload []byte) (<-chan []byte, error) {
	id := nextID()
	reply := make(chan []byte, 1)

	var hdr [12]byte
	binary.BigEndian.PutUint64(hdr[:8], id)
	binary.BigEndian.PutUint32(hdr[8:], uint32(len(payload)))

	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting[id] = reply
	if _, err := c.w.Write(append(hdr[:], payload...)); err != nil {
		delete(c.waiting, id)
		return nil, err
	}
	return reply, nil
}

func (c *Codec) Deliver(id uint64, body []byte) bool {
	c.mu.Lock()
	ch, ok := c.waiting[id]
	delete(c.waiting, id)
	c.mu.Unlock()
	if ok {
		ch <- body
	}
	return ok
}
