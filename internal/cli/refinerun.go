package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/refine"
	"github.com/atomrace/atomrace/internal/report"
)

// program is an instrumented binary: of the tests of a package, or a program.
type program struct {
	binary string
	dir    string // where it runs
	name   string // for messages
}

// judged is a run with what people are told about it.
type judged struct {
	refine.Run
	noise, why string
}

// build instruments and builds what is run, watching the sections of spec but for
// what is ignored.
func (r *refining) build(ctx context.Context, original *atomicity.Spec) error {
	text, err := original.Bytes()
	if err != nil {
		return err
	}
	spec, err := atomicity.Parse(r.file, text)
	if err != nil {
		return err
	}
	refine.Narrow(spec, r.ignored)
	code, err := specCode(ctx, spec, r.file, r.load()...)
	if err != nil {
		return err
	}
	r.places = refine.Locate(spec, code)
	r.built++
	file := r.path(fmt.Sprintf("spec%d.yaml", r.built))
	if err := spec.Save(file); err != nil {
		return err
	}
	var covered []string
	for path := range code.Packages {
		covered = append(covered, strings.TrimSuffix(path, "_test"))
	}
	slices.Sort(covered)
	flags := append([]string{"-spec", file, "-cover", "-coverpkg=" + strings.Join(slices.Compact(covered), ",")}, r.goTestFlags.build...)
	fmt.Fprintf(r.env.stderr, "building; %d of %d candidates are watched\n", watchedIn(spec), r.account.Candidates())
	if r.oracle != "" {
		return r.buildProgram(ctx, flags)
	}
	return r.buildTests(ctx, flags)
}

// watched reports whether the section is a candidate that something can break.
func watched(s *atomicity.Section) bool {
	return s.Status == atomicity.Candidate &&
		slices.ContainsFunc(s.Ends, func(e atomicity.End) bool { return e.Allow != atomicity.ReadWrite })
}

func watchedIn(spec *atomicity.Spec) int {
	n := 0
	for p := range spec.All() {
		if watched(p.Section) {
			n++
		}
	}
	return n
}

func (r *refining) buildProgram(ctx context.Context, flags []string) error {
	in, err := instrument(ctx, r.env, "build", append(flags, r.packages...))
	if err != nil {
		return err
	}
	binary := r.path(fmt.Sprintf("program%d", r.built))
	if err := r.quiet(in.goCommand(r.env, "build", append([]string{"-o", binary}, in.Packages...)...)); err != nil {
		return err
	}
	if info, err := os.Stat(binary); err != nil || info.Mode()&0o111 == 0 {
		return fmt.Errorf("%s is no program: -oracle needs a package main", strings.Join(in.Packages, " "))
	}
	r.programs = []program{{binary: binary, dir: ".", name: in.program()}}
	return nil
}

// buildTests makes a test binary of each package that has tests.
func (r *refining) buildTests(ctx context.Context, flags []string) error {
	args := append([]string{"list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}\t{{.Dir}}{{end}}"}, r.load()...)
	args = append(append(args, "--"), r.packages...)
	out, err := exec.CommandContext(ctx, "go", args...).Output()
	if err != nil {
		return goListError(err)
	}
	in, err := instrument(ctx, r.env, "test", append(append([]string{"-c"}, flags...), r.packages...))
	if err != nil {
		return err
	}
	in.Flags = in.without("c")
	r.programs = nil
	for line := range strings.Lines(string(out)) {
		path, dir, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		binary := r.path(fmt.Sprintf("test%d.%d", r.built, len(r.programs)))
		if err := r.quiet(in.goCommand(r.env, "test", "-c", "-o", binary, path)); err != nil {
			return err
		}
		r.programs = append(r.programs, program{binary: binary, dir: dir, name: path})
	}
	if len(r.programs) == 0 {
		return fmt.Errorf("no package of %s has tests; with -oracle a program is run instead", strings.Join(r.packages, " "))
	}
	return nil
}

// quiet runs a go command whose warnings about coverage tell nobody anything.
func (r *refining) quiet(cmd *exec.Cmd) error {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		r.env.stderr.Write(stderr.Bytes())
		return exitStatus(err)
	}
	return nil
}

// batch makes n runs at the same time, with seeds from first on.
func (r *refining) batch(ctx context.Context, first, n int) ([]judged, error) {
	runs, errs := make([]judged, n), make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { runs[i], errs[i] = r.run(ctx, first+i) })
	}
	wg.Wait()
	return runs, errors.Join(errs...)
}

