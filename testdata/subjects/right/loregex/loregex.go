// Package loregex keeps compiled patterns, a few of them.
package loregex

import (
	"regexp"
	"sync"
)

// Patterns is a cache: which of two equal ones is kept makes no difference.
type Patterns struct {
	mu   sync.RWMutex
	kept map[string]*regexp.Regexp
	most int
}

// New keeps at most n.
func New(n int) *Patterns { return &Patterns{kept: map[string]*regexp.Regexp{}, most: n} }

// Get compiles the pattern, or returns the one that was compiled before.
func (p *Patterns) Get(s string) (*regexp.Regexp, error) {
	p.mu.RLock()
	re, ok := p.kept[s]
	p.mu.RUnlock()
	if ok {
		return re, nil
	}
	re, err := regexp.Compile(s)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.kept) >= p.most {
		for old := range p.kept {
			delete(p.kept, old)
			break
		}
	}
	p.kept[s] = re
	return re, nil
}

// Match matches.
func (p *Patterns) Match(s, text string) bool {
	re, err := p.Get(s)
	return err == nil && re.MatchString(text)
}
