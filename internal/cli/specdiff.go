package cli

import (
	"context"
	"fmt"

	"github.com/atomrace/atomrace/internal/curate"
)

var specDiffCommand = command{
	name:    "spec diff",
	usage:   "[-exit-code] [-json] old new",
	summary: "compare what two files mean",
	help: `Diff says which sections came (+), went (-) or say something else (~), whatever
their order, comments and lines. A section whose id was changed is recognised by
its code. A file that is called - is standard input:

	git show main:atomicity.yaml | atomrace spec diff - atomicity.yaml

	-exit-code   exit with 3 when there is a difference
	-json        print a list of objects`,
	run: specRun(runSpecDiff),
}

func runSpecDiff(_ context.Context, env *environment, args []string) error {
	f := newSpecFlags("diff").withJSON()
	exit := f.Bool("exit-code", false, "")
	names, err := f.arguments(env, args)
	if err != nil {
		return err
	}
	if len(names) != 2 || names[0] == "-" && names[1] == "-" {
		return usagef("give two files, the old one and the new one")
	}
	old, err := readSpec(names[0])
	if err != nil {
		return err
	}
	now, err := readSpec(names[1])
	if err != nil {
		return err
	}
	changes := curate.Compare(old, now)
	if f.json {
		if err := printJSON(env.stdout, append([]curate.Change{}, changes...)); err != nil {
			return err
		}
	} else {
		sign := map[string]string{"added": "+", "removed": "-", "changed": "~"}
		for _, c := range changes {
			what := c.Section
			if what == "" {
				what = "variable"
			}
			fmt.Fprintf(env.stdout, "%s %s  (%s.%s)\n", sign[c.Kind], what, c.Package, c.Variable)
			for _, field := range c.Fields {
				fmt.Fprintf(env.stdout, "    %s: %s → %s\n", field.Field, shownValue(field.Old), shownValue(field.New))
			}
		}
	}
	if *exit && len(changes) > 0 {
		return exitError(3)
	}
	return nil
}

// shownValue is a value on one line.
func shownValue(text string) string {
	if text == "" {
		return "(none)"
	}
	return oneLine(text)
}
