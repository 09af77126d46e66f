package checksums

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
)

type Result struct {
	Path string
	Sum  string
	Size int64
	Err  error
}

type Scanner struct {
	fsys fs.FS
	sem  chan struct{}
}

func New(fsys fs.FS, par int) *Scanner {
	return &Scanner{fsys: fsys, sem: make(chan struct{}, par)}
}

func (s *Scanner) hash(res *Result) {
	s.sem <- struct{}{}
	defer func() { <-s.sem }()
	f, err := s.fsys.Open(res.Path)
	if err != nil {
		res.Err = err
		return
	}
	defer f.Close()
	h := sha256.New()
	res.Size, res.Err = io.Copy(h, f)
	res.Sum = hex.EncodeToString(h.Sum(nil))
}

func (s *Scanner) Scan(paths []string) (results []Result, bytes int64, err error) {
	results = make([]Result, len(paths))
	var wg sync.WaitGroup
	for i, p := range paths {
		results[i].Path = p
		wg.Add(1)
		go func() {
			defer wg.Done()
			s.hash(&results[i])
		}()
	}
	wg.Wait()
	for _, r := range results {
		bytes += r.Size
		if r.Err != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", r.Path, r.Err))
		}
	}
	return results, bytes, err
}
