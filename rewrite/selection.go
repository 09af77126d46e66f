package rewrite

import (
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// selection says which packages of a build are rewritten: those of the user's
// main modules, dependencies that match Options.Deps, and standard packages that
// match Options.Std.
type selection struct {
	packages map[string]bool // by import path
	// passive packages have no hooks at their accesses: with Options.Control,
	// dependencies that Deps and Std do not name.
	passive map[string]bool
	runtime map[string]bool // what the runtime imports, with all below
}

// A Selection is what Select found out about a build. It is not changed
// afterwards.
type Selection struct {
	// Packages are the import paths of the packages that Rewrite would
	// rewrite, sorted. Files named on the command line are not among them,
	// having no import path.
	Packages []string
	// Key names all that can be inferred from these packages: the content of
	// their files without tests, what they import, the build, and this
	// program. It is empty when there is no such name.
	Key string

	settings settings
	list     []*listed
	chosen   *selection
}

// Select chooses the packages that Rewrite would rewrite. An error is one line:
// the packages cannot be listed, or a pattern of Deps or Std names something that
// may not be rewritten or that is not there.
func Select(ctx context.Context, o Options) (*Selection, error) {
	env := o.environ()
	s := new(Selection)
	var err error
	if s.settings, err = goSettings(ctx, o.Dir, env); err != nil {
		return nil, err
	}
	if s.list, err = listDependencies(ctx, o, env, o.patterns()); err != nil {
		return nil, err
	}
	if s.chosen, err = newSelection(ctx, o, env, s.list); err != nil {
		return nil, err
	}
	for path := range s.chosen.packages {
		if path != filesPackage {
			s.Packages = append(s.Packages, path)
		}
	}
	slices.Sort(s.Packages)
	keys, err := newKeys(o, s.settings, s.list)
	if err != nil {
		return nil, err
	}
	s.Key = keys.inferred(s)
	return s, nil
}

// Sources are the directories of those packages of the build whose files may change:
// those that lie neither in GOROOT nor in the module cache. With cgo one of them has
// files for cgo, which depend on others that nobody has listed.
func (s *Selection) Sources() (dirs []string, cgo bool) {
	for _, p := range s.list {
		if _, cached := s.settings.inModCache(filepath.Join(p.Dir, "x.go")); p.Standard || cached || p.Dir == "" {
			continue
		}
		dirs = append(dirs, p.Dir)
		cgo = cgo || len(p.CgoFiles) > 0
	}
	return dirs, cgo
}

// Code names the code that a build with the same options is of: the files of all
// packages that are not of the standard library, tests included where the options say
// so, and the toolchain. See [Result.Code].
func (s *Selection) Code(o Options) (string, error) { return codeDigest(o, s.settings, s.list) }

// filesPackage is what the go command calls a package given as a list of files.
const filesPackage = "command-line-arguments"

func newSelection(ctx context.Context, o Options, env []string, list []*listed) (*selection, error) {
	s := &selection{packages: map[string]bool{}, passive: map[string]bool{}}
	if len(o.Std) > 0 || o.Control {
		var err error
		if s.runtime, err = runtimeImports(ctx, o, env); err != nil {
			return nil, err
		}
	}
	deps, err := newPatterns("deps", o.Deps)
	if err != nil {
		return nil, err
	}
	std, err := newPatterns("std", o.Std)
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		switch {
		case p.isOwn():
			s.packages[p.ImportPath] = true
		case p.Standard:
			reason := s.forbids(p.ImportPath)
			if deps.names(p.ImportPath) {
				return nil, fmt.Errorf("-deps %s: it is a standard package; use -std %[1]s", p.ImportPath)
			}
			switch {
			case !std.match(p.ImportPath):
				if o.Control && slices.Contains(controlledStd, p.ImportPath) && !s.runtime[p.ImportPath] {
					s.packages[p.ImportPath], s.passive[p.ImportPath] = true, true
				}
			case reason == "":
				s.packages[p.ImportPath] = true
			case std.names(p.ImportPath):
				return nil, fmt.Errorf("-std %s: %s; leave it out", p.ImportPath, reason)
			}
		default:
			if std.names(p.ImportPath) {
				return nil, fmt.Errorf("-std %s: it is no standard package; use -deps %[1]s", p.ImportPath)
			}
			switch {
			case isRuntime(p.ImportPath):
			case deps.match(p.ImportPath):
				s.packages[p.ImportPath] = true
			case o.Control:
				s.packages[p.ImportPath], s.passive[p.ImportPath] = true, true
			}
		}
	}
	if len(o.Std) > 0 && o.Tests {
		// The tests of such a package may import instrumented ones,
		// which import the package: a cycle.
		for _, p := range list {
			if !p.DepOnly && s.runtime[p.ImportPath] {
				return nil, fmt.Errorf("-std: the runtime of atomrace imports %s, whose own tests therefore cannot run with it; leave out -std or the package", p.ImportPath)
			}
		}
	}
	if err := deps.unmatched(); err != nil {
		return nil, err
	}
	if err := std.unmatched(); err != nil {
		return nil, err
	}
	return s, s.misses(list)
}

