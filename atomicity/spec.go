package atomicity

import "iter"

// FileName is the name of the file at the root of a module (or in a directory
// below it) that holds its Spec.
const FileName = "atomicity.yaml"

// Version is the version of the file format that this package reads and
// writes.
const Version = 1

// Spec is the content of one atomicity.yaml.
//
// Change its fields freely, then call Bytes or Save: what changed is written
// into the text the Spec was read from, and the rest of that text stays as it
// was.
type Spec struct {
	// Version is the version of the file format: 1.
	Version int `yaml:"version" spec:"required" example:"1"`
	// Packages are the packages with variables to watch, each path once.
	Packages []*Package `yaml:"packages" spec:"required" example:"[]"`

	doc       *document    // the text this was read from; nil for a new Spec
	inherited *inheritance // where the entries come from; nil unless of Inherit
}

// Package is one Go package and its watched variables.
type Package struct {
	// Path is the import path of the package.
	Path string `yaml:"package" spec:"required,line,unique" example:"example.com/pool"`
	// Variables are the variables of the package, each name once.
	Variables []*Variable `yaml:"variables" spec:"required" example:"[]"`
}

// Variable is one shared variable of a package and the sections over it.
// Every access to it is watched, also those outside of sections, since they
// are the ones that break in.
type Variable struct {
	// Name is the canonical name in its package: Type.field (Type.a.b through
	// an anonymous struct), name (a package-level variable), or func.name and
	// (*T).M.name (a captured local of that function; #2 appended for the
	// second of that name). The suffix [] means the contents (elements of a
	// map, sync.Map or slice) as opposed to the variable itself.
	Name string `yaml:"variable" spec:"required,line,unique" example:"Pool.free"`
	// Type is the Go type of the variable, for people; infer refreshes it.
	Type string `yaml:"type" spec:"optional,line" example:"\"[]*Conn\""`
	// Sections are the sections over the variable; may be empty.
	Sections []*Section `yaml:"sections" spec:"required" example:"[]"`
}

// New returns an empty Spec of the present version.
func New() *Spec { return &Spec{Version: Version} }

// Place is a section together with the variable and package it stands under.
type Place struct {
	Package  *Package
	Variable *Variable
	Section  *Section
}

// All yields every section in the order of the file.
func (s *Spec) All() iter.Seq[Place] {
	return func(yield func(Place) bool) {
		for _, p := range s.Packages {
			for _, v := range p.Variables {
				for _, sec := range v.Sections {
					if !yield(Place{p, v, sec}) {
						return
					}
				}
			}
		}
	}
}

// Active yields the sections that are to be watched, those not rejected, in
// the order of the file.
func (s *Spec) Active() iter.Seq[Place] {
	return func(yield func(Place) bool) {
		for p := range s.All() {
			if p.Section.Active() && !yield(p) {
				return
			}
		}
	}
}

// Section returns the section with the id, or nil.
func (s *Spec) Section(id string) *Section {
	for p := range s.All() {
		if p.Section.ID == id {
			return p.Section
		}
	}
	return nil
}

// Package returns the package with the import path, or nil.
func (s *Spec) Package(path string) *Package {
	for _, p := range s.Packages {
		if p.Path == path {
			return p
		}
	}
	return nil
}

// Variable returns the variable with the name, or nil. It may be called on a
// nil Package.
func (p *Package) Variable(name string) *Variable {
	if p == nil {
		return nil
	}
	for _, v := range p.Variables {
		if v.Name == name {
			return v
		}
	}
	return nil
}
