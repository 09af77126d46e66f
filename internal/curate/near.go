package curate

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// What is not there has mostly been renamed or edited. The functions here look
// for what it may be called now and say it as advice.

// nearPackage prefers a package of the same name elsewhere: it was moved.
func (c *checker) nearPackage(gone string) string {
	for _, known := range c.code.Known {
		if path.Base(known) == path.Base(gone) {
			return fmt.Sprintf("did it move to %s?", known)
		}
	}
	if near, ok := atomicity.Nearest(gone, c.code.Known); ok {
		return fmt.Sprintf("did you mean %s?", near)
	}
	if strings.HasPrefix(gone, ".") && len(c.code.Known) > 0 {
		return fmt.Sprintf("write the import path, such as %s", c.code.Known[0])
	}
	return "remove it from the file"
}

// accessed reports whether the package accesses the variable anywhere.
func accessed(pkg *access.Package, variable string) bool {
	return slices.ContainsFunc(pkg.Functions, func(f *access.Function) bool { return len(pkg.In(f.Name, variable)) > 0 })
}

func mentions(loaded []*access.Package, variable string) bool {
	return slices.ContainsFunc(loaded, func(pkg *access.Package) bool { return accessed(pkg, variable) })
}

// nearVariable looks among the variables but those that are in the file already.
func nearVariable(loaded []*access.Package, gone string, but ...string) string {
	var known []string
	for _, pkg := range loaded {
		for _, f := range pkg.Functions {
			for _, a := range f.Accesses {
				known = append(known, pkg.Name(a.Var))
			}
		}
	}
	slices.Sort(known)
	known = slices.DeleteFunc(slices.Compact(known), func(k string) bool { return slices.Contains(but, k) })
	// A field keeps its name more often than its type does, and is often written
	// without it.
	field := "." + gone[strings.LastIndexByte(gone, '.')+1:]
	same := slices.DeleteFunc(slices.Clone(known), func(k string) bool { return !strings.HasSuffix(k, field) })
	if n := len(same); n == 1 || n <= 3 && n > 0 && gone == field[1:] {
		return fmt.Sprintf("did you mean %s?", strings.Join(same, " or "))
	}
	// The owner alone makes two names similar, which tells nothing.
	if near, ok := atomicity.Nearest(gone, known); ok && lettersInCommon(gone, near) {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return "rename it, or remove it from the file"
}

// lettersInCommon reports whether the last parts of two names are near as well,
// if what is before them is the same.
func lettersInCommon(a, b string) bool {
	i, j := strings.LastIndexByte(a, '.')+1, strings.LastIndexByte(b, '.')+1
	if a[:i] != b[:j] {
		return true
	}
	_, ok := atomicity.Nearest(a[i:], []string{b[j:]})
	return ok
}

// nearFunction prefers a function that has the code of the section: it was
// renamed, or the code was moved there.
func nearFunction(loaded []*access.Package, p atomicity.Place) string {
	var has, known []string
	for _, pkg := range loaded {
		for _, f := range pkg.Functions {
			if slices.Contains(known, f.Name) || len(pkg.In(f.Name, p.Variable.Name)) == 0 {
				continue
			}
			known = append(known, f.Name)
			if hasCode(pkg, f.Name, p) {
				has = append(has, f.Name)
			}
		}
	}
	switch {
	case len(has) == 1 && p.Section.Stale == atomicity.Gone: // infer was not sure
		return fmt.Sprintf("its code is in %s now: if that is the same section, write function: %s", has[0], has[0])
	case len(has) == 1:
		return fmt.Sprintf("its code is in %s now: write function: %s, or run 'atomrace infer'", has[0], has[0])
	case len(has) > 1:
		return fmt.Sprintf("its code is in %s", strings.Join(has[:min(len(has), 3)], ", "))
	}
	if near, ok := atomicity.Nearest(p.Section.Function, known); ok {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return fmt.Sprintf("these do: %s", strings.Join(known[:min(len(known), 3)], ", "))
}

// hasCode reports whether every location of the section is in the function,
// word for word.
func hasCode(pkg *access.Package, function string, p atomicity.Place) bool {
	has := func(variable string, l atomicity.Location) bool {
		return l.Code != "" && slices.ContainsFunc(pkg.In(function, variable), func(a *access.Access) bool { return a.Mode == l.Access && atomicity.SameCode(a.Code(), l.Code) })
	}
	for _, e := range p.Section.Ends {
		if !has(e.On(p.Variable.Name), e.Location) {
			return false
		}
	}
	return has(p.Variable.Name, p.Section.Entry)
}

// nearOf suggests the variable of a set that an end without one may mean, else the
// access of its variable that is nearest.
func nearOf(pkg *access.Package, s *atomicity.Section, variable string, e *atomicity.End) string {
	for _, other := range s.With {
		if a := pkg.Find(s.Function, other, e.Location); e.Variable == "" && a != nil && atomicity.SameCode(a.Code(), e.Code) {
			return fmt.Sprintf("that accesses %s: add variable: %s", other, other)
		}
	}
	return nearAccess(pkg, s.Function, e.On(variable), e.Location)
}

// nearAccess suggests the access of the same mode whose code is most alike.
func nearAccess(pkg *access.Package, function, variable string, l atomicity.Location) string {
	var best *access.Access
	likeness := -1.0
	for _, a := range pkg.In(function, variable) {
		if a.Mode != l.Access {
			continue
		}
		if like := atomicity.Similarity(l.Code, a.Code()); like > likeness {
			best, likeness = a, like
		}
	}
	if best == nil {
		return fmt.Sprintf("the function has no %s of %s any more", l.Access.Names()[0], variable)
	}
	at := pkg.Location(best)
	return fmt.Sprintf("did you mean `%s`, ordinal %d, line %d?", at.Code, at.Ordinal, at.Line)
}
