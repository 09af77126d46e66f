// Package pattern has regular expressions that are compiled at their first use.
//
// go vet starts its tool once for each package, and a build without changes is
// little more than the start of ours: what is compiled for nothing at each start is
// a good part of that.
package pattern

import (
	"regexp"
	"sync"
)

// A Pattern is a regular expression. It may be used by several goroutines.
type Pattern struct {
	text     string
	compiled func() *regexp.Regexp
}

// New returns the pattern of the text, in the syntax of package regexp. A mistake in it
// panics at the first use, as regexp.MustCompile does at once.
func New(text string) *Pattern {
	p := &Pattern{text: text}
	p.compiled = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(p.text) })
	return p
}

// Regexp is the compiled pattern.
func (p *Pattern) Regexp() *regexp.Regexp { return p.compiled() }

// MatchString says whether some part of s matches.
func (p *Pattern) MatchString(s string) bool { return p.compiled().MatchString(s) }

// String is the text of the pattern.
func (p *Pattern) String() string { return p.text }
