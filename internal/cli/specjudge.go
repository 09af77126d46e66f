package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/diff"
)

var specPromoteCommand = command{
	name:    "spec promote",
	usage:   "[-f file] [-heal mode] [-note text] [-reason text] [filters] [-diff] [-json] id...",
	summary: "say that sections must be atomic (status: confirmed)",
	help: `Promote sets the status of sections to confirmed: check and go vet report them as
long as nothing protects them, and lint fails when their code is gone.

	-heal mode     heal them by off, auto, yield or lock, whatever ATOMRACE says;
	               default leaves it to ATOMRACE
	-note text     a note for colleagues, shown in reports; a note that is
	               there already stays above it
	-reason text   why; needed when a section was rejected, since its old
	               reason goes
	-f file        change this file instead of the one that the section comes from,
	               begun if there is none; a section that it only inherits is
	               added to it
	-diff          show the change and write nothing
	-json          print the sections as they are now

Filters narrow the ids, which may be globs, or stand in their place, as in
-package '*/sort' -status candidate:
` + specSelectionHelp,
	run: specRun(func(_ context.Context, env *environment, args []string) error {
		f := newSpecFlags("promote").withFile().withJSON()
		j := judgement{status: atomicity.Confirmed, done: "promoted"}
		f.StringVar(&j.heal, "heal", "", "")
		return j.run(env, f, args)
	}),
}

var specRejectCommand = command{
	name:    "spec reject",
	usage:   "[-f file] -reason text [-note text] [filters] [-diff] [-json] id...",
	summary: "say that sections need not be atomic (status: rejected)",
	help: `Reject sets the status of sections to rejected: they are not watched, check and go
vet are silent about them, and infer does not propose them again. What they say
about healing goes, since it would have no effect.

	-reason text   why; required, people will ask
	-note text     a note for colleagues; one that is there stays above it
	-f file        change this file instead of the one that the section comes from,
	               begun if there is none; a section that it only inherits is
	               added to it
	-diff          show the change and write nothing
	-json          print the sections as they are now

Filters narrow the ids, which may be globs, or stand in their place, as in
-package '*/sort' -status candidate:
` + specSelectionHelp,
	run: specRun(func(_ context.Context, env *environment, args []string) error {
		j := judgement{status: atomicity.Rejected, done: "rejected"}
		return j.run(env, newSpecFlags("reject").withFile().withJSON(), args)
	}),
}

// judgement is what a person says about sections.
type judgement struct {
	status             atomicity.Status
	done               string // in the message afterwards
	heal, note, reason string
	diff               bool
}

func (j *judgement) run(env *environment, f *specFlags, args []string) error {
	f.StringVar(&j.note, "note", "", "")
	f.StringVar(&j.reason, "reason", "", "")
	f.BoolVar(&j.diff, "diff", false, "")
	var x specSelection
	x.register(f)
	ids, err := f.arguments(env, args)
	if err != nil {
		return err
	}
	x.ids = ids
	switch blank := strings.TrimSpace(j.reason) == ""; {
	case x.all():
		return usagef("which section? 'atomrace spec list' shows the ids")
	case blank && (j.status == atomicity.Rejected || f.given("reason")):
		return usagef("say why with -reason; who reads the file in a year will ask")
	case f.given("note") && strings.TrimSpace(j.note) == "":
		return usagef("the -note is blank; to remove a note, edit the file")
	case j.heal != "" && j.heal != "default" && !slices.Contains(texts(atomicity.Healings()), j.heal):
		return usagef("-heal: %q is not %s or default", j.heal, strings.Join(texts(atomicity.Healings()), ", "))
	}
	spec, err := f.loadAll()
	if f.file != "" && errors.Is(err, os.ErrNotExist) {
		spec, err = begin(f.file)
	}
	if err != nil {
		return err
	}
	places, err := x.places(spec)
	if err != nil && f.file != "" && len(ids) > 0 {
		places, err = adopt(spec, ids, err)
	}
	if err != nil {
		return err
	}
	if len(places) == 0 {
		return fmt.Errorf("%s: no section is like that; 'atomrace spec list' shows them", spec.File())
	}
	var files []*atomicity.Spec
	for i, p := range places {
		from, s := spec.Source(p.Section)
		if err := j.apply(from, s); err != nil {
			return err
		}
		places[i].Section = s
		if !slices.Contains(files, from) {
			files = append(files, from)
		}
	}
	for _, file := range files {
		if j.diff {
			err = printChange(env, file)
		} else {
			err = file.Save(file.File())
		}
		if err != nil {
			return err
		}
	}
	switch {
	case j.diff:
		return nil
	case f.json:
		list := []sectionJSON{}
		for _, p := range places {
			list = append(list, newSectionJSON(holder(files, p.Section), p))
		}
		return printJSON(env.stdout, list)
	}
	for _, p := range places {
		fmt.Fprintf(env.stdout, "%s: %s %s\n", holder(files, p.Section).Position(p.Section, ""), j.done, p.Section.ID)
	}
	return nil
}

