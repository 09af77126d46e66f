package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/refine"
)

var refineCommand = command{
	name:    "refine",
	usage:   "[flags] [packages] [go test flags]",
	summary: "let test runs tell which candidates of atomicity.yaml mean something",
	help: `Refine runs the instrumented tests of the packages (default: ./...) again and
again, with noise, and sorts out candidates of atomicity.yaml that nobody meant to be
atomic (papers/001 section 4.3). A candidate that another goroutine breaks in a run
that is correct did no harm there: that end allows everything from now on, and a
section of which no other end is left is rejected, with the counts as its reason.
What was broken is tried first, with noise at its entry alone while other sections
are healed, and stays when the runs that break it mostly fail: a fault may do no
harm by luck, and something harmless be broken beside a fault. It ends when nothing
has changed over -stable correct runs; then pairs of access-interleaving that were never
executed are set aside (rejected too). What a person has confirmed or rejected is not
touched. Each candidate gets its evidence: runs, correct ones, those that broke it,
the last seed.

Whether a run is correct is for the tests to say: violations fail no test here. With
-oracle it is for a command, and the package is a program: it is built, its name is
in the variable PROGRAM of the command, which is correct when it exits with 0:

	atomrace infer -pattern load-and-store,test-and-use,access-interleaving
	atomrace refine ./...
	atomrace refine -oracle '"$PROGRAM" -n 100 | grep -q balanced' ./cmd/bank

Of several files in force, the nearest one alone is refined. It is written once, at
the end. Every run is remembered: an interrupted
refinement goes on where it was when it is started again.

	-oracle CMD    judge runs of a program by a shell command
	-stable N      correct runs in a row that must change nothing (default 10)
	-runs N        runs at most; after them it has not settled, exit status 1
	               (default 200)
	-noise NOISE   the same noise in each run, as in ATOMRACE; then nothing is
	               tried (default: none, some, much, and at the entry of a
	               section that is tried)
	-seed N        the seed of the first run (default: behind the last one of
	               the evidence)
	-timeout D     a run that takes longer is not correct (default 1m)
	-p N           runs at the same time (default 1)
	-unseen WHAT   what to set aside when it was never executed: pairs, all or
	               none (default pairs)
	-spec FILE     refine this file instead of the nearest atomicity.yaml
	-dry-run       only say what would change
	-v             list also the sections that nothing broke

Flags of go test say what is built and which tests run: -run, -skip, -count, -short,
-cpu, -parallel, -shuffle, -failfast, -bench, -tags, -race and other build flags.
Behind -- they all are those of go test, as in

	atomrace refine -p 2 ./pool -run Concurrent -short -- -timeout 20s -v

and what is behind -args is for the tests themselves.`,
	run: specRun(runRefine),
}

// refineOptions are the flags of refine.
type refineOptions struct {
	oracle, noise, unseen string
	stable, runs, seed, p int
	timeout               time.Duration
	dry, verbose          bool
	goTestFlags
}

func parseRefine(env *environment, args []string) (*refineOptions, *specFlags, []string, error) {
	o := &refineOptions{}
	f := newSpecFlags("refine")
	f.topic = []string{"refine"}
	f.StringVar(&f.file, "spec", "", "")
	f.StringVar(&o.oracle, "oracle", "", "")
	f.StringVar(&o.noise, "noise", "", "")
	f.StringVar(&o.unseen, "unseen", "pairs", "")
	f.IntVar(&o.stable, "stable", 10, "")
	f.IntVar(&o.runs, "runs", 200, "")
	f.IntVar(&o.seed, "seed", 0, "")
	f.IntVar(&o.p, "p", 1, "")
	f.DurationVar(&o.timeout, "timeout", time.Minute, "")
	f.BoolVar(&o.dry, "dry-run", false, "")
	f.BoolVar(&o.verbose, "v", false, "")
	args, err := o.split(func(name string) (known, isBool bool) {
		own := f.Lookup(name)
		if own == nil {
			return name == "h" || name == "help", true
		}
		b, ok := own.Value.(interface{ IsBoolFlag() bool })
		return true, ok && b.IsBoolFlag()
	}, args)
	if err != nil {
		return nil, nil, nil, err
	}
	packages, err := f.arguments(env, args)
	if err != nil {
		return nil, nil, nil, err
	}
	switch {
	case o.oracle != "" && len(o.test) > 0:
		err = usagef("%s is for tests; the command of -oracle says how the program is run", o.test[0])
	case o.stable < 1 || o.runs < 1 || o.p < 1 || o.timeout <= 0:
		err = usagef("-stable, -runs, -p and -timeout must be more than 0")
	case f.given("seed") && (o.seed < 1 || o.seed > refine.LastSeed):
		err = usagef("-seed must be from 1 to %d", refine.LastSeed)
	case unseenPatterns(o.unseen) == nil && o.unseen != "none":
		err = usagef("-unseen: %q is not pairs, all or none", o.unseen)
	case f.given("oracle") && strings.TrimSpace(o.oracle) == "":
		err = usagef("-oracle is blank; give a shell command that runs \"$PROGRAM\"")
	case o.oracle != "" && len(packages) != 1:
		err = usagef("-oracle judges one program; name its package")
	}
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	return o, f, packages, err
}

func unseenPatterns(what string) []atomicity.Pattern {
	switch what {
	case "pairs":
		return []atomicity.Pattern{atomicity.AccessInterleaving}
	case "all":
		return atomicity.Patterns()
	}
	return nil
}

