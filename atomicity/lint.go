package atomicity

import "fmt"

// Problem is something in a Spec that loads but is probably not meant.
type Problem struct {
	// Position is the place; its Line is 0 when the entry is not in a file yet.
	Position
	// Check is the stable name of the check: duplicate, benign, ignored,
	// loose, pattern, empty or stale; syntax comes from others.
	Check string `json:"check"`
	// Warning says that a person may leave it as it is.
	Warning bool `json:"warning"`
	// Section is the id of the section, empty when no single one is meant.
	Section string `json:"section,omitempty"`
	// Path leads to the place in the document.
	Path string `json:"path,omitempty"`
	// Msg says what is wrong and, after a semicolon, what to do.
	Msg string `json:"message"`
}

// String returns the problem on one line: file:line:column: path: message
// (check).
func (p Problem) String() string {
	e := Error{File: p.File, Line: p.Line, Column: p.Column, Path: p.Path, Msg: p.Msg}
	return fmt.Sprintf("%s (%s)", e.Error(), p.Check)
}

// Lint returns what a reviewer of the file would ask about, in the order of
// the file. Duplicates are mistakes, the others warnings but where it says so:
//
//   - duplicate: two sections over one variable are the same, or two ends of a
//     section are;
//   - benign: no foreign access can ever break a section that is watched;
//   - ignored: a field has no effect, such as heal on a rejected section;
//   - loose: a location has no code, so it is lost when an access is added
//     before it;
//   - pattern: the modes do not fit the pattern;
//   - stale: the last infer did not find the code, a mistake when the section is
//     confirmed;
//   - empty: a package without variables.
func (s *Spec) Lint() []Problem {
	l := &linter{spec: s}
	for i, p := range s.Packages {
		path := fmt.Sprintf("packages[%d]", i)
		if len(p.Variables) == 0 {
			l.add(p, "empty", path, "package %s has no variables; remove it", p.Path)
		}
		for j, v := range p.Variables {
			seen := map[string]string{}
			for k, sec := range v.Sections {
				at := fmt.Sprintf("%s.variables[%d].sections[%d]", path, j, k)
				key := encodeFields(string(sec.Pattern), sec.Function, locationsKey(sec))
				if first, dup := seen[key]; dup {
					l.add(sec, "duplicate", at, "section %s is the same as %s; remove one", sec.ID, first)
				} else {
					seen[key] = sec.ID
				}
				l.section(sec, v.Name, at)
			}
		}
	}
	return l.problems
}

type linter struct {
	spec     *Spec
	problems []Problem
}

// add reports a problem of entry, a *Package, *Variable or *Section.
func (l *linter) add(entry any, check, path, format string, args ...any) {
	p := Problem{Position: l.spec.Position(entry, ""), Check: check, Warning: check != "duplicate", Path: path, Msg: fmt.Sprintf(format, args...)}
	if sec, ok := entry.(*Section); ok {
		p.Section = sec.ID
	}
	l.problems = append(l.problems, p)
}

func (l *linter) section(s *Section, variable, path string) {
	benign := true
	ends := map[string]bool{}
	for i := range s.Ends {
		e := &s.Ends[i]
		benign = benign && e.benign(s.Set(variable))
		key := endKey(e)
		if ends[key] {
			l.add(s, "duplicate", path, "section %s has the end %q twice; remove one", s.ID, e.Code)
		}
		ends[key] = true
		for _, text := range e.Also {
			if mode, _ := alsoOf(text); e.Allow.Has(mode) {
				l.add(s, "ignored", path, "section %s: also: [%s] has no effect, for allow has every %s; remove one", s.ID, text, mode.Names()[0])
			}
		}
	}
	if benign && s.Active() {
		l.add(s, "benign", path, "section %s allows read and write at every end, so nothing can break it; reject it, or allow less", s.ID)
	}
	if s.Status == Rejected && s.Heal != HealDefault {
		l.add(s, "ignored", path, "heal has no effect on the rejected section %s; remove heal", s.ID)
	}
	if s.Stale == Gone {
		l.add(s, "stale", path, "%s section %s is marked as gone: infer did not find its code; %s", s.Status, s.ID, staleAdvice(s))
		l.problems[len(l.problems)-1].Warning = s.Status != Confirmed
	}
	if s.Entry.Code == "" {
		l.add(s, "loose", path, "the entry of section %s has only an ordinal; add its code", s.ID)
	}
	for _, e := range s.Ends {
		if e.Code == "" {
			l.add(s, "loose", path, "an end of section %s has only an ordinal; add its code", s.ID)
			break
		}
	}
	l.pattern(s, path)
}

func (l *linter) pattern(s *Section, path string) {
	if s.Pattern != LoadAndStore && s.Pattern != TestAndUse {
		return
	}
	if s.Entry.Access != Read {
		l.add(s, "pattern", path, "a %s section begins with a read, but section %s with %s; use pattern: user", s.Pattern, s.ID, s.Entry.Access)
		return
	}
	for _, e := range s.Ends {
		if s.Pattern == LoadAndStore && e.Access != Write {
			l.add(s, "pattern", path, "a load-and-store section ends with a write, but section %s with a read; use pattern: user", s.ID)
			return
		}
	}
}

// locationsKey writes the locations of a section without the lines.
func locationsKey(s *Section) string {
	key := encodeFields(s.With...) + encodeFields(s.Entry.Access.String(), fmt.Sprint(s.Entry.Ordinal), s.Entry.Code)
	for i := range s.Ends {
		key += endKey(&s.Ends[i])
	}
	return key
}

// endKey writes where an end is, without the line.
func endKey(e *End) string {
	return encodeFields(e.Variable, e.Access.String(), fmt.Sprint(e.Ordinal), e.Code)
}

// staleAdvice says what to do about a section whose code is gone.
func staleAdvice(s *Section) string {
	if s.Status == Candidate {
		return "remove it with 'atomrace spec prune'"
	}
	return "mend its function and code, or remove it"
}
