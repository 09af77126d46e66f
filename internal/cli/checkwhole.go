package cli

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// wholeModule is what a check of directories has go vet asked for: it stands for every
// choice among the packages of a module.
//
// Go vet's cache keeps one result for a package, whether it was asked for or an
// importer was, and its key holds for a run as a whole: where the key tells what was
// asked for (see asked), each new choice has everything looked at again, the standard
// library included. So the tool finds what is to be reported in a package of the module that
// only an importer wants, too, and check leaves out what nobody asked for.
//
// Not where there is an atomicity.yaml: whoever changes it and checks one package would
// have all that this one imports analyzed again, whose facts cachedFacts keeps.
const wholeModule = "the whole module"

// inModule says whether the packages are directories of the main module, or of one that a
// go.work uses, without an atomicity.yaml: no package that go vet takes for a dependency is
// among them then.
func (o *checkOptions) inModule() bool {
	directories := !slices.ContainsFunc(o.Packages, func(p string) bool {
		first, _, _ := strings.Cut(filepath.ToSlash(p), "/")
		return first != "." && first != ".." || strings.HasSuffix(p, ".go")
	})
	roots := specRoots(".")
	return directories && os.Getenv("GO111MODULE") != "off" && len(roots) > 0 && !slices.ContainsFunc(roots, ofGoRoot) && len(specFiles()) == 0
}

// ofGoRoot says whether the directory holds the standard library or the go command, whose
// packages are dependencies even when they are the main module.
func ofGoRoot(dir string) bool {
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	first, _, _ := strings.Cut(string(data), "\n")
	return err == nil && isGoRoot(strings.TrimPrefix(strings.TrimSpace(first), "module "))
}

func isGoRoot(module string) bool { return module == "std" || module == "cmd" }

// wholly says whether what there is to report in the package is to be found whether or not
// go vet wants to know about it for the sake of its importers alone.
func (u *unit) wholly() bool { return os.Getenv(askedKey) == wholeModule && u.inMain() }

// outside says whether a package is asked for, as one of the main module, that is not.
func (u *unit) outside() bool {
	return os.Getenv(askedKey) == wholeModule && !u.inMain() && !u.VetxOnly
}

// inMain says whether the package is of the main module.
func (u *unit) inMain() bool {
	var module struct{ Path, Version string }
	_ = json.Unmarshal(u.Module, &module) // absent before Go 1.27
	path, version := cmp.Or(module.Path, u.ModulePath), cmp.Or(module.Version, u.ModuleVersion)
	return path != "" && version == "" && !isGoRoot(path)
}

// reporting writes what go vet says of the package in config beside it, but that nothing
// is to be found for importers alone, and that the package has another name with its tests.
// It returns the name of that file.
func (u *unit) reporting(config string) (string, error) {
	data, err := os.ReadFile(config)
	if err != nil {
		return "", err
	}
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		return "", err
	}
	fields["VetxOnly"] = false
	if slices.ContainsFunc(u.GoFiles, func(file string) bool { return strings.HasSuffix(file, "_test.go") }) {
		fields["ID"] = withTests(u.ID)
	}
	if data, err = json.Marshal(fields); err != nil {
		return "", err
	}
	file := strings.TrimSuffix(config, ".cfg") + ".whole.cfg"
	return file, os.WriteFile(file, data, 0o666)
}

func withTests(id string) string { return id + " with tests" }

// askedFor returns the findings in packages that were asked for, and in those of their tests.
func (f findings) askedFor(all []listed) findings {
	kept := findings{}
	keep := func(path, id string) {
		if found, ok := f[id]; ok {
			kept[path] = found
		}
	}
	for _, p := range all {
		// Go vet looks at a package and its tests as one, and perhaps at the package alone
		// for its importers.
		if p.tests {
			keep(p.path, withTests(p.path))
		} else {
			keep(p.path, p.path)
		}
		keep(p.path+"_test", withTests(p.path+"_test"))
	}
	return kept
}
