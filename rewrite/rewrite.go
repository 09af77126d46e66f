package rewrite

import (
	"context"
	"fmt"
	"go/ast"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Rewrite loads the packages, plans the hooks and renders the files that need
// any. Nothing is written but to Options.Cache. An error is one line: the
// packages do not load or do not type-check, or there is no module.
func Rewrite(ctx context.Context, o Options) (*Result, error) {
	env := o.environ()
	s := o.Selected
	if s == nil {
		var err error
		if s, err = Select(ctx, o); err != nil {
			return nil, err
		}
	}
	settings, list, selected := s.settings, s.list, s.chosen
	cache, err := newUnitCache(o, settings, list, selected.packages)
	if err != nil {
		return nil, err
	}
	r := &Result{Files: map[string][]byte{}, cover: map[string][]byte{}, Selected: s, options: o, settings: settings, env: env}
	r.options.Loaded = nil
	if r.Code, err = codeDigest(o, settings, list); err != nil {
		return nil, err
	}
	rewritten := map[string]bool{}
	units := map[string]*unit{}
	var roots, files, below []string
	for _, p := range list {
		if !selected.packages[p.ImportPath] {
			continue
		}
		rewritten[p.ImportPath] = true
		if units[p.ImportPath] = cache.load(p); units[p.ImportPath] != nil {
			r.Reused++
			continue
		}
		switch {
		case p.ImportPath == filesPackage:
			files = o.patterns() // which the go command takes beside no import path
		case p.isOwn() || !p.DepOnly:
			roots = append(roots, p.ImportPath)
		default: // its tests may need modules that are not there
			below = append(below, p.ImportPath)
		}
	}
	pkgs, broken, err := load(ctx, o, env, roots)
	if err != nil {
		return nil, err
	}
	ofFiles, brokenFiles, err := load(ctx, o, env, files)
	if err != nil {
		return nil, err
	}
	o.Tests = false
	more, others, err := load(ctx, o, env, below)
	if err != nil {
		return nil, err
	}
	o.Tests = r.options.Tests
	pkgs = slices.Concat(pkgs, ofFiles, more)
	r.Broken = slices.Concat(broken, brokenFiles, others)
	slices.Sort(r.Broken)
	if err := rewrittenBefore(pkgs); err != nil {
		return nil, err
	}
	for _, p := range pkgs {
		rewritten[p.PkgPath] = true
	}
	embedded := embeddedFiles(list)
	portable := o.Readable || r.trimpath()
	w := newWatched(o.Spec)
	hooked := r.rewriteUnits(pkgs, units, func(pkg *packages.Package) *plan {
		display := func(file string) string { return displayName(portable, pkg.PkgPath, file) }
		o := o
		o.Races = o.Races && !selected.passive[pkg.PkgPath]
		p := newPlan(pkg, w, o, func(path string) bool { return rewritten[path] }, display)
		p.embedded = embedded
		return p
	})
	if !hooked.any && r.Reused > 0 {
		// What is in the cache was made for a program with hooks.
		o.Cache = ""
		return Rewrite(ctx, o)
	}
	if hooked.err != nil {
		return nil, hooked.err
	}
	for _, path := range sortedKeys(units) {
		u := units[path]
		if u == nil {
			continue
		}
		if hooked.any && u.fresh && !slices.Contains(r.Broken, path) {
			if err := cache.store(path, u); err != nil {
				return nil, err
			}
		}
		r.add(u)
	}
	missing, err := gone(ctx, o, env, rewritten)
	r.Stale = append(r.Stale, missing...)
	return r, err
}

// outcome of planning: whether the program has any hooks, and the first error.
type outcomeOfUnits struct {
	any bool
	err error
}

// rewriteUnits plans all packages before it rewrites the first, since entry
// points get their hooks only in programs that have others. The results are
// put with the units.
func (r *Result) rewriteUnits(pkgs []*packages.Package, units map[string]*unit, planFor func(*packages.Package) *plan) outcomeOfUnits {
	var out outcomeOfUnits
	for _, u := range units {
		out.any = out.any || u != nil && u.Hooked
	}
	var plans []*plan
	for _, pkg := range pkgs {
		if isRuntime(pkg.PkgPath) {
			continue
		}
		p := planFor(pkg)
		plans = append(plans, p)
		path := strings.TrimSuffix(pkg.PkgPath, "_test")
		if units[path] == nil {
			units[path] = &unit{Files: map[string][]byte{}, Cover: map[string][]byte{}, fresh: true}
		}
		units[path].Hooked = units[path].Hooked || p.hooked()
		units[path].Stale = append(units[path].Stale, p.stale...)
		out.any = out.any || p.hooked()
	}
	if out.any && !r.options.Control {
		addTestMains(plans)
	}
	for _, p := range plans {
		u := units[strings.TrimSuffix(p.pkg.PkgPath, "_test")]
		if err := u.rewritePackage(p, r.options, out.any); err != nil && out.err == nil {
			out.err = err
		}
	}
	return out
}

// add adds what came of one package and its tests.
func (r *Result) add(u *unit) {
	maps.Copy(r.Files, u.Files)
	maps.Copy(r.cover, u.Cover)
	r.Hooks.Packages += u.Hooks.Packages
	r.Hooks.Files += u.Hooks.Files
	r.Hooks.add(u.Hooks)
	r.Unhooked = append(r.Unhooked, u.Unhooked...)
	r.Stale = append(r.Stale, u.Stale...)
}

// isRuntime says whether the package is the runtime itself.
func isRuntime(path string) bool {
	return path == HealPath || strings.HasPrefix(path, HealPath+"/") || path == HealPath+"_test" || path == SchedPath || path == SchedPath+"_test"
}

// displayName is the name that reports show for a file: the path, or the import
// path with the base name in builds and source that must not depend on where
// they were made.
func displayName(portable bool, pkgPath, file string) string {
	if portable {
		return baseName(pkgPath, file)
	}
	return file
}

// gone finds the packages of the spec that no longer exist, by one question to
// the go command about all that were not loaded.
func gone(ctx context.Context, o Options, env []string, loaded map[string]bool) ([]Stale, error) {
	if o.Spec == nil {
		return nil, nil
	}
	var others []string
	for _, p := range o.Spec.Packages {
		if !loaded[p.Path] && !strings.HasSuffix(p.Path, "_test") && len(p.Variables) > 0 {
			others = append(others, p.Path)
		}
	}
	if len(others) == 0 {
		return nil, nil
	}
	out, err := goCommand(ctx, o.Dir, env, append([]string{"list", "-e", "-find", "-f", "{{if not .Error}}{{.ImportPath}}{{end}}", "--"}, others...)...)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, path := range strings.Fields(string(out)) {
		known[path] = true
	}
	var stale []Stale
	for _, p := range o.Spec.Packages {
		if slices.Contains(others, p.Path) && !known[p.Path] {
			for _, v := range p.Variables {
				stale = append(stale, Stale{p.Path, v.Name, "", "no such package"})
			}
		}
	}
	return stale, nil
}

// rewritePackage adds the package's rewritten files to the unit. hooked says
// whether the program has hooks at all: without any, entry points stay bare.
func (u *unit) rewritePackage(p *plan, o Options, hooked bool) error {
	files := slices.Clone(p.pkg.Syntax)
	slices.SortStableFunc(files, func(a, b *ast.File) int { return boolOrder(p.isTest(a.Pos()), p.isTest(b.Pos())) })
	var passes []*pass
	own := map[string]bool{}
	for _, f := range p.pkg.GoFiles {
		own[f] = true
	}
	u.Unhooked = append(u.Unhooked, p.notes...)
	if hooked {
		u.Unhooked = append(u.Unhooked, cgoNotes(p)...)
	}
	for _, file := range files {
		name := p.file(file.Package)
		if !own[name] || !p.concerns(file, hooked) {
			continue
		}
		if reason := p.untouchable(file); reason != "" {
			u.Unhooked = append(u.Unhooked, Note{File: name, Line: 1, Column: 1, Reason: reason})
			continue
		}
		pass, err := newPass(p, file)
		if err != nil {
			return err
		}
		pass.run(o, hooked)
		if pass.err != nil {
			return pass.err
		}
		u.Unhooked = append(u.Unhooked, pass.notes...)
		if pass.changed {
			passes = append(passes, pass)
			u.Hooks.add(pass.hooks)
		}
	}
	if len(passes) == 0 {
		return nil
	}
	u.Hooks.Packages++
	p.assure()
	// The tables stand in the first file of their kind.
	home := map[*pass][]*tables{}
	for _, t := range []*tables{p.own, p.test} {
		if t.empty() {
			continue
		}
		i := slices.IndexFunc(passes, func(x *pass) bool { return p.isTest(x.file.Package) == (t == p.test) })
		i = max(i, 0)
		home[passes[i]] = append(home[passes[i]], t)
	}
	for _, x := range passes {
		out, cover, err := x.render(o, home[x])
		if err != nil {
			return fmt.Errorf("%s: %w", p.file(x.file.Package), err)
		}
		name := filepath.Clean(p.file(x.file.Package))
		u.Files[name], u.Cover[name] = out, cover
		u.Hooks.Files++
	}
	return nil
}

// cgoNotes are for the files that the type checker saw only as cgo had
// translated them.
func cgoNotes(p *plan) []Note {
	seen := map[string]bool{}
	for _, file := range p.pkg.Syntax {
		seen[p.file(file.Package)] = true
	}
	var notes []Note
	for _, f := range p.pkg.GoFiles {
		if !seen[f] {
			notes = append(notes, Note{File: f, Line: 1, Column: 1, Reason: "the file uses cgo and is left alone"})
		}
	}
	return notes
}

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func (h *Hooks) add(o Hooks) {
	h.Functions += o.Functions
	h.Spec += o.Spec
	h.Races += o.Races
	h.Sections += o.Sections
	h.Exits += o.Exits
	h.Holds += o.Holds
	h.Thinned += o.Thinned
}

// concerns says whether a pass over the file may change it.
func (p *plan) concerns(file *ast.File, hooked bool) bool {
	if hooked || p.control {
		return true
	}
	for _, s := range file.Imports {
		if s.Path.Value == `"`+HealPath+`"` {
			return true
		}
	}
	return false
}

// rewrittenBefore is an error when a file of the packages holds hooks already.
func rewrittenBefore(pkgs []*packages.Package) error {
	for _, p := range pkgs {
		for _, file := range p.Syntax {
			for _, group := range file.Comments {
				if strings.HasPrefix(group.List[0].Text, rewrittenMark) {
					at := p.Fset.PositionFor(group.Pos(), false)
					return fmt.Errorf("%s:%d: the file has been rewritten already; 'atomrace rewrite -undo' restores the original", at.Filename, at.Line)
				}
			}
		}
	}
	return nil
}

// untouchable says why a file is left alone as a whole.
func (p *plan) untouchable(file *ast.File) string {
	if p.embedded[filepath.Clean(p.file(file.Package))] {
		return "the file is embedded (go:embed) as it stands"
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//line ") || strings.HasPrefix(c.Text, "/*line ") {
				return "the file has line directives"
			}
		}
	}
	return ""
}
