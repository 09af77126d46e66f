package patterncache

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

type Rule struct {
	Pattern string
	Deny    bool
}

type Matcher struct {
	rules    []Rule
	compiled sync.Map // string -> *regexp.Regexp
}

func NewMatcher(rules ...Rule) *Matcher { return &Matcher{rules: rules} }

func glob(p string) string {
	q := regexp.QuoteMeta(p)
	return "^" + strings.ReplaceAll(q, `\*`, ".*") + "$"
}

func (m *Matcher) compile(p string) (*regexp.Regexp, error) {
	if v, ok := m.compiled.Load(p); ok {
		return v.(*regexp.Regexp), nil
	}
	re, err := regexp.Compile(glob(p))
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", p, err)
	}
	m.compiled.Store(p, re)
	return re, nil
}

func (m *Matcher) Allowed(path string) (bool, error) {
	for _, r := range m.rules {
		re, err := m.compile(r.Pattern)
		if err != nil {
			return false, err
		}
		if re.MatchString(path) {
			return !r.Deny, nil
		}
	}
	return true, nil
}
