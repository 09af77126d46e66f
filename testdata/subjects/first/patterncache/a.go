package patterncache

import (
	"fmt"
	"regexp"
	"sync"
)

type Filter struct {
	mu       sync.Mutex
	compiled map[string]*regexp.Regexp
	patterns []string
}

func NewFilter(patterns ...string) *Filter {
	return &Filter{
		compiled: make(map[string]*regexp.Regexp, len(patterns)),
		patterns: patterns,
	}
}

func (f *Filter) compile(p string) (*regexp.Regexp, error) {
	f.mu.Lock()
	re, ok := f.compiled[p]
	f.mu.Unlock()
	if ok {
		return re, nil
	}
	re, err := regexp.Compile(p)
	if err != nil {
		return nil, fmt.Errorf("patterncache: %q: %w", p, err)
	}
	f.mu.Lock()
	f.compiled[p] = re
	f.mu.Unlock()
	return re, nil
}

func (f *Filter) Match(line []byte) (string, error) {
	for _, p := range f.patterns {
		re, err := f.compile(p)
		if err != nil {
			return "", err
		}
		if re.Match(line) {
			return p, nil
		}
	}
	return "", nil
}
