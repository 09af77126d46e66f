package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
)

// specSelection says which sections a command is about.
type specSelection struct {
	ids                                     []string // ids, or globs of ids; none: all
	status, pattern, pack, variable, origin string   // as the flags say, empty: any
	stale                                   bool     // only those that infer has marked
}

// register adds the flags that narrow a list of sections.
func (x *specSelection) register(f *specFlags) {
	f.StringVar(&x.status, "status", "", "")
	f.StringVar(&x.pattern, "pattern", "", "")
	f.StringVar(&x.pack, "package", "", "")
	f.StringVar(&x.variable, "variable", "", "")
	f.StringVar(&x.origin, "origin", "", "")
	f.BoolVar(&x.stale, "stale", false, "")
}

// all reports whether nothing is said about which sections are meant.
func (x *specSelection) all() bool {
	return len(x.ids) == 0 && x.status+x.pattern+x.pack+x.variable+x.origin == "" && !x.stale
}

const specSelectionHelp = `
	-status S      only sections with the status candidate, confirmed or rejected
	-pattern P     only those of a pattern
	-package P     only those of packages whose path matches; * is any text
	-variable V    only those of variables whose name matches
	-origin O      only those that this analyzer, or user, has added
	-stale         only those that infer has not found again`

// words checks the values that can only be one of a few.
func (x *specSelection) words() error {
	for _, w := range []struct {
		flag, value string
		known       []string
	}{
		{"status", x.status, texts(atomicity.Statuses())},
		{"pattern", x.pattern, texts(atomicity.Patterns())},
	} {
		if w.value != "" && !slices.Contains(w.known, w.value) {
			return usagef("-%s: %q is not %s", w.flag, w.value, strings.Join(w.known, ", "))
		}
	}
	return nil
}

func texts[T ~string](list []T) []string {
	var words []string
	for _, w := range list {
		words = append(words, string(w))
	}
	return words
}

// places returns the sections that are selected, in the order of the file. An
// id or glob that selects nothing is an error.
func (x *specSelection) places(spec *atomicity.Spec) ([]atomicity.Place, error) {
	if err := x.words(); err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	var all []string
	for p := range spec.All() {
		all = append(all, p.Section.ID)
	}
	for _, id := range x.ids {
		found := false
		for _, known := range all {
			// An id is itself, whatever stars it holds.
			if known == id || spec.Section(id) == nil && glob(id, known) {
				wanted[known], found = true, true
			}
		}
		if !found {
			return nil, unknownSection(spec, id, all)
		}
	}
	var places []atomicity.Place
	for p := range spec.All() {
		s := p.Section
		if (len(x.ids) == 0 || wanted[s.ID]) &&
			(x.status == "" || x.status == string(s.Status)) &&
			(x.pattern == "" || x.pattern == string(s.Pattern)) &&
			(x.origin == "" || x.origin == s.Origin) &&
			(!x.stale || s.Stale != atomicity.NotStale) &&
			(x.pack == "" || glob(x.pack, p.Package.Path)) &&
			(x.variable == "" || glob(x.variable, p.Variable.Name)) {
			places = append(places, p)
		}
	}
	return places, nil
}

// unknownSection advises which section may have been meant: one with a similar
// id, or the sections of a function or variable that was named instead.
func unknownSection(spec *atomicity.Spec, id string, all []string) error {
	if near, ok := atomicity.Nearest(id, all); ok {
		return fmt.Errorf("%s: no section %s; did you mean '%s'?", spec.File(), id, near)
	}
	for _, known := range all {
		if strings.Contains(known, id) {
			return fmt.Errorf("%s: no section %s; did you mean '%s', or '*%s*' for all like it?", spec.File(), id, known, id)
		}
	}
	return fmt.Errorf("%s: no section %s; 'atomrace spec list' shows them", spec.File(), id)
}

// glob matches a whole text, in which * stands for any text and ? for any one
// byte. Ids are full of brackets, which therefore mean themselves.
func glob(pattern, text string) bool {
	star, mark := -1, 0
	p, t := 0, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, t
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == text[t]):
			p++
			t++
		case star >= 0:
			mark++
			p, t = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// named loads the spec and finds the sections whose ids the command line names; at
// least one is needed.
func (f *specFlags) named(env *environment, args []string) (*atomicity.Spec, []atomicity.Place, error) {
	ids, err := f.arguments(env, args)
	if err != nil {
		return nil, nil, err
	}
	if len(ids) == 0 {
		return nil, nil, usagef("which section? 'atomrace spec list' shows the ids")
	}
	spec, err := f.loadAll()
	if err != nil {
		return nil, nil, err
	}
	places, err := (&specSelection{ids: ids}).places(spec)
	return spec, places, err
}
