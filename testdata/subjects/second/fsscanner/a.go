package fsscanner

import (
	"io/fs"
	"path/filepath"
	"sync"
)

type tally struct {
	files int
	bytes int64
	errs  []error
}

type Scanner struct {
	mu    sync.Mutex
	total tally
}

func (s *Scanner) merge(t *tally) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total.files += t.files
	s.total.bytes += t.bytes
	s.total.errs = append(s.total.errs, t.errs...)
}

func (s *Scanner) Scan(roots ...string) {
	var wg sync.WaitGroup
	for _, root := range roots {
		wg.Add(1)
		go func() {
			defer wg.Done()
			t := new(tally)
			defer s.merge(t)
			_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
				if err != nil {
					t.errs = append(t.errs, err)
					return nil
				}
				if info, err := d.Info(); err == nil && !d.IsDir() {
					t.files++
					t.bytes += info.Size()
				}
				return nil
			})
		}()
	}
	wg.Wait()
}

func (s *Scanner) Totals() (files int, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.total.files, s.total.bytes
}
