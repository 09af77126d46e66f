package mountfs

import (
	"errors"
	"io/fs"
	"path"
	"sync"
)

type node struct {
	name string
	ino  uint64
	mode fs.FileMode
}

type Tree struct {
	mu    sync.RWMutex
	nodes map[string]*node
	last  uint64
	reqs  chan string
}

func Mount(root fs.FS, answer func(string, error)) (*Tree, error) {
	t := &Tree{nodes: make(map[string]*node), reqs: make(chan string)}
	err := fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		t.last++
		t.nodes[p] = &node{name: path.Base(p), ino: t.last, mode: d.Type()}
		return nil
	})
	if err != nil {
		return nil, err
	}
	go t.serve(answer)
	return t, nil
}

func (t *Tree) serve(answer func(string, error)) {
	for p := range t.reqs {
		_, err := t.Lookup(p)
		answer(p, err)
	}
}

func (t *Tree) Lookup(p string) (uint64, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if n, ok := t.nodes[p]; ok {
		return n.ino, nil
	}
	return 0, fs.ErrNotExist
}

func (t *Tree) Create(p string, mode fs.FileMode) (uint64, error) {
	if p == "" {
		return 0, errors.New("mountfs: empty path")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.nodes[p]; ok {
		return 0, fs.ErrExist
	}
	t.last++
	t.nodes[p] = &node{name: path.Base(p), ino: t.last, mode: mode}
	return t.last, nil
}
