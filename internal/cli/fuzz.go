package cli

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/atomrace/atomrace/internal/fuzz"
)

var fuzzCommand = command{
	name:    "fuzz",
	usage:   "[flags] [go test flags] package [-run REGEXP] [-args program arguments]",
	summary: "run tests under many schedules, one for each seed",
	help: `Fuzz builds the package's tests for a scheduler that lets one goroutine run at a
time, and runs each test that -run matches under many schedules, in processes of
their own. A panic, a deadlock or a failed test is told once, with in how many
runs it was seen and the command that has it again: the seed says all. A package
main that has no -run is run as a program.

Time is virtual under the scheduler: nothing waits for Sleep or a timer.

	-n RUNS       runs of each test (default 1000; with -for, as many as there
	              is time for)
	-for TIME     begin no more runs after that, as 2m
	-strategy S   random: a random goroutine at each point
	              pct: priorities that change at few points (-depth)
	              pos: random priorities of operations
	              roundrobin: one after the other
	              mixed: random, pct and pos in turn (default)
	-auto         look for pairs of accesses that may race, in the first runs of
	              each test, and then bring each about; and -sections
	-pairs FILE   the same for the pairs of a file: two of FILE:LINE on a line,
	              or what go test -race has printed, or the JSON lines of an
	              instrumented program (log_format=json): its data races, and the
	              sections that it has seen broken
	-sections     hold goroutines back inside atomic sections until others break
	              them, one section after the other
	-spec FILE    the sections (default: the files atomicity.yaml in force;
	              without one, what infer would find)
	-seed S       the first seed (default 1)
	-depth N      of pct: how many ordering constraints a bug needs (default 3)
	-limit N      decisions after which a run is given up (default 1000000)
	-timeout TIME real time after which a run is given up (default 1m)
	-patience TIME
	              how long what the scheduler does not see, as a child process, may
	              take before another goroutine gets its turn (default 20ms)
	-network N    loopback: TCP over the loopback interface stays within the process,
	              under control (default); real: it is the kernel's
	-j N          processes at a time (default: all processors)
	-shard I/N    run the Ith of N parts only; 'atomrace merge' puts the -json
	              output of the parts together
	-minimise     look for the schedule with the fewest preemptions that has each
	              finding, and add the interleaving to -json, for 'atomrace report'
	-leaks        goroutines that are left blocked for ever are failures too
	-json         the report as JSON
	-deps LIST    accesses in these dependencies are scheduling points too; their
	              goroutines, channels and locks are controlled anyway
	-std LIST     the same for packages of the standard library

The exit status is 0 when nothing was found, or no more than broken sections with a
doubt (atomicity.yaml), 1 when something was, and 2 when the tests could not be run. An interrupt (ctrl-C) ends it with what was found until then,
and with status 2 if that is nothing.`,
	run: func(ctx context.Context, env *environment, args []string) error {
		return cannotRun(runFuzz(ctx, env, args))
	},
}

// helped answers -h of a command that parses its flags itself.
func helped(ctx context.Context, env *environment, name string, err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return helpCommand.run(ctx, env, []string{name})
	}
	return err
}

// cannotRun makes every error the one that says so in the exit status: 1 is for
// what was found.
func cannotRun(err error) error {
	if _, isExit := err.(exitError); err == nil || isExit {
		return err
	}
	return usageError{err}
}

// fuzzing is one call of fuzz or replay.
type fuzzing struct {
	campaign    fuzz.Campaign
	json, leaks bool
	auto        bool
	pairs       bool // are there some to bring about?
	sections    bool // are they in the build?
	section     string
	only        map[string]bool // the sections that are wanted, by id; nil: all
	specFile    string
	pairsFile   string
	deps, std   []string
	pair        [2]string
	token       string // of -seed
	schedule    string // to replay instead of a seed
	minimise    bool
	more        string // what a replay needs besides: flags and package, as on the command line
	subtests    string // what -run has from the first slash on
	args        string // -args and what follows
}

