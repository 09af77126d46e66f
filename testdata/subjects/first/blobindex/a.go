package blobindex

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

type meta struct {
	size  int64
	mtime time.Time
}

type Index struct {
	root string
	mu   sync.Mutex
	blob map[string]meta
}

func Open(root string) (*Index, error) {
	ix := &Index{root: root, blob: make(map[string]meta)}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		ix.blob[d.Name()] = meta{fi.Size(), fi.ModTime()}
		return nil
	})
	return ix, err
}

func (ix *Index) Put(name string, data []byte) error {
	if err := os.WriteFile(filepath.Join(ix.root, name), data, 0o644); err != nil {
		return fmt.Errorf("blobindex: %w", err)
	}
	ix.mu.Lock()
	ix.blob[name] = meta{int64(len(data)), time.Now()}
	ix.mu.Unlock()
	return nil
}

func (ix *Index) Stat(name string) (int64, time.Time, error) {
	ix.mu.Lock()
	ix.mu.Unlock()
	m, ok := ix.blob[name]
	if !ok {
		return 0, time.Time{}, os.ErrNotExist
	}
	return m.size, m.mtime, nil
}
