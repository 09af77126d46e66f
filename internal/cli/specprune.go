package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/atomrace/atomrace/atomicity"
)

var specPruneCommand = command{
	name:    "spec prune",
	usage:   "[-f file] [-fixed] [-confirmed] [-rejected] [-noted] [-diff] [-json]",
	summary: "remove stale candidates",
	help: `Prune removes the candidates whose code is gone, and what is empty then. Sections
that a person has judged stay, and so do candidates that bear a person's word: a
note, reason, healing policy or comment, or the origin user. Those are listed.

	-fixed       also what is in the code but no longer inferred, since it
	             was protected, or comes from a pattern that was given up
	-confirmed   also confirmed sections
	-rejected    also rejected sections
	-noted       also those with a person's word
	-f file      prune this file instead of the nearest atomicity.yaml
	-diff        show the change and write nothing
	-json        print an object with the lists removed and kept of ids`,
	run: specRun(runSpecPrune),
}

// pruning says which stale sections go.
type pruning struct {
	fixed, confirmed, rejected, noted bool
}

// pruned is what -json prints.
type pruned struct {
	Removed []string `json:"removed"`
	Kept    []string `json:"kept"`
}

func runSpecPrune(ctx context.Context, env *environment, args []string) error {
	f := newSpecFlags("prune").withFile().withJSON()
	var o pruning
	f.BoolVar(&o.fixed, "fixed", false, "")
	f.BoolVar(&o.confirmed, "confirmed", false, "")
	f.BoolVar(&o.rejected, "rejected", false, "")
	f.BoolVar(&o.noted, "noted", false, "")
	show := f.Bool("diff", false, "")
	rest, err := f.arguments(env, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return usagef("%s: prune looks at the whole file; to keep a section, promote or reject it", rest[0])
	}
	spec, err := f.load()
	if err != nil {
		return err
	}
	gone, err := o.stale(ctx, spec)
	if err != nil {
		return err
	}
	result := pruned{[]string{}, []string{}}
	removed := map[*atomicity.Section]bool{}
	commented := spec.Commented()
	for p := range spec.All() {
		switch {
		case !gone[p.Section.ID]:
		case o.removes(p.Section, len(commented[p.Section]) > 0):
			removed[p.Section] = true
			result.Removed = append(result.Removed, p.Section.ID)
		default:
			result.Kept = append(result.Kept, p.Section.ID)
		}
	}
	remove(spec, removed)
	if *show {
		return printChange(env, spec)
	}
	if err := spec.Save(spec.File()); err != nil {
		return err
	}
	if f.json {
		return printJSON(env.stdout, result)
	}
	for _, id := range result.Removed {
		fmt.Fprintf(env.stdout, "removed %s\n", id)
	}
	for _, id := range result.Kept {
		fmt.Fprintf(env.stdout, "kept %s, %s, though it is stale\n", id, spec.Section(id).Status)
	}
	fmt.Fprintf(env.stdout, "%s: %d removed, %d stale ones kept\n", spec.File(), len(result.Removed), len(result.Kept))
	return nil
}

// stale returns the ids of sections that might go.
func (o *pruning) stale(ctx context.Context, spec *atomicity.Spec) (map[string]bool, error) {
	list, err := staleSections(ctx, spec)
	if err != nil {
		return nil, err
	}
	gone := map[string]bool{}
	for _, s := range list {
		if s.Section != nil {
			gone[s.Section.ID] = true
		}
	}
	if !o.fixed {
		return gone, nil
	}
	var paths []string
	for _, p := range spec.Packages {
		paths = append(paths, p.Path)
	}
	g := &goArgs{}
	if g.Packages, err = existing(ctx, "", paths); err != nil || len(g.Packages) == 0 {
		return gone, err
	}
	if err := g.settle(); err != nil {
		return nil, err
	}
	again, err := loadSpec(spec.File()) // Merge changes what it is given
	if err != nil {
		return nil, err
	}
	inferred, err := infer(ctx, g, again, defaultPatterns)
	if err != nil {
		return nil, err
	}
	for _, id := range again.Merge(inferred).Stale {
		gone[id] = true
	}
	return gone, nil
}

// removes reports whether a stale section goes; commented says that a person has
// written a comment on it.
func (o *pruning) removes(s *atomicity.Section, commented bool) bool {
	switch {
	case s.Status == atomicity.Confirmed && !o.confirmed, s.Status == atomicity.Rejected && !o.rejected:
		return false
	case o.noted || s.Status != atomicity.Candidate:
		return true
	}
	return s.Note == "" && s.Reason == "" && s.Heal == atomicity.HealDefault &&
		s.Origin != string(atomicity.User) && !commented
}

// remove takes sections out, and the variables and packages that lose their
// last one by it.
func remove(spec *atomicity.Spec, sections map[*atomicity.Section]bool) {
	emptied := map[*atomicity.Package]bool{}
	for _, p := range spec.Packages {
		p.Variables = slices.DeleteFunc(p.Variables, func(v *atomicity.Variable) bool {
			before := len(v.Sections)
			v.Sections = slices.DeleteFunc(v.Sections, func(s *atomicity.Section) bool { return sections[s] })
			emptied[p] = emptied[p] || len(v.Sections) < before
			return len(v.Sections) == 0 && before > 0
		})
	}
	spec.Packages = slices.DeleteFunc(spec.Packages, func(p *atomicity.Package) bool { return emptied[p] && len(p.Variables) == 0 })
}
