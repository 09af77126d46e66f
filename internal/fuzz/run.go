package fuzz

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/atomrace/atomrace/sched"
)

// A Run is one execution of the program.
type Run struct {
	Options  sched.Options
	ExitCode int
	Stopped  bool         // it took longer than it may
	Record   sched.Result // zero if the program did not leave one
	Output   []byte       // both streams, the middle left out where it is long
	Elapsed  time.Duration
}

// processors is GOMAXPROCS of the programs: how many goroutines some programs
// start depends on it, so it is the same on all machines.
const processors = 4

// Run runs the program once. dir is for the record of the run. An error means
// that it could not be run.
func (p *Program) Run(ctx context.Context, dir string, o sched.Options, timeout time.Duration) (*Run, error) {
	o.Record = filepath.Join(dir, fmt.Sprintf("%s-%d.json", o.Strategy, o.Seed))
	defer os.Remove(o.Record)
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	cmd := exec.CommandContext(ctx, p.Path, p.Args...)
	cmd.Dir = p.Dir
	cmd.Env = append(os.Environ(), sched.Variable+"="+o.String(), "GOMAXPROCS="+strconv.Itoa(processors))
	cmd.Env = append(cmd.Env, p.Env...)
	cmd.WaitDelay = time.Second // for streams that a child of the program still holds
	var output ends
	cmd.Stdout, cmd.Stderr = &output, &output
	start := time.Now()
	err := cmd.Run()
	run := &Run{Options: o, Elapsed: time.Since(start), Output: output.bytes(), ExitCode: cmd.ProcessState.ExitCode()}
	run.Options.Record = ""
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		run.Stopped = true
	case err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay):
		return nil, fmt.Errorf("running %s: %w", filepath.Base(p.Path), err)
	}
	text, err := os.ReadFile(o.Record)
	if err == nil {
		if err := json.Unmarshal(text, &run.Record); err != nil {
			return nil, fmt.Errorf("the record of the run with seed %d: %w", o.Seed, err)
		}
	}
	p.shorten(run)
	if run.ExitCode == sched.ExitOptions && !run.Stopped && run.Record.Outcome == "" {
		return nil, fmt.Errorf("%w: %s", errRefused, refusal(run.Output))
	}
	return run, nil
}

// refusal is what the scheduler has said, among all that the program has.
func refusal(output []byte) string {
	for line := range strings.Lines(string(output)) {
		if why, ok := strings.CutPrefix(line, "atomrace: "+sched.Variable+": "); ok {
			return strings.TrimSpace(why)
		}
	}
	return strings.TrimSpace(string(output))
}

// shorten leaves the prefixes out of all that is told.
func (p *Program) shorten(r *Run) {
	var pairs []string
	add := func(prefixes []string, by string) {
		for _, prefix := range prefixes {
			pairs = append(pairs, strings.TrimSuffix(prefix, string(filepath.Separator))+string(filepath.Separator), by)
		}
	}
	add(p.Std, Goroot)
	add(p.Prefixes, "")
	short := strings.NewReplacer(pairs...).Replace
	r.Output = []byte(short(string(r.Output)))
	record := &r.Record
	record.Message, record.Uncontrolled = short(record.Message), short(record.Uncontrolled)
	for i := range record.Waiting {
		record.Waiting[i].Location = short(record.Waiting[i].Location)
	}
	for i := range record.Trace {
		record.Trace[i].Location = short(record.Trace[i].Location)
	}
	pair := func(p *sched.Pair) {
		p.First.Location, p.Second.Location = short(p.First.Location), short(p.Second.Location)
	}
	for i := range record.Races {
		pair(&record.Races[i].Pair)
	}
	for i := range record.Candidates {
		pair(&record.Candidates[i].Pair)
	}
	for i := range record.Violations {
		v := &record.Violations[i]
		for _, side := range []*sched.Side{&v.Before, &v.Foreign, &v.After} {
			side.Location, side.Inside = short(side.Location), short(side.Inside)
		}
	}
}

// ends keeps the beginning and the end of what is written to it.
type ends struct {
	head, tail []byte
	left       int // out, in the middle
}

const endSize = 32 << 10

func (e *ends) Write(p []byte) (int, error) {
	n := min(len(p), endSize-len(e.head))
	e.head = append(e.head, p[:n]...)
	e.tail = append(e.tail, p[n:]...)
	if extra := len(e.tail) - endSize; extra > 0 {
		e.left += extra
		e.tail = append(e.tail[:0], e.tail[extra:]...)
	}
	return len(p), nil
}

func (e *ends) bytes() []byte {
	if e.left == 0 {
		return append(e.head, e.tail...)
	}
	return bytes.Join([][]byte{e.head, fmt.Appendf(nil, "\n… %d bytes …\n", e.left), e.tail}, nil)
}

// Plain runs the program without the scheduler and returns how it fails, empty if
// it does not: a test that fails anyway says little.
func (p *Program) Plain(ctx context.Context, timeout time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.Path, p.Args...)
	cmd.Dir = p.Dir
	cmd.Env = append(os.Environ(), sched.Variable+"=")
	cmd.WaitDelay = time.Second
	var output ends
	cmd.Stdout, cmd.Stderr = &output, &output
	err := cmd.Run()
	if cmd.ProcessState == nil {
		return "", fmt.Errorf("running %s: %w", filepath.Base(p.Path), err)
	}
	run := &Run{ExitCode: cmd.ProcessState.ExitCode(), Output: output.bytes(), Stopped: errors.Is(ctx.Err(), context.DeadlineExceeded), Elapsed: timeout}
	p.shorten(run)
	kind, message := run.failure()
	if kind == KindTimeout {
		return "", nil // it may just sleep
	}
	if message != "" {
		kind += ": " + message
	}
	return kind, nil
}
