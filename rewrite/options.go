package rewrite

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/tools/go/packages"

	"github.com/atomrace/atomrace/atomicity"
)

// Options say what to instrument and how. The zero value of every field but
// HealSource has a meaning; Rewrite does not change Options.
type Options struct {
	// Dir is the directory in which the patterns are meant, inside the
	// user's module; empty is the current directory.
	Dir string
	// Patterns are package patterns as the go command takes them; empty is
	// ".". The packages they match are rewritten together with the packages
	// of the same main module (or workspace) that they depend on.
	Patterns []string
	// Deps are patterns of import paths, "..." standing for anything: the
	// dependencies outside the main module that they match are rewritten
	// too, whether they come from the module cache, a vendor directory or a
	// replace directive. "all" matches every one.
	Deps []string
	// Std does the same for the standard library; "std" matches all of it.
	// Packages that may not be rewritten are an error when a pattern names
	// one, and passed over when "..." does: package runtime, sync, those
	// that are internal, and all that the runtime of atomrace imports.
	Std []string
	// Tests includes the test files of the packages that Patterns match.
	Tests bool
	// LeaveBroken leaves packages that do not type-check as they are, and names them in
	// Result.Broken, rather than fail for them: go test says what is wrong with each and
	// tests the others. Where the tests of a package alone do not, they are left out.
	LeaveBroken bool
	// BuildFlags are the flags of the go command that decide which files
	// belong to a package: -tags, -race, -mod and the like.
	BuildFlags []string
	// Env is the environment of the go command; nil is os.Environ().
	Env []string
	// Spec names the variables and their atomic sections; nil has none.
	Spec *atomicity.Spec
	// Races hooks every other shared variable too, for the primitive race
	// of papers/001 section 3.1.
	Races bool
	// Thin lets heal leave activations of functions unwatched where its budget says so
	// (ATOMRACE's budget=): functions are in the program twice, with hooks and
	// without. Not so those with accesses to a variable of which Spec heals a section.
	Thin bool
	// Control builds for the scheduler, package sched, in place of the
	// detector: see controlled.go. Of Spec, the scheduler is told where sections
	// begin and end; Defaults do not count then.
	Control bool
	// SchedSource holds the Go and assembly files of package sched at its
	// root; a build with Control has them instead of HealSource.
	SchedSource fs.FS
	// HealSource holds the Go and assembly files of package heal at its
	// root. Install needs it; Rewrite alone does not.
	HealSource fs.FS
	// Defaults is baked into main packages as the value that ATOMRACE has
	// where the environment does not say otherwise; empty bakes nothing.
	Defaults string
	// Cache is a directory in which the results for packages are kept from
	// one run to the next, so that only packages that have changed are
	// loaded and rewritten again; empty keeps nothing. Runs may share it,
	// at the same time too. Readable results are not kept.
	Cache string
	// Readable renders for people: gofmt clean, without line directives,
	// heal imported by HealImport. Such a Result cannot be installed.
	Readable bool
	// Selected is what Select returned for these Options, whose Spec does not
	// count for it; nil has the packages selected anew.
	Selected *Selection
	// Loaded are packages loaded with the same Dir, Env and BuildFlags, in LoadMode at
	// least and without tests: unless Tests is set, they are not loaded again.
	Loaded []*packages.Package
	// HealImport is the import path of heal in a Readable result; empty is
	// its public path.
	HealImport string
}

func (o *Options) healImport() string {
	switch {
	case o.Control:
		return SchedPath
	case o.HealImport == "":
		return HealPath
	}
	return o.HealImport
}

// runtimeSource is the source of the package that the emitted code calls, and
// shadowRuntime its import path in the shadow GOROOT.
func (o Options) runtimeSource() fs.FS {
	if o.Control {
		return o.SchedSource
	}
	return o.HealSource
}

func (o Options) shadowRuntime() string {
	if o.Control {
		return shadowSchedPath
	}
	return shadowHealPath
}

var errNoSource = errors.New("the source of the runtime is missing: set HealSource, or SchedSource with Control")

func (o Options) environ() []string {
	if o.Env == nil {
		return os.Environ()
	}
	return o.Env
}

func (o Options) patterns() []string {
	if len(o.Patterns) == 0 {
		return []string{"."}
	}
	return o.Patterns
}

// A Result is the outcome of Rewrite. It is not changed afterwards, and safe
// for concurrent use.
type Result struct {
	// Files maps the absolute path of each rewritten source file to its new
	// content. Files that need no hook are not in it.
	Files map[string][]byte
	// Hooks counts what was emitted.
	Hooks Hooks
	// Unhooked lists the accesses that could not be hooked without risk to
	// the meaning of the program, and why, in the order of the source.
	Unhooked []Note
	// Code names the code that was rewritten, tests included, wherever it
	// lies: equal for equal builds.
	Code string
	// Reused counts the packages whose result came from Options.Cache.
	Reused int
	// Stale lists the variables and sections of the spec that no longer
	// match the code.
	Stale []Stale
	// Broken are the packages that were left as they are, with their tests or these
	// alone, since they do not type-check, sorted; see Options.LeaveBroken.
	Broken []string
	// Selected are the packages of the build and those that were rewritten.
	Selected *Selection

	cover    map[string][]byte // what the proxy of the cover tool needs to know of each file
	options  Options
	settings settings // of the go command in the user's module
	env      []string // of the go command
}

func (r *Result) trimpath() bool { return trimpath(r.settings.GOFLAGS, r.options.BuildFlags) }

// Hooks counts the hooks of a Result by what they do.
type Hooks struct {
	Packages  int // packages with at least one rewritten file
	Files     int // rewritten files
	Functions int // functions and function literals with hooks
	Spec      int // accesses to variables of the spec
	Races     int // accesses hooked for Options.Races alone
	Sections  int // sections of the spec that were found in the code
	Exits     int // explicit ways out of a section
	Holds     int // healing holds before locks of the program
	Thinned   int // functions that are there without hooks as well
}

// A Note is a place that was left alone.
type Note struct {
	File     string // absolute
	Line     int
	Column   int
	Variable string // canonical name, empty when no single variable is concerned
	Section  string // id of the section that may not be watched because of it, or empty
	Reason   string
}

// Stale is a part of the spec whose code is gone.
type Stale struct {
	Package  string // import path
	Variable string // canonical name
	Section  string // id; empty when the variable itself is gone
	Missing  string // what was looked for
}

// An Injection is an installed Result, ready to be handed to the go command.
type Injection struct {
	// OverlayFile is the JSON file for -overlay.
	OverlayFile string
	// Goroot is the shadow GOROOT that holds the runtime, Original the one it
	// is the shadow of.
	Goroot, Original string
	// ModCache is the shadow of the module cache that holds the rewritten
	// dependencies; empty when there are none in the cache.
	ModCache string
	// OriginalModCache is the module cache; the code that the program was built
	// of is said to be there and in Original.
	OriginalModCache string
	// CoverList is a file that names the rewritten files to the proxy of the cover
	// tool.
	CoverList string
	// Go is the go command to run: the one of the toolchain that was asked
	// about the user's module.
	Go string
}
