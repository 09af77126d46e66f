package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/pattern"
)

// inForce are the files that are in force for packages around a directory. One in
// a directory counts for the packages below that directory, a nearer one before one
// that is farther away (atomicity.Files, Spec.Inherit).
type inForce struct {
	files   []*atomicity.Spec // those above the directory from the nearest on, then those below
	modules []module          // to tell where packages are
	own     bool              // only what is about the packages of the modules is wanted
}

// module is a Go module in a directory; its path is empty when that is not known.
type module struct{ path, dir string }

// specsInForce loads the files that are in force in the directories, and those below
// them. With own, only what is about packages of the modules there is of interest,
// as for a build.
func specsInForce(own bool, dirs ...string) (*inForce, error) {
	x := &inForce{own: own}
	var names []string
	for _, dir := range dirs {
		names = append(names, atomicity.Files(dir)...)
		if root := moduleAbove(dir); root != "" {
			x.modules = append(x.modules, module{modulePath(root), root})
		} else if !own { // above modules
			x.modules = append(x.modules, modulesBelow(dir)...)
		}
	}
	for _, dir := range dirs {
		for _, name := range specsBelow(dir) {
			if !own || x.main(filepath.Dir(name)) {
				names = append(names, name)
			}
		}
	}
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] {
			continue
		}
		seen[name] = true
		spec, err := loadSpec(name)
		if err != nil {
			return nil, firstOf(err)
		}
		x.files = append(x.files, spec)
	}
	return x, nil
}

// spec is what the files say together.
func (x *inForce) spec() *atomicity.Spec {
	all, seen := atomicity.New(), map[string]bool{}
	for _, f := range x.files {
		for _, p := range f.Packages {
			if seen[p.Path] {
				continue
			}
			seen[p.Path] = true
			for _, g := range x.about(p.Path) {
				all.Inherit(p.Path, g)
			}
		}
	}
	if len(x.files) == 1 && len(all.Packages) == len(x.files[0].Packages) {
		return x.files[0]
	}
	return all
}

// about returns the files that are in force for a package, the nearest first. Of a
// package that is in no module here, only files within the modules count for a
// build. What is not for a build is to be seen, even if nothing is in force.
func (x *inForce) about(path string) []*atomicity.Spec {
	dir, known := x.dir(path)
	var naming, files []*atomicity.Spec
	for _, f := range x.files {
		if f.Package(path) == nil {
			continue
		}
		naming = append(naming, f)
		if at := specDir(f); known && (!x.own || x.main(dir)) && below(at, dir) || !known && x.own && x.main(at) {
			files = append(files, f)
		}
	}
	if len(files) == 0 && !x.own {
		files = naming
	}
	slices.SortStableFunc(files, func(a, b *atomicity.Spec) int { return len(specDir(b)) - len(specDir(a)) })
	return files
}

// main reports whether a directory is in one of the modules, not in another one
// inside of them.
func (x *inForce) main(dir string) bool {
	root := moduleAbove(dir)
	return slices.ContainsFunc(x.modules, func(m module) bool { return m.dir == root })
}

// covered reports whether a file is in force for the package at all.
func (x *inForce) covered(path string) bool {
	dir, known := x.dir(path)
	return slices.ContainsFunc(x.files, func(f *atomicity.Spec) bool { return !known || below(specDir(f), dir) })
}

// dir is where a package is, or would be.
func (x *inForce) dir(path string) (dir string, known bool) {
	path = strings.TrimSuffix(path, "_test")
	best := -1
	for i, m := range x.modules {
		if m.holds(path) && (best < 0 || len(m.path) > len(x.modules[best].path)) {
			best = i
		}
	}
	if best < 0 {
		return "", false
	}
	m := x.modules[best]
	return filepath.Join(m.dir, filepath.FromSlash(strings.TrimPrefix(path, m.path))), true
}

func (m module) holds(path string) bool {
	return m.path != "" && (path == m.path || strings.HasPrefix(path, m.path+"/"))
}

// specDir is the directory of the file of a spec.
func specDir(spec *atomicity.Spec) string { return fileDir(spec.File()) }

// fileDir is the directory of a file, from the root of the file system.
func fileDir(file string) string {
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return filepath.Dir(file)
	}
	return dir
}

// below reports whether dir is above or is in it.
func below(above, dir string) bool {
	rel, err := filepath.Rel(above, dir)
	return err == nil && filepath.IsLocal(rel)
}

// moduleAbove is the nearest directory from dir upwards with a go.mod, or empty. dir
// need not exist.
func moduleAbove(dir string) string {
	dir, err := filepath.Abs(dir)
	for err == nil {
		if exists(filepath.Join(dir, "go.mod")) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

var moduleLine = pattern.New(`(?m)^module[ \t]+["` + "`" + `]?([^\s"` + "`" + `]+)`)

// modulePath is the path of the module in a directory; empty when its go.mod does
// not tell, which the go command reports.
func modulePath(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return ""
	}
	if match := moduleLine.Regexp().FindSubmatch(text); match != nil {
		return string(match[1])
	}
	return ""
}

// modulesBelow are the modules in and below a directory.
func modulesBelow(dir string) []module {
	var modules []module
	for _, file := range filesBelow(dir, "go.mod") {
		modules = append(modules, module{modulePath(filepath.Dir(file)), filepath.Dir(file)})
	}
	return modules
}