// noiseOf chooses the noise of a run. Without noise most runs are correct, and
// with much most sections are broken; every other run is aimed at a section that
// is to be tried, as long as there are any.
func (r *refining) noiseOf(seed int) (noise, aim string) {
	if r.noise != "" {
		return r.noise, ""
	}
	if aim = r.account.Aim(); aim != "" && seed%2 == 0 {
		if at := r.places.Entry(aim); at != "" {
			return "location:500/200us noise_at=" + at, aim
		}
	}
	return [...]string{"random:200/200us", "none", "random:20/50us", "none", "random:100/50us"}[seed%5], ""
}

// run runs all programs once. The run is correct when all of them are.
func (r *refining) run(ctx context.Context, seed int) (judged, error) {
	noise, aim := r.noiseOf(seed)
	j := judged{Run: refine.Run{Seed: seed, Correct: true, Aim: aim, Ignored: r.ignored}, noise: noise}
	var log report.Log
	healing, err := r.healing(seed, aim)
	if err != nil {
		return j, err
	}
	options := fmt.Sprintf("exitcode=0 summary=0 report_rate=0 seed=%d noise=%s%s", seed, noise, healing)
	for i, p := range r.programs {
		stem := r.path(fmt.Sprintf("log%d.%d", seed, i))
		cmd := r.command(ctx, p)
		cmd.Env = append(os.Environ(), "PROGRAM="+p.binary, "GOCOVERDIR="+r.log.coverage,
			fmt.Sprintf("ATOMRACE=log_format=json log_path=%s %s", stem, options))
		err := cmd.Start()
		if err != nil {
			return j, err
		}
		timer := time.AfterFunc(r.timeout, func() { _ = killGroup(cmd) })
		err = cmd.Wait()
		late := !timer.Stop()
		if ctx.Err() != nil {
			return j, nil
		}
		var exit *exec.ExitError
		switch {
		case late:
			j.Correct, j.why = false, fmt.Sprintf("%s: still running after %v", p.name, r.timeout)
		case errors.As(err, &exit) && exit.ExitCode() == notFound && r.oracle != "":
			j.Correct, j.why = false, fmt.Sprintf("%s: %v: the shell did not find a command of -oracle", p.name, exit)
		case errors.As(err, &exit):
			j.Correct, j.why = false, fmt.Sprintf("%s: %v", p.name, exit)
		case err != nil:
			return j, err
		}
		files, err := filepath.Glob(stem + ".*")
		if err != nil {
			return j, err
		}
		for _, file := range files {
			log.ReadFile(file)
			os.Remove(file)
		}
	}
	log.Finish()
	j.Broken = r.places.Broken(log.Violations)
	return j, nil
}

// notFound is how a shell exits that cannot find a command.
const notFound = 127

// healing are the options for what is to be healed in a run.
func (r *refining) healing(seed int, aim string) (options string, err error) {
	lock, off := r.account.Healing(aim)
	var orders strings.Builder
	for _, id := range lock {
		fmt.Fprintf(&orders, "lock %s\n", id)
	}
	for _, id := range off {
		fmt.Fprintf(&orders, "off %s\n", id)
	}
	if orders.Len() == 0 {
		return "", nil
	}
	control := r.path(fmt.Sprintf("control%d", seed))
	return " control=" + control, os.WriteFile(control, []byte(orders.String()), 0o666)
}

// command is one run of p in a process group of its own, so that all of it can
// be ended.
func (r *refining) command(ctx context.Context, p program) *exec.Cmd {
	var cmd *exec.Cmd
	if r.oracle != "" {
		cmd = exec.CommandContext(ctx, "sh", "-c", r.oracle)
	} else {
		args := []string{"-test.count=1", "-test.gocoverdir=" + r.log.coverage, "-test.timeout=" + strconv.Itoa(int(r.timeout.Seconds())+1) + "s"}
		cmd = exec.CommandContext(ctx, p.binary, append(args, r.test...)...)
	}
	cmd.Dir = p.dir
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	cmd.WaitDelay = time.Second
	return cmd
}

// readCoverage tells the account which sections ran at all.
func (r *refining) readCoverage() error {
	entries, err := os.ReadDir(r.log.coverage)
	if err != nil || len(entries) == 0 {
		return err // no run came to its end
	}
	profile := r.path("profile")
	if out, err := exec.Command("go", "tool", "covdata", "textfmt", "-i", r.log.coverage, "-o", profile).CombinedOutput(); err != nil {
		return fmt.Errorf("go tool covdata: %v: %s", err, strings.TrimSpace(string(out)))
	}
	f, err := os.Open(profile)
	if err != nil {
		return err
	}
	defer f.Close()
	ran, err := r.places.Ran(f)
	if err != nil {
		return err
	}
	r.account.Ran(ran)
	return nil
}