func runRefine(ctx context.Context, env *environment, args []string) error {
	o, f, packages, err := parseRefine(env, args)
	if err != nil {
		return err
	}
	if f.given("noise") {
		if err := validSetting("noise", o.noise); err != nil {
			return err
		}
	}
	spec, err := f.load()
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "atomrace-refine-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if strings.ContainsAny(scratch, separators) {
		return fmt.Errorf("temporary files go to %s, and ATOMRACE cannot name files with a space or comma in their path; set TMPDIR to another directory", filepath.Dir(scratch))
	}
	log, err := newRunLog(ctx, spec, o, packages)
	if err != nil {
		return err
	}
	r := &refining{log: log, refineOptions: o, env: env, file: spec.File(), packages: packages, scratch: scratch,
		account: refine.New(spec, refine.Options{Stable: o.stable, Untried: o.noise != "", Unseen: unseenPatterns(o.unseen)})}
	if r.account.Candidates() == 0 {
		fmt.Fprintf(env.stdout, "%s: no candidates to refine\n", r.file)
		return nil
	}
	settled, err := r.refine(ctx, spec)
	if err != nil && ctx.Err() == nil { // what an interrupt cuts off fails in many ways
		return err
	}
	return r.finish(ctx, settled)
}

// refining is one refine command at work.
type refining struct {
	*refineOptions
	env      *environment
	file     string
	packages []string
	scratch  string
	log      *runLog
	account  *refine.Refinement

	places   *refine.Places
	programs []program
	built    int
	ignored  []refine.End // harmless ones that the programs do not watch
}

// refine runs until nothing changes any more, and says whether that was so.
func (r *refining) refine(ctx context.Context, spec *atomicity.Spec) (settled bool, err error) {
	if err := r.resume(); err != nil {
		return false, err
	}
	if runs, _ := r.account.Counts(); r.seed == 0 || runs > 0 { // the seeds so far are used up
		r.seed = max(r.seed, r.account.NextSeed())
	}
	for done := 0; ; {
		_, enough := r.account.Settled()
		if harmless := r.account.Harmless(); enough && !slices.Equal(r.ignored, harmless) {
			// What was found harmless is not watched any more, and may
			// have stood in the way of others.
			r.ignored, r.programs, enough = harmless, nil, false
			r.account.Unsettle()
		}
		if r.programs == nil {
			if err := r.build(ctx, spec); err != nil {
				return false, err
			}
		}
		if enough {
			return true, nil
		}
		if done >= r.runs {
			return false, nil
		}
		batch := min(r.p, r.runs-done)
		runs, err := r.batch(ctx, r.seed+done, batch)
		if err != nil || ctx.Err() != nil {
			return false, err
		}
		done += batch
		for _, run := range runs {
			if err := r.add(run); err != nil {
				return false, err
			}
		}
	}
}

// resume goes through the runs of an unfinished refinement. What the last of them did
// not watch is not watched by the next one, whatever was found harmless since: a
// refinement comes to the same result however often it was interrupted.
func (r *refining) resume() error {
	runs, err := r.log.read()
	if err != nil {
		return err
	}
	for _, run := range runs {
		if !slices.Equal(run.Ignored, r.ignored) {
			r.ignored = run.Ignored
			r.account.Unsettle()
		}
		r.account.Add(run)
	}
	if len(runs) > 0 {
		fmt.Fprintf(r.env.stderr, "going on after %d runs\n", len(runs))
	}
	return nil
}

// add counts a run, and says what it was.
func (r *refining) add(run judged) error {
	r.account.Add(run.Run)
	verdict := "correct"
	if !run.Correct {
		verdict = "failed (" + run.why + ")"
	}
	stable, _ := r.account.Settled()
	fmt.Fprintf(r.env.stderr, "run %d, noise %s: %s, %d broken, %d harmless so far; unchanged over %d of %d correct runs\n",
		run.Seed, run.noise, verdict, len(run.Broken), len(r.account.Harmless()), min(stable, r.stable), r.stable)
	return r.log.add(run.Run)
}

// finish notes which sections ran, writes the file, and sums up.
func (r *refining) finish(ctx context.Context, settled bool) error {
	runs, correct := r.account.Counts()
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("interrupted after %d runs, which are remembered; run again to go on", runs)
	case correct == 0:
		return fmt.Errorf("none of %d runs was correct, so nothing can be told; mend the program, or use less noise (-noise none)", runs)
	case !settled:
		return fmt.Errorf("not settled after %d runs, which are remembered; run again to go on", runs)
	}
	if err := r.readCoverage(); err != nil {
		return err
	}
	spec, err := loadSpec(r.file) // a person may have edited it meanwhile
	if err != nil {
		return firstOf(err)
	}
	changes := r.account.Apply(spec)
	if !r.dry {
		if err := spec.Save(r.file); err != nil {
			return err
		}
		r.log.remove()
	}
	counts := map[string]int{}
	never := map[bool]int{} // kept and never broken, by whether they ran
	for _, c := range changes {
		counts[c.What]++
		if c.What == "kept" && !c.Broken && !r.verbose {
			never[c.Ran]++
			continue
		}
		fmt.Fprintf(r.env.stdout, "%-8s  %s: %s\n", c.What, c.Section, strings.TrimPrefix(c.Why, "refine: "))
	}
	if n := never[true] + never[false]; n > 0 {
		fmt.Fprintf(r.env.stdout, "kept      %d others: %d executed and never broken, %d never executed (-v lists them)\n", n, never[true], never[false])
	}
	fmt.Fprintf(r.env.stdout, "%s: of %d candidates %d stay, %d are harmless, %d set aside; %d runs, %d correct\n",
		r.file, r.account.Candidates(), counts["kept"]+counts["narrowed"], counts["harmless"], counts["unseen"], runs, correct)
	return nil
}

func (r *refining) path(elements ...string) string {
	return filepath.Join(append([]string{r.scratch}, elements...)...)
}