func runFuzz(ctx context.Context, env *environment, args []string) error {
	f := &fuzzing{}
	rest, err := f.parse(args, fuzzFlags)
	if err != nil {
		return helped(ctx, env, "fuzz", err)
	}
	if f.campaign.Seed, _, _, err = fuzz.ParseToken(f.token); err != nil {
		return usageError{err}
	}
	listed := &suspects{}
	if f.pairsFile != "" {
		if listed, err = readPairs(env, f.pairsFile); err != nil {
			return err
		}
		f.pairs = f.auto || len(listed.pairs) > 0
		if listed.sections != nil && !f.sections {
			f.sections, f.only = true, listed.sections
			f.more = " -sections" + f.more
		}
	}
	b, err := f.build(ctx, env, rest)
	if err != nil && ctx.Err() != nil {
		return errors.New("interrupted")
	}
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	report := fuzz.NewReport()
	report.Package, report.Code, report.Command = b.path, b.code, f.more
	report.Strategy, report.Seed, report.Runs = f.campaign.Options.Strategy, f.campaign.Seed, f.campaign.Runs
	report.Subtests, report.Args = f.subtests, f.args
	report.Part, report.Parts = f.campaign.Part, f.campaign.Parts
	report.Strategy = cmp.Or(f.directed(), report.Strategy)
	for _, program := range b.programs {
		target, err := f.target(ctx, env, program, listed.pairs, b.sections)
		report.Interrupted = ctx.Err() != nil
		if err != nil && !report.Interrupted {
			return err
		}
		if err == nil {
			report.Targets = append(report.Targets, target)
		}
		if report.Interrupted {
			break
		}
	}
	if f.json {
		err = report.JSON(env.stdout)
	} else {
		_, err = fmt.Fprint(env.stdout, report.Text())
	}
	if err == nil && report.Failed(f.leaks) {
		return exitError(1)
	}
	if err == nil && report.Interrupted {
		return exitError(2)
	}
	return err
}

// tally runs a campaign and, if that is wanted, looks for the simplest schedules.
func (f *fuzzing) tally(ctx context.Context, c *fuzz.Campaign) (*fuzz.Tally, error) {
	t, err := c.Run(ctx)
	if err == nil && f.minimise && ctx.Err() == nil {
		err = c.Illustrate(ctx, t)
	}
	return t, err
}

// delaysKept bounds at how many places those wait who may break a section: a replay
// names them all.
const delaysKept = 8

// directed is what the runs are directed at, empty if nothing.
func (f *fuzzing) directed() string {
	switch {
	case f.pairs && f.sections:
		return fuzz.StrategyBoth
	case f.pairs:
		return fuzz.StrategyRace
	case f.sections:
		return fuzz.StrategyAtomicity
	}
	return ""
}

