package rewrite

import (
	"context"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Rewrite loads the packages, plans the hooks and renders the files that need
// any. Nothing is written. An error is one line: the packages do not load or
// do not type-check, or there is no module.
func Rewrite(ctx context.Context, o Options) (*Result, error) {
	env := o.Env
	if env == nil {
		env = os.Environ()
	}
	prog, err := load(ctx, o, env)
	if err != nil {
		return nil, err
	}
	r := &Result{Files: map[string][]byte{}, cover: map[string][]byte{}, options: o, goroot: prog.goroot, env: env}
	w := newWatched(o.Spec)
	loaded := map[string]bool{}
	for _, pkg := range prog.packages {
		loaded[pkg.PkgPath] = true
	}
	display := displayName(o.Readable || prog.trimpath)
	var plans []*plan
	hooked := false
	for _, pkg := range prog.packages {
		if isRuntime(pkg.PkgPath) {
			continue
		}
		p := newPlan(pkg, w, o, func(path string) bool { return loaded[path] }, func(file string) string { return display(pkg, file) })
		plans = append(plans, p)
		r.Stale = append(r.Stale, p.stale...)
		hooked = hooked || len(p.hooks) > 0
	}
	r.Stale = append(r.Stale, gone(ctx, o, env, loaded)...)
	for _, p := range plans {
		if err := r.rewritePackage(p, o, hooked); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// isRuntime says whether the package is the runtime itself.
func isRuntime(path string) bool {
	return path == publicHealPath || strings.HasPrefix(path, publicHealPath+"/") || path == publicHealPath+"_test"
}

// displayName gives files the name that reports show: the path, or the import
// path with the base name in builds and source that must not depend on where
// they were made.
func displayName(portable bool) func(*packages.Package, string) string {
	return func(pkg *packages.Package, file string) string {
		if portable {
			return baseName(pkg.PkgPath, file)
		}
		return file
	}
}

// gone finds the packages of the spec that no longer exist.
func gone(ctx context.Context, o Options, env []string, loaded map[string]bool) []Stale {
	if o.Spec == nil {
		return nil
	}
	var stale []Stale
	for _, p := range o.Spec.Packages {
		if loaded[p.Path] || strings.HasSuffix(p.Path, "_test") {
			continue
		}
		if _, err := goCommand(ctx, o.Dir, env, "list", "-find", "--", p.Path); err != nil {
			for _, v := range p.Variables {
				stale = append(stale, Stale{p.Path, v.Name, "", "no such package"})
			}
		}
	}
	return stale
}

// rewritePackage adds the package's rewritten files to the result. hooked says
// whether the program has hooks at all: without any, entry points stay bare.
func (r *Result) rewritePackage(p *plan, o Options, hooked bool) error {
	files := slices.Clone(p.pkg.Syntax)
	slices.SortStableFunc(files, func(a, b *ast.File) int { return boolOrder(p.isTest(a.Pos()), p.isTest(b.Pos())) })
	var passes []*pass
	own := map[string]bool{}
	for _, f := range p.pkg.GoFiles {
		own[f] = true
	}
	r.Unhooked = append(r.Unhooked, p.notes...)
	if hooked {
		r.Unhooked = append(r.Unhooked, cgoNotes(p)...)
	}
	for _, file := range files {
		name := p.file(file.Package)
		if !own[name] || !p.concerns(file, hooked) {
			continue
		}
		if reason := untouchable(file); reason != "" {
			r.Unhooked = append(r.Unhooked, Note{File: name, Line: 1, Column: 1, Reason: reason})
			continue
		}
		pass, err := newPass(p, file)
		if err != nil {
			return err
		}
		pass.run(o, hooked)
		r.Unhooked = append(r.Unhooked, pass.notes...)
		if pass.changed {
			passes = append(passes, pass)
			r.Hooks.add(pass.hooks)
		}
	}
	if len(passes) == 0 {
		return nil
	}
	r.Hooks.Packages++
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
		r.Files[name], r.cover[name] = out, cover
		r.Hooks.Files++
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
}

// concerns says whether a pass over the file may change it.
func (p *plan) concerns(file *ast.File, hooked bool) bool {
	if hooked {
		return true
	}
	for _, s := range file.Imports {
		if s.Path.Value == `"`+publicHealPath+`"` {
			return true
		}
	}
	return false
}

// untouchable says why a file is left alone as a whole.
func untouchable(file *ast.File) string {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//line ") || strings.HasPrefix(c.Text, "/*line ") {
				return "the file has line directives"
			}
		}
	}
	return ""
}
