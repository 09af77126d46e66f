// Package trigramidx is a small in-memory substring index.
package trigramidx

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
	"time"
)

type docID uint32

type document struct {
	title string
	body  string
	added time.Time
}

type Hit struct {
	Title string
	Added time.Time
}

var ErrShortQuery = errors.New("trigramidx: query under three bytes")

type Index struct {
	mu       sync.RWMutex
	next     docID
	postings map[string]map[docID]struct{}
	docs     map[docID]*document
	bytes    int64

	onAdd func(title string, grams int)
}

func New(onAdd func(string, int)) *Index {
	return &Index{
		postings: make(map[string]map[docID]struct{}),
		docs:     make(map[docID]*document),
		onAdd:    onAdd,
	}
}

func trigrams(s string) []string {
	s = strings.ToLower(s)
	seen := make(map[string]bool)
	var out []string
	for i := 0; i+3 <= len(s); i++ {
		if g := s[i : i+3]; !seen[g] {
			seen[g] = true
			out = append(out, g)
		}
	}
	return out
}

// Add indexes one document.
func (x *Index) Add(title, body string) error {
	grams := trigrams(title + "\n" + body)
	if len(grams) == 0 {
		return fmt.Errorf("trigramidx: %q has nothing to index", title)
	}

	x.mu.Lock()
	x.next++
	id := x.next
	for _, g := range grams {
		set, ok := x.postings[g]
		if !ok {
			set = make(map[docID]struct{})
			x.postings[g] = set
		}
		set[id] = struct{}{}
	}
	x.mu.Unlock()

	if x.onAdd != nil {
		x.onAdd(title, len(grams))
	}
	doc := &document{title: title, body: strings.ToLower(body), added: time.Now()}

	x.mu.Lock()
	x.docs[id] = doc
	x.bytes += int64(len(body))
	x.mu.Unlock()
	return nil
}

// Search returns the documents that contain q, newest first.
func (x *Index) Search(q string, limit int) ([]Hit, error) {
	grams := trigrams(q)
	if len(grams) == 0 {
		return nil, ErrShortQuery
	}
	q = strings.ToLower(q)

	x.mu.RLock()
	defer x.mu.RUnlock()
	var hits []Hit
candidates:
	for id := range x.postings[grams[0]] {
		for _, g := range grams[1:] {
			if _, ok := x.postings[g][id]; !ok {
				continue candidates
			}
		}
		d := x.docs[id]
		if strings.Contains(d.body, q) || strings.Contains(strings.ToLower(d.title), q) {
			hits = append(hits, Hit{Title: d.title, Added: d.added})
		}
	}
	sort.Slice(hits, func(i, j int) bool { return hits[i].Added.After(hits[j].Added) })
	if limit > 0 && len(hits) > limit {
		hits = hits[:limit]
	}
	return hits, nil
}

// Size reports the number of documents and of indexed bytes.
func (x *Index) Size() (int, int64) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.docs), x.bytes
}
