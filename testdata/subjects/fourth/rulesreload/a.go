package rulesreload

import (
	"errors"
	"fmt"
	"regexp"
	"sync"
)

var ErrContended = errors.New("rulesreload: too many concurrent updates")

type Engine struct {
	mu    sync.Mutex
	gen   uint64
	exprs []string
	rules []*regexp.Regexp
}

func NewEngine() *Engine { return &Engine{} }

func (e *Engine) snapshot() (uint64, []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.gen, append([]string(nil), e.exprs...)
}

// Refresh adds expr to the rule set.
func (e *Engine) Refresh(expr string) error {
	for try := 0; try < 8; try++ {
		gen, exprs := e.snapshot()
		exprs = append(exprs, expr)
		rules := make([]*regexp.Regexp, 0, len(exprs))
		for _, x := range exprs {
			re, err := regexp.Compile(x)
			if err != nil {
				return fmt.Errorf("rule %q: %w", x, err)
			}
			rules = append(rules, re)
		}
		e.mu.Lock()
		if e.gen == gen {
			e.exprs, e.rules = exprs, rules
			e.gen++
			e.mu.Unlock()
			return nil
		}
		e.mu.Unlock()
	}
	return ErrContended
}

func (e *Engine) Match(line string) bool {
	e.mu.Lock()
	rules := e.rules
	e.mu.Unlock()
	for _, re := range rules {
		if re.MatchString(line) {
			return true
		}
	}
	return false
}
