package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/atomrace/atomrace/atomicity"
)

var specLintCommand = command{
	name:    "spec lint",
	usage:   "[-code=false] [-strict] [-json] [file...]",
	summary: "say what is wrong in the file, and what is gone from the code",
	help: `Lint prints one line for each problem: what does not load, what a reviewer would
ask about, and sections whose code is not there any more, each with the nearest
code that is.

	file:line:column: what is wrong; what to do (check)

The checks are syntax (the file does not load), stale (the code is gone),
duplicate, and the warnings benign, ignored, loose, pattern and empty. A stale
section is a mistake when it is confirmed, else a warning, which 'atomrace spec
prune' can remove. Lint exits with 0 when there are at most warnings, 3 when
there are mistakes, and 1 when the packages could not be loaded. Without a file it
lints those in the working directory, above it as far as the root of the
repository, and below it.

	-code=false   do not look at the code, only at the file; what infer has marked
	              as gone is stale then
	-strict       warnings are mistakes too
	-json         print a list of objects, with the same exit status`,
	run: specRun(runSpecLint),
}

func runSpecLint(ctx context.Context, env *environment, args []string) error {
	f := newSpecFlags("lint").withFile().withJSON()
	code := f.Bool("code", true, "")
	strict := f.Bool("strict", false, "")
	files, err := f.arguments(env, args)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		if files, err = f.findAll(); err != nil {
			return err
		}
	}
	problems := []atomicity.Problem{}
	for _, file := range files {
		found, err := lintFile(ctx, file, *code)
		if err != nil {
			return err
		}
		problems = append(problems, found...)
	}
	failed := slices.ContainsFunc(problems, func(p atomicity.Problem) bool { return !p.Warning || *strict })
	if f.json {
		if err := printJSON(env.stdout, problems); err != nil {
			return err
		}
	} else {
		for _, p := range problems {
			warning := ""
			if p.Warning && !*strict {
				warning = "warning: "
			}
			fmt.Fprintf(env.stdout, "%s: %s%s (%s)\n", p.Position, warning, p.Msg, p.Check)
		}
	}
	if failed {
		return exitError(3)
	}
	return nil
}

// lintFile returns the problems of one file, in its order.
func lintFile(ctx context.Context, file string, code bool) ([]atomicity.Problem, error) {
	spec, err := loadSpec(file)
	if err != nil {
		return syntaxProblems(err)
	}
	problems := spec.Lint()
	if code {
		stale, err := staleSections(ctx, spec)
		if err != nil {
			return nil, err
		}
		// What the code tells goes before what infer has seen.
		problems = slices.DeleteFunc(problems, func(p atomicity.Problem) bool { return p.Check == "stale" })
		missing := map[*atomicity.Section]bool{}
		for _, s := range stale {
			problems = append(problems, s.Problem)
			missing[s.Section] = true
		}
		problems = append(problems, foundAgain(spec, missing)...)
	}
	slices.SortStableFunc(problems, func(a, b atomicity.Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return problems, nil
}

// foundAgain are the sections that are marked as gone although their code is there.
func foundAgain(spec *atomicity.Spec, missing map[*atomicity.Section]bool) (problems []atomicity.Problem) {
	for p := range spec.All() {
		if s := p.Section; s.Stale == atomicity.Gone && !missing[s] {
			problems = append(problems, atomicity.Problem{
				Position: spec.Position(s, "stale"), Check: "stale", Warning: true, Section: s.ID,
				Msg: fmt.Sprintf("section %s is marked as gone, and its code is there; run 'atomrace infer', or remove the mark", s.ID),
			})
		}
	}
	return problems
}

// syntaxProblems turns the errors of a file that was read and does not load
// into problems; other errors stay errors.
func syntaxProblems(err error) ([]atomicity.Problem, error) {
	var list atomicity.Errors
	if one := (*atomicity.Error)(nil); !errors.As(err, &list) && errors.As(err, &one) && one.Line > 0 {
		list = atomicity.Errors{one}
	}
	if list == nil {
		return nil, err
	}
	var problems []atomicity.Problem
	for _, e := range list {
		msg := e.Msg
		if e.Path != "" {
			msg = e.Path + ": " + msg
		}
		problems = append(problems, atomicity.Problem{
			Position: atomicity.Position{File: e.File, Line: e.Line, Column: e.Column},
			Check:    "syntax", Path: e.Path, Msg: msg,
		})
	}
	return problems, nil
}
