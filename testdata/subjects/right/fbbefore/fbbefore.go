// Package fbbefore fills entries before it puts them where others find them.
package fbbefore

import (
	"errors"
	"sync"
)

type page struct {
	name  string
	lines []string
}

// Book reads pages; a page does not change once it is in the book.
type Book struct {
	mu    sync.Mutex
	pages map[string]*page
	read  func(string) ([]string, error)
}

// New makes an empty book.
func New(read func(string) ([]string, error)) *Book {
	return &Book{pages: map[string]*page{}, read: read}
}

// fill is called with the lock held, before p is in the book.
func (b *Book) fill(p *page) error {
	lines, err := b.read(p.name)
	if err != nil {
		return err
	}
	p.lines = lines
	return nil
}

// find is called with the lock held.
func (b *Book) find(name string) (*page, error) {
	if p, ok := b.pages[name]; ok {
		return b.pages[p.name], nil
	}
	return nil, errors.New("fbbefore: no such page")
}

// Load reads a page.
func (b *Book) Load(name string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.pages[name]; ok {
		return nil
	}
	p := &page{name: name}
	if err := b.fill(p); err != nil {
		return err
	}
	b.pages[name] = p
	return nil
}

// Count counts the lines of a page.
func (b *Book) Count(name string) (int, error) {
	b.mu.Lock()
	p, err := b.find(name)
	b.mu.Unlock()
	if err != nil {
		return 0, err
	}
	return len(p.lines), nil
}

// Drop takes a page out.
func (b *Book) Drop(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.pages, name)
}