// target runs one test, or the program.
func (f *fuzzing) target(ctx context.Context, env *environment, program fuzz.Program, pairs [][2]string, sections []*fuzz.Section) (*fuzz.Target, error) {
	t := &fuzz.Target{Test: program.Test}
	c := f.campaign
	c.Program = program
	var err error
	if t.Plain, err = program.Plain(ctx, min(c.Timeout, 10*time.Second)); err != nil {
		return nil, err
	}
	what := program.Test
	if what == "" {
		what = "program"
	}
	c.Progress = func(p fuzz.Progress) {
		fmt.Fprintf(env.stderr, "%s: %d runs, %d failed, %.0f runs/s\n", what, p.Runs, p.Failures, float64(p.Runs)/p.Elapsed.Seconds())
	}
	if f.directed() == "" {
		t.Tally, err = f.tally(ctx, &c)
		return t, err
	}
	found := new(fuzz.First)
	if f.auto || len(sections) > 0 {
		if found, err = c.First(ctx); err != nil {
			return nil, err
		}
	}
	if f.auto {
		t.Pairs = found.Pairs
	}
	for _, p := range pairs {
		t.Pairs = append(t.Pairs, &fuzz.Pair{First: p[0], Second: p[1]})
	}
	for _, s := range sections {
		if delay, entered := found.Entered[s.Name]; entered {
			delay = delay[:min(len(delay), delaysKept)]
			t.Sections = append(t.Sections, &fuzz.Section{Name: s.Name, Pattern: s.Pattern, Doubt: s.Doubt, Delay: strings.Join(delay, "|")})
		} else if s.Called {
			t.NotSeen = append(t.NotSeen, s.Name)
		} else {
			t.NotEntered = append(t.NotEntered, s.Name)
		}
	}
	fmt.Fprintf(env.stderr, "%s: pairs to bring about: %d, sections to break: %d\n", what, len(t.Pairs), len(t.Sections))
	test, options := what, c.Options
	for i, p := range t.Pairs {
		what = fmt.Sprintf("%s, pair %d of %d", test, i+1, len(t.Pairs))
		c.Options.Strategy, c.Options.Pair, c.Options.Delay = "race", p.Locations(), p.Delay
		if p.Tally, err = f.tally(ctx, &c); err != nil {
			return nil, err
		}
	}
	c.Options = options
	for i, s := range t.Sections {
		what = fmt.Sprintf("%s, section %d of %d", test, i+1, len(t.Sections))
		c.Options.Strategy, c.Options.Section, c.Options.Delay = "atomicity", s.Name, s.Delay
		if s.Tally, err = f.tally(ctx, &c); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// Which of the flags a command takes.
var (
	fuzzFlags   = []string{"n", "for", "strategy", "auto", "pairs", "sections", "spec", "seed", "depth", "limit", "timeout", "patience", "network", "j", "shard", "minimise", "leaks", "json", "deps", "std"}
	replayFlags = []string{"strategy", "seed", "minimise", "schedule", "pair", "delay", "sections", "section", "spec", "depth", "limit", "timeout", "patience", "network", "json", "deps", "std"}
	// replayed are those that a replay must have as the campaign had them.
	replayed = []string{"depth", "limit", "patience", "network", "deps", "std", "spec"}
)

var switches = []string{"auto", "sections", "minimise", "leaks", "json"}

var strategies = []string{fuzz.Mixed, "random", "pct", "pos", "roundrobin"}

// parse takes the flags of the command out of args, up to -args, and returns the
// others.
func (f *fuzzing) parse(args, flags []string) ([]string, error) {
	c := &f.campaign
	c.Jobs, c.Timeout = runtime.NumCPU(), time.Minute
	c.Options.Strategy, c.Options.Limit, f.token = fuzz.Mixed, 1_000_000, "1"
	c.Options.Drain = 1000
	var rest []string
	runs, strategy := false, false
	for i := 0; i < len(args); i++ {
		arg := args[i]
		name := flagName(arg)
		if name == "h" || name == "help" {
			return nil, flag.ErrHelp
		}
		if name == "args" {
			rest = append(rest, args[i:]...)
			break
		}
		if !slices.Contains(flags, name) {
			rest = append(rest, arg)
			if name != "" && flagWantsValue(arg) && i+1 < len(args) {
				i++
				rest = append(rest, args[i])
			}
			continue
		}
		_, value, hasValue := strings.Cut(arg, "=")
		isSwitch := slices.Contains(switches, name)
		switch {
		case isSwitch && hasValue:
			return nil, usagef("flag -%s takes no value", name)
		case !isSwitch && !hasValue:
			if i+1 >= len(args) {
				return nil, usagef("flag -%s needs a value", name)
			}
			i++
			value = args[i]
		}
		if slices.Contains(replayed, name) {
			f.more += " -" + name + " " + value
		}
		runs, strategy = runs || name == "n", strategy || name == "strategy"
		if err := f.set(name, value); err != nil {
			return nil, usagef("-%s %s: %v", name, value, err)
		}
	}
	if !runs && c.For == 0 {
		c.Runs = 1000
	}
	f.pairs = f.auto || f.pairsFile != ""
	if directed := f.directed(); strategy && directed != "" && flags[0] == fuzzFlags[0] {
		return nil, usagef("-strategy cannot be used with -auto, -pairs and -sections: they have strategies of their own")
	}
	f.sections = f.sections || f.auto || f.section != "" || f.specFile != ""
	if f.sections {
		f.more = " -sections" + f.more
	}
	if c.Parts > 0 && c.Runs == 0 {
		return nil, usagef("-shard needs -n, so that all parts agree which seeds are theirs")
	}
	return rest, nil
}

func (f *fuzzing) set(name, value string) (err error) {
	c := &f.campaign
	switch name {
	case "n":
		c.Runs, err = positive(value)
	case "for":
		c.For, err = duration(value)
	case "timeout":
		c.Timeout, err = duration(value)
	case "patience":
		c.Options.Patience, err = duration(value)
	case "network":
		c.Options.RealNetwork = value == "real"
		if value != "real" && value != "loopback" {
			err = errors.New("want loopback or real")
		}
	case "j":
		c.Jobs, err = positive(value)
	case "depth":
		c.Options.Depth, err = positive(value)
	case "limit":
		var n int
		n, err = positive(value)
		c.Options.Limit = uint64(n)
	case "strategy":
		c.Options.Strategy = value
		if !slices.Contains(strategies, value) {
			err = fmt.Errorf("want one of %s", strings.Join(strategies, ", "))
		}
	case "shard":
		c.Part, c.Parts, err = shard(value)
	case "seed":
		f.token = value
	case "pair":
		first, second, ok := strings.Cut(value, "+")
		if !ok {
			err = fmt.Errorf("want two locations with + between them")
		}
		f.pair = [2]string{first, second}
	case "section":
		f.section = value
	case "spec":
		f.specFile = value
	case "sections":
		f.sections = true
	case "minimise":
		f.minimise = true
	case "schedule":
		f.schedule = value
	case "delay":
		c.Options.Delay = value
	case "pairs":
		f.pairsFile = value
	case "auto":
		f.auto = true
	case "leaks":
		f.leaks = true
	case "json":
		f.json = true
	case "deps":
		f.deps = append(f.deps, value)
	case "std":
		f.std = append(f.std, value)
	}
	return err
}

func positive(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("want a number from 1")
	}
	return n, nil
}

func duration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("want a duration, as 90s or 2m")
	}
	return d, nil
}

func shard(s string) (part, parts int, err error) {
	i, n, ok := strings.Cut(s, "/")
	if ok {
		part, err = positive(i)
		if err == nil {
			parts, err = positive(n)
		}
	}
	if !ok || err != nil || part > parts {
		return 0, 0, fmt.Errorf("want I/N, as 1/4, with I from 1 to N")
	}
	return part, parts, nil
}
