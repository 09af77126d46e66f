package searchidx

import (
	"strings"
	"sync"
)

type Doc struct {
	ID   int
	Text string
}

type Index struct {
	mu       sync.RWMutex
	docs     map[int]*Doc
	postings map[string]map[int]struct{}
}

func NewIndex() *Index {
	return &Index{docs: map[int]*Doc{}, postings: map[string]map[int]struct{}{}}
}

func (ix *Index) Add(d *Doc) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.docs[d.ID] = d
	for _, term := range strings.Fields(strings.ToLower(d.Text)) {
		ids, ok := ix.postings[term]
		if !ok {
			ids = make(map[int]struct{})
			ix.postings[term] = ids
		}
		ids[d.ID] = struct{}{}
	}
}

func (ix *Index) takeDoc(id int) *Doc {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	d := ix.docs[id]
	delete(ix.docs, id)
	return d
}

func (ix *Index) dropTerms(d *Doc) {
	terms := strings.Fields(strings.ToLower(d.Text))
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for _, t := range terms {
		if delete(ix.postings[t], d.ID); len(ix.postings[t]) == 0 {
			delete(ix.postings, t)
		}
	}
}

func (ix *Index) Remove(id int) bool {
	d := ix.takeDoc(id)
	if d == nil {
		return false
	}
	ix.dropTerms(d)
	return true
}

func (ix *Index) Search(term string) []*Doc {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	var out []*Doc
	for id := range ix.postings[strings.ToLower(term)] {
		out = append(out, ix.docs[id])
	}
	return out
}
