package broken

import "sync"

// A LineBoard has the lines of a text, by what it is called no object of one task.
type LineBoard struct {
	seen sync.Map
}

// Mark refuses what was marked before.
func (b *LineBoard) Mark(line string) bool {
	if _, ok := b.seen.Load(line); ok { // want `two goroutines can both pass the test`
		return false
	}
	b.seen.Store(line, true)
	return true
}

// A PathWalker is safe for concurrent use.
type PathWalker struct {
	seen sync.Map
}

// Mark refuses what was marked before.
func (w *PathWalker) Mark(path string) bool {
	if _, ok := w.seen.Load(path); ok { // want `two goroutines can both pass the test`
		return false
	}
	w.seen.Store(path, true)
	return true
}

// A FeedIterator reads ahead, in a goroutine of its own.
type FeedIterator struct {
	feed chan string
	seen sync.Map
}

func NewFeedIterator(feed chan string) *FeedIterator {
	it := &FeedIterator{feed: feed}
	go it.ahead()
	return it
}

func (it *FeedIterator) ahead() {
	for line := range it.feed {
		it.Mark(line)
	}
}

// Mark refuses what was marked before.
func (it *FeedIterator) Mark(line string) bool {
	if _, ok := it.seen.Load(line); ok { // want `two goroutines can both pass the test`
		return false
	}
	it.seen.Store(line, true)
	return true
}

// A WordIterator goes through words, which it has from a dictionary that others have, too.
type WordIterator struct {
	words *dictionary
}

type dictionary struct {
	known sync.Map
}

// Mark refuses what was marked before.
func (it *WordIterator) Mark(word string) bool {
	if _, ok := it.words.known.Load(word); ok { // want `two goroutines can both pass the test`
		return false
	}
	it.words.known.Store(word, true)
	return true
}