// begin is a new file, not yet written.
func begin(name string) (*atomicity.Spec, error) {
	text, err := atomicity.New().Bytes()
	if err != nil {
		return nil, err
	}
	return atomicity.Parse(name, text)
}

// holder is the one of the files that has the section.
func holder(files []*atomicity.Spec, s *atomicity.Section) *atomicity.Spec {
	i := slices.IndexFunc(files, func(f *atomicity.Spec) bool { return f.Section(s.ID) == s })
	return files[i]
}

// adopt adds to the file of -f sections that files above it have, to be judged anew
// for the packages below it.
func adopt(spec *atomicity.Spec, ids []string, unknown error) ([]atomicity.Place, error) {
	all, err := specsInForce(false, specDir(spec))
	if err != nil {
		return nil, err
	}
	places, err := (&specSelection{ids: ids}).places(all.spec())
	if err != nil {
		return nil, unknown
	}
	for _, p := range places {
		if dir, known := all.dir(p.Package.Path); known && !below(specDir(spec), dir) {
			return nil, fmt.Errorf("%s: it counts for the packages below it alone, and %s is not one of them, which has section %s", spec.File(), p.Package.Path, p.Section.ID)
		}
		if spec.Section(p.Section.ID) == nil {
			place(spec, p)
		}
	}
	return (&specSelection{ids: ids}).places(spec)
}

// place adds a copy of a section to another file.
func place(spec *atomicity.Spec, p atomicity.Place) {
	to := spec.Package(p.Package.Path)
	if to == nil {
		to = &atomicity.Package{Path: p.Package.Path}
		spec.Packages = append(spec.Packages, to)
	}
	v := to.Variable(p.Variable.Name)
	if v == nil {
		v = &atomicity.Variable{Name: p.Variable.Name, Type: p.Variable.Type}
		to.Variables = append(to.Variables, v)
	}
	s := p.Section.Clone()
	s.Evidence, s.Stale = atomicity.Evidence{}, atomicity.NotStale // of the other file
	v.Sections = append(v.Sections, s)
}

// apply changes one section.
func (j *judgement) apply(spec *atomicity.Spec, s *atomicity.Section) error {
	if s.Status == atomicity.Rejected && j.status != atomicity.Rejected {
		if j.reason == "" {
			return fmt.Errorf("%s: section %s was rejected: %s; say with -reason why that no longer holds", spec.Position(s, "status"), s.ID, oneLine(s.Reason))
		}
		s.Reason = ""
	}
	s.Status = j.status
	if j.reason != "" {
		s.Reason = j.reason
	}
	if j.note != "" && s.Note != j.note {
		s.Note = strings.TrimPrefix(strings.TrimRight(s.Note, "\n")+"\n"+j.note, "\n")
	}
	switch {
	case j.status == atomicity.Rejected:
		s.Heal, s.Assurance = atomicity.HealDefault, "" // nothing is healed
	case j.heal == "default":
		s.Heal = atomicity.HealDefault
	case j.heal != "":
		s.Heal = atomicity.Healing(j.heal)
	}
	return nil
}

// oneLine folds white space.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// printChange shows what saving the spec would do to its file.
func printChange(env *environment, spec *atomicity.Spec) error {
	out, err := spec.Bytes()
	if err != nil {
		return err
	}
	old, err := os.ReadFile(spec.File())
	if err != nil {
		return err
	}
	_, err = env.stdout.Write(diff.Unified(spec.File(), old, spec.File(), out))
	return err
}
