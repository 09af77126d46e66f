package indexqueue

import (
	"errors"
	"sync"
)

var ErrBacklog = errors.New("indexer: backlog full")

type Doc struct {
	ID   string
	Body string
}

type Writer interface {
	WriteSegment([]Doc) error
}

type Indexer struct {
	mu      sync.Mutex
	w       Writer
	queue   []Doc
	bytes   int
	maxDocs int
}

func NewIndexer(w Writer, maxDocs int) *Indexer {
	return &Indexer{w: w, maxDocs: maxDocs}
}

func (ix *Indexer) push(d Doc) error {
	if len(ix.queue) >= ix.maxDocs {
		return ErrBacklog
	}
	ix.queue = append(ix.queue, d)
	ix.bytes += len(d.Body)
	return nil
}

func (ix *Indexer) Add(d Doc) error {
	if d.ID == "" {
		return errors.New("indexer: document without id")
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	return ix.push(d)
}

func (ix *Indexer) AddAll(docs []Doc) (n int, err error) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for _, d := range docs {
		if err = ix.push(d); err != nil {
			break
		}
		n++
	}
	return n, err
}

func (ix *Indexer) Flush() error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if len(ix.queue) == 0 {
		return nil
	}
	if err := ix.w.WriteSegment(ix.queue); err != nil {
		return err
	}
	ix.queue, ix.bytes = nil, 0
	return nil
}
