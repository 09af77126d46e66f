package curate

import (
	"fmt"
	"slices"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// Code is the source that a Spec is checked against.
type Code struct {
	// Packages are the packages of the Spec that exist, by import path. A
	// package may be there twice, without and with its test files.
	Packages map[string][]*access.Package
	// Known are the import paths of the module, to suggest one for a package
	// that is gone.
	Known []string
}

// Stale is a section, or a variable without sections, whose code is not there.
type Stale struct {
	atomicity.Place // Section is nil when the variable itself is meant
	Problem         atomicity.Problem
}

// Check looks for every section of the Spec in the code and returns those that
// are not there, in the order of the file, each with the nearest thing that is.
// A section that is confirmed is a mistake then, one that is not a warning:
// runs and reports must not lose silently what a person has said matters.
// Variables without sections are looked for as well.
func Check(spec *atomicity.Spec, code Code) []Stale {
	c := &checker{spec: spec, code: code}
	for _, p := range spec.Packages {
		for _, v := range p.Variables {
			if len(v.Sections) == 0 {
				c.variable(atomicity.Place{Package: p, Variable: v})
			}
			for _, s := range v.Sections {
				c.section(atomicity.Place{Package: p, Variable: v, Section: s})
			}
		}
	}
	return c.stale
}

type checker struct {
	spec  *atomicity.Spec
	code  Code
	stale []Stale
}

// add reports that the code is not there, at a field of an object of the file.
func (c *checker) add(p atomicity.Place, of any, field, format string, args ...any) {
	problem := atomicity.Problem{
		Position: c.spec.Position(of, field),
		Check:    "stale",
		Warning:  true,
		Msg:      fmt.Sprintf(format, args...),
	}
	if s := p.Section; s != nil {
		problem.Section, problem.Warning = s.ID, s.Status != atomicity.Confirmed
		problem.Msg = fmt.Sprintf("%s section %s: %s", s.Status, s.ID, problem.Msg)
	}
	c.stale = append(c.stale, Stale{p, problem})
}

func (c *checker) variable(p atomicity.Place) {
	loaded := c.code.Packages[p.Package.Path]
	if len(loaded) == 0 {
		c.add(p, p.Package, "package", "no package %s; %s", p.Package.Path, c.nearPackage(p.Package.Path))
		return
	}
	for _, pkg := range loaded {
		if accessed(pkg, p.Variable.Name) {
			return
		}
	}
	c.add(p, p.Variable, "variable", "no access to %s in package %s; %s", p.Variable.Name, p.Package.Path, nearVariable(loaded, p.Variable.Name))
}

func (c *checker) section(p atomicity.Place) {
	loaded := c.code.Packages[p.Package.Path]
	if len(loaded) == 0 {
		c.add(p, p.Package, "package", "no package %s; %s", p.Package.Path, c.nearPackage(p.Package.Path))
		return
	}
	best := loaded[0] // the one with most of the section
	for _, pkg := range loaded {
		if len(pkg.In(p.Section.Function, p.Variable.Name)) > 0 {
			best = pkg
		}
		if _, _, ok := Locate(pkg, p); ok && c.set(pkg, p) {
			return
		}
	}
	s, name := p.Section, p.Variable.Name
	if len(best.In(s.Function, name)) == 0 {
		if !mentions(loaded, name) {
			c.add(p, p.Variable, "variable", "no access to %s in package %s; %s", name, p.Package.Path, nearVariable(loaded, name))
			return
		}
		c.add(p, s, "function", "%s does not access %s; %s", s.Function, name, nearFunction(loaded, p))
		return
	}
	for _, other := range s.With {
		if !mentions(loaded, other) {
			c.add(p, s, "with", "no access to %s in package %s; %s", other, p.Package.Path, nearVariable(loaded, other, s.Set(name)...))
			return
		}
	}
	if best.Find(s.Function, name, s.Entry) == nil {
		c.add(p, &s.Entry, "", "no %s in %s begins it; %s", describe(s.Entry), s.Function, nearAccess(best, s.Function, name, s.Entry))
	}
	for i := range s.Ends {
		e := &s.Ends[i]
		if on := e.On(name); best.Find(s.Function, on, e.Location) == nil {
			what := describe(e.Location)
			if e.Variable != "" {
				what = fmt.Sprintf("%s of %s in `%s`", e.Access.Names()[0], on, e.Code)
			}
			c.add(p, e, "", "no %s in %s ends it; %s", what, s.Function, nearOf(best, s, name, e))
		}
	}
}

// set reports whether the code has all the variables of the section in one place.
// That they cannot be in one is a mistake, whatever the status of the section.
func (c *checker) set(pkg *access.Package, p atomicity.Place) bool {
	if len(p.Section.With) == 0 {
		return true
	}
	for _, name := range p.Section.Set(p.Variable.Name) {
		if !accessed(pkg, name) {
			return false
		}
		if _, err := access.FindMember(pkg.Types, name); err != nil && !slices.ContainsFunc(c.stale, func(s Stale) bool { return s.Section == p.Section }) {
			c.add(p, p.Section, "with", "%s %v; a section over several variables cannot have it", name, err)
			problem := &c.stale[len(c.stale)-1].Problem
			problem.Check, problem.Warning = "set", false
		}
	}
	return true
}

// Locate finds the accesses of a section in the code. ok is false when one is
// not there; entry, or elements of ends, are nil then.
func Locate(pkg *access.Package, p atomicity.Place) (entry *access.Access, ends []*access.Access, ok bool) {
	s := p.Section
	entry = pkg.Find(s.Function, p.Variable.Name, s.Entry)
	ok = entry != nil
	for _, e := range s.Ends {
		end := pkg.Find(s.Function, e.On(p.Variable.Name), e.Location)
		ends = append(ends, end)
		ok = ok && end != nil
	}
	return entry, ends, ok
}

// describe names an access as a person would look for it.
func describe(l atomicity.Location) string {
	if l.Code == "" {
		return fmt.Sprintf("%s of ordinal %d", l.Access.Names()[0], l.Ordinal)
	}
	return fmt.Sprintf("%s in `%s`", l.Access.Names()[0], l.Code)
}
