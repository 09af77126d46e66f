package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/internal/fuzz"
)

var replayCommand = command{
	name:    "replay",
	usage:   "-seed SEED|-schedule S [flags] [go test flags] package [-run REGEXP]",
	summary: "have a run of fuzz again, and show who did what when",
	help: `Replay runs a test once under the schedule of a seed, prints what the test prints,
and then the interleaving: each step with its goroutine, place and operation. The
command line is the one that 'atomrace fuzz' printed with what it found.

	-seed SEED    as fuzz printed it; a number alone does, too, but then nothing
	              tells whether the code is still the same
	-strategy S   of the run (default mixed, as with fuzz)
	-minimise     look for a schedule with fewer preemptions that fails in the same
	              way, and show that run
	-schedule S   run a schedule that -minimise has printed, instead of a seed
	-pair A+B     the pair of locations that the run brings about
	-delay PLACE  of the pair: the lock at which one of the two waits for the other;
	              of the section: where others wait until somebody is inside
	-sections     as with fuzz: the build knows where atomic sections are
	-section NAME the one that the run breaks into
	-depth, -limit, -timeout, -patience, -network, -deps, -std, -spec
	              as with fuzz
	-json         the record of the run as JSON, with the steps

The exit status is that of the test, and 2 when it could not be run.`,
	run: func(ctx context.Context, env *environment, args []string) error {
		return cannotRun(runReplay(ctx, env, args))
	},
}

// minimiseBudget is how many runs -minimise makes at most.
const minimiseBudget = 500

func runReplay(ctx context.Context, env *environment, args []string) error {
	f := &fuzzing{}
	rest, err := f.parse(args, replayFlags)
	if err != nil {
		return helped(ctx, env, "replay", err)
	}
	if f.schedule == "" && !slices.ContainsFunc(args, func(a string) bool { return flagName(a) == "seed" }) {
		return usagef("-seed is missing: which run?")
	}
	seed, code, hash, err := fuzz.ParseToken(f.token)
	if err != nil {
		return err
	}
	b, err := f.build(ctx, env, rest)
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if len(b.programs) > 1 {
		var names []string
		for _, p := range b.programs {
			names = append(names, p.Test)
		}
		return fmt.Errorf("-run matches several tests (%s); name the one that was found", strings.Join(names, " "))
	}
	changed := code != "" && !strings.HasPrefix(b.code, code)
	if changed {
		fmt.Fprintf(env.stderr, "atomrace replay: the code has changed since the seed was found (%.8s then, %.8s now): the run may be another one\n", code, b.code)
	}
	o := f.campaign.Options
	o.Seed, o.Trace, o.Pair = seed, true, f.pair
	o.Strategy = fuzz.StrategyOf(o.Strategy, seed)
	switch {
	case f.pair[0] != "":
		o.Strategy = "race"
		f.more = " -pair " + f.pair[0] + "+" + f.pair[1] + f.more
	case f.section != "":
		o.Strategy, o.Section = "atomicity", f.section
		f.more = " -section " + fuzz.Quote(f.section) + f.more
	}
	if f.schedule != "" {
		o = o.Replaying(f.schedule)
	}
	run, err := b.programs[0].Run(ctx, b.dir, o, f.campaign.Timeout)
	if err != nil {
		return err
	}
	same := ""
	switch {
	case hash == "":
	case strings.HasPrefix(run.Record.Hash, hash):
		same = "the same schedule, step by step"
	case changed:
		same = "another schedule than the one that was found, the code having changed"
	default:
		same = "NOT the schedule that was found, although the code is the same: the test depends on something that the seed does not decide"
	}
	if f.minimise {
		before := run.Record.Preemptions
		if run, err = b.programs[0].Minimise(ctx, b.dir, run, minimiseBudget, f.campaign.Timeout); err != nil {
			return fmt.Errorf("-minimise: %w", err)
		}
		same = fmt.Sprintf("it had %d; again: atomrace replay -schedule %s%s", before, run.Record.Schedule, f.more)
		if test := b.programs[0].Test; test != "" {
			same += " -run " + fuzz.Quote("^"+test+"$"+f.subtests)
		}
		same += f.args
	}
	if f.json {
		e := json.NewEncoder(env.stdout)
		e.SetIndent("", "\t")
		if err := e.Encode(run.Record); err != nil {
			return err
		}
	} else if _, err := fmt.Fprint(env.stdout, run.Text(same)); err != nil {
		return err
	}
	switch {
	case run.ExitCode > 0:
		return exitError(run.ExitCode)
	case run.Stopped:
		return errors.New("the test was stopped, see -timeout")
	}
	return nil
}
