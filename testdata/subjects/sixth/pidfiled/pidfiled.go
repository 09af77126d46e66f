// Package pidfiled supervises one child process for a command line front end.
package pidfiled

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"
)

type Phase int

const (
	Stopped Phase = iota
	Starting
	Up
	Stopping
)

func (p Phase) String() string {
	return [...]string{"stopped", "starting", "up", "stopping"}[p]
}

// Phases keeps the phase and tells observers of changes.
type Phases interface {
	Current() Phase
	Enter(Phase)
}

type memPhases struct {
	sync.Mutex
	cur   Phase
	since time.Time
	hist  []Phase
}

func (m *memPhases) Current() Phase {
	m.Lock()
	defer m.Unlock()
	return m.cur
}

func (m *memPhases) Enter(p Phase) {
	m.Lock()
	defer m.Unlock()
	m.cur, m.since = p, time.Now()
	if m.hist = append(m.hist, p); len(m.hist) > 64 {
		m.hist = m.hist[1:]
	}
}

var ErrBusy = errors.New("pidfiled: wrong phase")

type Daemon struct {
	argv    []string
	pidFile string
	log     *slog.Logger
	phases  Phases

	procMu sync.Mutex
	proc   *os.Process
	exited chan struct{}
}

func New(pidFile string, log *slog.Logger, argv ...string) *Daemon {
	return &Daemon{argv: argv, pidFile: pidFile, log: log, phases: &memPhases{since: time.Now()}}
}

// Start spawns the child. The control socket's handlers call it.
func (d *Daemon) Start() error {
	if cur := d.phases.Current(); cur != Stopped {
		return fmt.Errorf("%w: %v", ErrBusy, cur)
	}
	d.phases.Enter(Starting)

	cmd := exec.Command(d.argv[0], d.argv[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		d.phases.Enter(Stopped)
		return fmt.Errorf("pidfiled: spawn %s: %w", d.argv[0], err)
	}
	exited := make(chan struct{})
	d.procMu.Lock()
	d.proc, d.exited = cmd.Process, exited
	d.procMu.Unlock()

	if err := d.writePID(cmd.Process.Pid); err != nil {
		d.log.Warn("pid file", "path", d.pidFile, "err", err)
	}
	d.phases.Enter(Up)
	go func() {
		err := cmd.Wait()
		d.log.Info("child ended", "pid", cmd.Process.Pid, "err", err)
		os.Remove(d.pidFile)
		d.phases.Enter(Stopped)
		close(exited)
	}()
	return nil
}

// Stop interrupts the child and kills it when ctx ends first.
func (d *Daemon) Stop(ctx context.Context) error {
	d.procMu.Lock()
	proc, exited := d.proc, d.exited
	d.procMu.Unlock()
	if proc == nil {
		return nil
	}
	if err := proc.Signal(os.Interrupt); err != nil {
		if errors.Is(err, os.ErrProcessDone) {
			return nil
		}
		return err
	}
	select {
	case <-exited:
		return nil
	case <-ctx.Done():
		d.log.Warn("child does not stop, killing", "pid", proc.Pid)
		return errors.Join(ctx.Err(), proc.Kill())
	}
}

// Status is what the front end prints.
func (d *Daemon) Status() string {
	d.procMu.Lock()
	defer d.procMu.Unlock()
	if d.proc == nil {
		return d.phases.Current().String()
	}
	return fmt.Sprintf("%v (pid %d)", d.phases.Current(), d.proc.Pid)
}

func (d *Daemon) writePID(pid int) error {
	return os.WriteFile(d.pidFile, []byte(strconv.Itoa(pid)+"\n"), 0o644)
}
