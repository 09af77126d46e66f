package mimeindex

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"sync"
)

type rule struct {
	ext  string
	mime string
}

type Index struct {
	mu    sync.RWMutex
	rules []rule
	total int
	extra map[string]string
}

func Parse(r io.Reader) (*Index, error) {
	ix := &Index{extra: make(map[string]string)}
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		if err := ix.parseLine(sc.Text()); err != nil {
			return nil, err
		}
	}
	return ix, sc.Err()
}

func (ix *Index) parseLine(line string) error {
	f := strings.Fields(line)
	if len(f) == 0 {
		return nil
	}
	if len(f) == 1 {
		return fmt.Errorf("mimeindex: no extension for %s", f[0])
	}
	for _, ext := range f[1:] {
		ix.rules = append(ix.rules, rule{ext, f[0]})
		ix.total++
	}
	return nil
}

func (ix *Index) Override(ext, mime string) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if _, ok := ix.extra[ext]; !ok {
		ix.total++
	}
	ix.extra[ext] = mime
}

func (ix *Index) Type(ext string) (string, bool) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if m, ok := ix.extra[ext]; ok {
		return m, true
	}
	for _, r := range ix.rules {
		if r.ext == ext {
			return r.mime, true
		}
	}
	return "", false
}
