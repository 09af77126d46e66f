package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/atomrace/atomrace/internal/fuzz"
)

var mergeCommand = command{
	name:    "merge",
	usage:   "[-json] [-leaks] report.json...",
	summary: "put the parts of a split 'atomrace fuzz' together",
	help: `Merge reads the output of 'atomrace fuzz -json -shard I/N' of all N parts and
prints the report of the whole, as fuzz would have without -shard; only the number
of different schedules is counted for each part alone. It exits with 0 when
nothing was found, 1 when something was, and 2 when the parts do not fit.`,
	run: func(_ context.Context, env *environment, args []string) error { return cannotRun(runMerge(env, args)) },
}

func runMerge(env *environment, args []string) error {
	var asJSON, leaks bool
	var names []string
	for _, a := range args {
		switch {
		case flagName(a) == "json":
			asJSON = true
		case flagName(a) == "leaks":
			leaks = true
		case isFlag(a):
			return fmt.Errorf("unknown flag %s", a)
		default:
			names = append(names, a)
		}
	}
	var reports []*fuzz.Report
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		r, err := fuzz.ReadReport(name, text)
		if err != nil {
			return err
		}
		reports = append(reports, r)
	}
	whole, err := fuzz.Merge(names, reports)
	if err != nil {
		return err
	}
	if asJSON {
		err = whole.JSON(env.stdout)
	} else {
		_, err = fmt.Fprint(env.stdout, whole.Text())
	}
	if err == nil && whole.Failed(leaks) {
		return exitError(1)
	}
	return err
}
