package verdict

import (
	"errors"
	"go/token"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers/internal/docs"
	"github.com/atomrace/atomrace/analyzers/internal/guard"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// Analyzer computes the *Result of a package.
var Analyzer = &analysis.Analyzer{
	Name:             "verdict",
	Doc:              docs.Extract(doc, "verdict"),
	URL:              docs.URL("verdict"),
	Run:              guard.Run(run),
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[*Result](),
}

// A Result is what people have said about the findings of one package. Its
// methods may be called concurrently.
type Result struct {
	// Directives are those of the package, in the order of the source.
	Directives []*Directive
	// SpecError says why the atomicity.yaml in force could not be loaded, or
	// is nil.
	SpecError error
	fset      *token.FileSet
	places    map[place][]*Directive
	spec      *atomicity.Package
	all       *atomicity.Spec // of which spec is the one package
}

// A Directive is one //atomrace:ignore comment.
type Directive struct {
	// Pos is where the comment starts.
	Pos token.Pos
	// IDs are the checks that it silences.
	IDs []string
	// Reason says why; a Directive without one silences nothing.
	Reason string

	used []atomic.Bool // by index of IDs
}

// Used says whether the directive has silenced the check IDs[i] so far. It is
// final once all analyzers that report have run.
func (d *Directive) Used(i int) bool { return d.used[i].Load() }

// place is a line of a file, as the compiler counts without //line comments.
type place struct {
	file *token.File
	line int
}

// Ignored says whether a directive silences the check at pos, and remembers
// that the directive was of use.
func (r *Result) Ignored(check string, pos token.Pos) bool {
	return r.silenced(check, pos, func(d *Directive, i int) { d.used[i].Store(true) })
}

// Silenced is Ignored without the remembering.
func (r *Result) Silenced(check string, pos token.Pos) bool {
	return r.silenced(check, pos, func(*Directive, int) {})
}

func (r *Result) silenced(check string, pos token.Pos, by func(d *Directive, i int)) bool {
	file := r.fset.File(pos)
	if file == nil {
		return false
	}
	found := false
	for _, d := range r.places[place{file, file.PositionFor(pos, false).Line}] {
		for i, id := range d.IDs {
			if id == check && d.Reason != "" {
				by(d, i)
				found = true
			}
		}
	}
	return found
}

// Confirmed yields the sections of the package that people have confirmed, with
// the names of their variables.
func (r *Result) Confirmed() iter.Seq2[string, *atomicity.Section] {
	return func(yield func(string, *atomicity.Section) bool) {
		if r.spec == nil {
			return
		}
		for _, v := range r.spec.Variables {
			for _, s := range v.Sections {
				if s.Status == atomicity.Confirmed && !yield(v.Name, s) {
					return
				}
			}
		}
	}
}

// Sections returns, for each of the sections inferred for a variable of the
// package, what the spec has of it, or nil.
func (r *Result) Sections(variable string, inferred []*atomicity.Section) []*atomicity.Section {
	if r.spec != nil {
		if v := r.spec.Variable(variable); v != nil {
			return v.Recognise(inferred)
		}
	}
	return make([]*atomicity.Section, len(inferred))
}

// Set returns what the spec has of a section over several variables that begins with
// the access entry to the one called variable and ends with end, to the one called
// other; nil if it has none.
func (r *Result) Set(variable string, entry *access.Access, other string, end *access.Access) *atomicity.Section {
	if r.spec == nil {
		return nil
	}
	v := r.spec.Variable(variable)
	if v == nil {
		return nil
	}
	for _, s := range v.Sections {
		if len(s.With) == 0 || s.Function != entry.Func.Name || !is(entry, s.Entry) {
			continue
		}
		for _, e := range s.Ends {
			if e.On(variable) == other && end.Func == entry.Func && is(end, e.Location) {
				return s
			}
		}
	}
	return nil
}

// is says whether the location names the access, one of the same function and variable.
func is(a *access.Access, at atomicity.Location) bool {
	if a.Mode != at.Access {
		return false
	}
	if at.Code == "" || at.Ordinal == a.Ordinal {
		return at.Ordinal == a.Ordinal && atomicity.Similar(at.Code, a.Code())
	}
	return atomicity.SameCode(at.Code, a.Code())
}

// File returns the name of the file in which people have judged the section, from
// the root of the module: atomicity.yaml, or ../atomicity.yaml.
func (r *Result) File(s *atomicity.Section) string {
	from, _ := r.all.Judged(s)
	return from.File()
}

func run(pass *analysis.Pass) (any, error) {
	r := &Result{fset: pass.Fset, places: map[place][]*Directive{}}
	for _, f := range pass.Files {
		r.read(f)
	}
	r.load(pass)
	return r, nil
}

// load finds the specs in force. Files that cgo or a test main generated lie
// elsewhere: the first file that has a spec above it counts.
func (r *Result) load(pass *analysis.Pass) {
	path, _, _ := strings.Cut(pass.Pkg.Path(), " ") // "p [p.test]" under go vet
	seen := map[string]bool{}
	for _, f := range pass.Files {
		dir := filepath.Dir(pass.Fset.Position(f.Package).Filename)
		if seen[dir] {
			continue
		}
		seen[dir] = true
		files := atomicity.Files(dir)
		if len(files) == 0 {
			continue
		}
		all := atomicity.New()
		for _, file := range files {
			// Pass.ReadFile is for the package's own files alone.
			data, err := os.ReadFile(file)
			if err != nil {
				r.SpecError = err
				return
			}
			spec, err := atomicity.Parse(shown(dir, file), data)
			if err != nil {
				r.SpecError = first(err)
				return
			}
			all.Inherit(path, spec)
		}
		r.all, r.spec = all, all.Package(path)
		return
	}
}

// shown is the name of the file from the root of the module that dir is in, which
// does not depend on where go vet runs.
func shown(dir, file string) string {
	for root := dir; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			if name, err := filepath.Rel(root, file); err == nil {
				return filepath.ToSlash(name)
			}
		}
		if root == filepath.Dir(root) {
			return filepath.Base(file)
		}
	}
}

// first is the first of several errors.
func first(err error) error {
	var list atomicity.Errors
	if errors.As(err, &list) && len(list) > 0 {
		return list[0]
	}
	return err
}