// misses is the error for patterns of the go command that match packages
// outside the main module alone.
func (s *selection) misses(list []*listed) error {
	var first *listed
	for _, p := range list {
		if p.DepOnly {
			continue
		}
		if s.packages[p.ImportPath] {
			return nil
		}
		if first == nil {
			first = p
		}
	}
	if first == nil || len(s.packages) > 0 {
		return nil
	}
	flag := "deps"
	if first.Standard {
		flag = "std"
	}
	return fmt.Errorf("%s is not in the main module; -%s %[1]s instruments it", first.ImportPath, flag)
}

// forbids says why a standard package may not be rewritten; it is empty when
// it may.
func (s *selection) forbids(path string) string {
	first, _, _ := strings.Cut(path, "/")
	switch {
	case s.runtime[path]:
		return "the runtime of atomrace is built on this package"
	case first == "runtime", first == "unsafe":
		return "it is part of Go's runtime, where no hook can run"
	case first == "sync":
		return "it is what synchronises programs, and hooks need it themselves"
	case first == "internal", strings.HasPrefix(path, "crypto/internal/"):
		return "internal packages of the standard library rely on Go's runtime and compiler"
	case first == "cmd":
		return "it is part of Go's own tools"
	}
	return ""
}

// runtimeImports lists what the runtime imports, with all that is below; the
// hooks in those packages would import themselves.
func runtimeImports(ctx context.Context, o Options, env []string) (map[string]bool, error) {
	if o.runtimeSource() == nil {
		return nil, errNoSource
	}
	files, err := runtimeFiles(o.runtimeSource())
	if err != nil {
		return nil, fmt.Errorf("reading the source of the runtime: %w", err)
	}
	paths := map[string]bool{}
	for name, text := range files {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			return nil, fmt.Errorf("reading the source of the runtime: %w", err)
		}
		for _, s := range f.Imports {
			if path, err := strconv.Unquote(s.Path.Value); err == nil {
				paths[path] = true
			}
		}
	}
	args := slices.Concat([]string{"list", "-e", "-deps"}, o.BuildFlags, []string{"--"}, sortedKeys(paths))
	out, err := goCommand(ctx, o.Dir, env, args...)
	if err != nil {
		return nil, err
	}
	all := map[string]bool{}
	for _, path := range strings.Fields(string(out)) {
		all[path] = true
	}
	return all, nil
}

// patterns are import paths in which "..." stands for anything, as the go
// command has them; "all" and "std" stand for all packages of the kind.
type patterns struct {
	flag string
	list []string
	used []bool
}

func newPatterns(flag string, lists []string) (*patterns, error) {
	p := &patterns{flag: flag}
	for _, list := range lists {
		for pattern := range strings.SplitSeq(list, ",") {
			if pattern == "" || strings.HasPrefix(pattern, ".") || strings.HasPrefix(pattern, "/") || strings.ContainsAny(pattern, "@ ") {
				return nil, fmt.Errorf("-%s %q: want an import path, in which ... may stand for anything", flag, pattern)
			}
			p.list = append(p.list, pattern)
		}
	}
	p.used = make([]bool, len(p.list))
	return p, nil
}

// match says whether a pattern matches the import path, and remembers which.
func (p *patterns) match(path string) bool {
	found := false
	for i, pattern := range p.list {
		if matches(pattern, path) {
			p.used[i], found = true, true
		}
	}
	return found
}

// names says whether a pattern without "..." is the import path.
func (p *patterns) names(path string) bool { return slices.Contains(p.list, path) }

// unmatched is the error for a pattern that matched nothing. All of none is
// none.
func (p *patterns) unmatched() error {
	for i, used := range p.used {
		if !used && !isAll(p.list[i]) {
			return fmt.Errorf("-%s %s: matches no package of this build that is not in the main module", p.flag, p.list[i])
		}
	}
	return nil
}

func isAll(pattern string) bool { return pattern == "all" || pattern == "std" }

func matches(pattern, path string) bool {
	if isAll(pattern) {
		return true
	}
	if prefix, ok := strings.CutSuffix(pattern, "/..."); ok && path == prefix {
		return true
	}
	parts := strings.Split(pattern, "...")
	if len(parts) == 1 {
		return pattern == path
	}
	if !strings.HasPrefix(path, parts[0]) {
		return false
	}
	path = path[len(parts[0]):]
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		i := strings.Index(path, part)
		if i < 0 {
			return false
		}
		path = path[i+len(part):]
	}
	return strings.HasSuffix(path, parts[last])
}
