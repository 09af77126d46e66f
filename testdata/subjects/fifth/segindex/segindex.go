// Package segindex is an inverted index of one in-memory segment.
package segindex

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

type DocID uint32

type Posting struct {
	Doc  DocID
	Freq int
}

type Hit struct {
	Doc   DocID
	Score int
}

type Index struct {
	rw       sync.RWMutex
	postings map[string][]Posting // by document
	docs     map[DocID][]string   // the terms of each document
}

func New() *Index {
	return &Index{postings: make(map[string][]Posting), docs: make(map[DocID][]string)}
}

func tokenize(text string) map[string]int {
	freq := make(map[string]int)
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		freq[strings.ToLower(w)]++
	}
	return freq
}

// Add indexes a document, in place of an earlier one with that id.
func (ix *Index) Add(doc DocID, text string) {
	freq := tokenize(text)
	ix.rw.Lock()
	defer ix.rw.Unlock()
	ix.removeLocked(doc)
	terms := make([]string, 0, len(freq))
	for term, n := range freq {
		list := ix.postings[term]
		at, _ := slices.BinarySearchFunc(list, doc, func(p Posting, d DocID) int { return cmp.Compare(p.Doc, d) })
		ix.postings[term] = slices.Insert(list, at, Posting{Doc: doc, Freq: n})
		terms = append(terms, term)
	}
	ix.docs[doc] = terms
}

func (ix *Index) Remove(doc DocID) {
	ix.rw.Lock()
	defer ix.rw.Unlock()
	ix.removeLocked(doc)
}

func (ix *Index) removeLocked(doc DocID) {
	for _, term := range ix.docs[doc] {
		list := slices.DeleteFunc(ix.postings[term], func(p Posting) bool { return p.Doc == doc })
		if len(list) == 0 {
			delete(ix.postings, term)
			continue
		}
		ix.postings[term] = list
	}
	delete(ix.docs, doc)
}

// Search returns the documents that have all words of the query, best first.
func (ix *Index) Search(query string, limit int) []Hit {
	words := tokenize(query)
	lists := make([][]Posting, 0, len(words))
	ix.rw.RLock()
	for w := range words {
		list, ok := ix.postings[w]
		if !ok {
			ix.rw.RUnlock()
			return nil
		}
		lists = append(lists, list)
	}
	ix.rw.RUnlock()

	seen := make(map[DocID]int)
	score := make(map[DocID]int)
	for _, list := range lists {
		for _, p := range list {
			seen[p.Doc]++
			score[p.Doc] += p.Freq
		}
	}
	var hits []Hit
	for doc, n := range seen {
		if n == len(lists) {
			hits = append(hits, Hit{Doc: doc, Score: score[doc]})
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int { return cmp.Or(b.Score-a.Score, cmp.Compare(a.Doc, b.Doc)) })
	return hits[:min(limit, len(hits))]
}
