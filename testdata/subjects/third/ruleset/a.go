package ruleset

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"sync"
)

type Rule struct {
	Name    string
	Pattern string
	re      *regexp.Regexp
}

type Engine struct {
	mu    sync.RWMutex
	rules []Rule
	count int
}

func (e *Engine) load(r io.Reader) error {
	var in []Rule
	if err := json.NewDecoder(r).Decode(&in); err != nil {
		return fmt.Errorf("rules: %w", err)
	}
	for _, rule := range in {
		re, err := regexp.Compile(rule.Pattern)
		if err != nil {
			return fmt.Errorf("rule %s: %w", rule.Name, err)
		}
		rule.re = re
		e.rules = append(e.rules, rule)
		e.count++
	}
	return nil
}

func New(files ...io.Reader) (*Engine, error) {
	e := &Engine{}
	for _, f := range files {
		if err := e.load(f); err != nil {
			return nil, err
		}
	}
	if e.count == 0 {
		e.rules = append(e.rules, Rule{Name: "default", re: regexp.MustCompile(".*")})
		e.count++
	}
	return e, nil
}

func (e *Engine) Add(name, pattern string) error {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rules = append(e.rules, Rule{name, pattern, re})
	e.count++
	return nil
}

func (e *Engine) Match(line string) (string, bool) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	for _, r := range e.rules {
		if r.re.MatchString(line) {
			return r.Name, true
		}
	}
	return "", false
}
