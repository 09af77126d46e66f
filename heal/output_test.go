//go:build !atomrace_off && unix

package heal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Programs whose output is in trouble, run in a process of their own.
func init() {
	scenarios["log on a full disk"] = func() {
		defer Exit()
		if err := os.Symlink("/dev/full", fmt.Sprintf("%s.%d", os.Getenv("ATOMRACE_STEM"), os.Getpid())); err != nil {
			panic(err)
		}
		raceOnce()
	}
	scenarios["log is a named pipe"] = func() {
		defer Exit()
		if err := syscall.Mkfifo(fmt.Sprintf("%s.%d", os.Getenv("ATOMRACE_STEM"), os.Getpid()), 0o600); err != nil {
			panic(err)
		}
		raceOnce()
	}
	scenarios["stderr is flooded"] = func() {
		defer Exit()
		stop := make(chan struct{})
		var flood sync.WaitGroup
		for range 3 {
			flood.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						fmt.Fprintln(os.Stderr, strings.Repeat("noise ", 2000))
					}
				}
			})
		}
		raceOnce()
		close(stop)
		flood.Wait()
	}
	scenarios["stderr is replaced"] = func() {
		defer Exit()
		os.Stderr = nil
		raceOnce()
	}
	scenarios["nobody reads stderr"] = func() {
		defer Exit()
		io.ReadAll(os.Stdin) // until the reader is gone
		raceOnce()
	}
	scenarios["racy and elsewhere"] = func() {
		defer Exit()
		if err := errors.Join(os.Mkdir("elsewhere", 0o777), os.Chdir("elsewhere")); err != nil {
			panic(err)
		}
		raceOnce()
	}
	scenarios["terminated"] = func() {
		defer Exit()
		raceOnce()
		syscall.Kill(os.Getpid(), syscall.SIGTERM)
		time.Sleep(time.Minute)
	}
}

// play runs a scenario and returns what it wrote and how it ended.
func play(t *testing.T, scenario, settings string, prepare func(*exec.Cmd)) (output string, end error) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "ATOMRACE_SCENARIO="+scenario, "ATOMRACE="+settings, "GORACE=atexit_sleep_ms=0")
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if prepare != nil {
		prepare(cmd)
	}
	end = cmd.Run()
	return out.String(), end
}

const raceReport = "WARNING: ATOMRACE: data race on x of package main"

// What a full disk does not take goes to stderr, and that is said once.
func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Logf("no /dev/full on %s: nothing to test", runtime.GOOS)
		return
	}
	stem := filepath.Join(t.TempDir(), "log")
	out, err := play(t, "log on a full disk", "log_path="+stem, func(c *exec.Cmd) { c.Env = append(c.Env, "ATOMRACE_STEM="+stem) })
	if err != nil || strings.Count(out, "reports go to stderr") != 1 || !strings.Contains(out, "no space left on device") ||
		strings.Count(out, raceReport) != 1 || !strings.Contains(out, "1 x data race on x") || !strings.Contains(out, "ran to its end") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Nor does one wait for who might read a pipe.
func TestPipeForLog(t *testing.T) {
	stem := filepath.Join(t.TempDir(), "log")
	out, err := play(t, "log is a named pipe", "log_path="+stem, func(c *exec.Cmd) { c.Env = append(c.Env, "ATOMRACE_STEM="+stem) })
	if err != nil || strings.Count(out, " is no regular file; reports go to stderr") != 1 || strings.Count(out, raceReport) != 1 {
		t.Errorf("%v\n%s", err, out)
	}
}

// The names that the system has for the streams are the streams, and no files beside them.
func TestStreamDevices(t *testing.T) {
	for device, want := range map[string]string{"/dev/stderr": "stderr", "/dev/stdout": "stdout", "/dev/stderr/x": "/dev/stderr/x"} {
		c := defaults()
		if err := c.parse("log_path=" + device); err != nil || c.log != want {
			t.Errorf("log_path=%s: %v, %q, want %q", device, err, c.log, want)
		}
	}
}

// A report stays in one piece between the program's own lines.
func TestFlood(t *testing.T) {
	out, err := play(t, "stderr is flooded", "", nil)
	begin := strings.Index(out, rule)
	if err != nil || begin < 0 {
		t.Fatalf("%v: no report in %d bytes", err, len(out))
	}
	report, _, _ := strings.Cut(out[begin+len(rule):], rule)
	if !strings.HasPrefix(report, raceReport) || strings.Contains(report, "noise") {
		t.Errorf("report is torn:\n%.3000s", report)
	}
}

func TestReplacedStderr(t *testing.T) {
	if out, err := play(t, "stderr is replaced", "", nil); err != nil || strings.Count(out, raceReport) != 1 {
		t.Errorf("%v\n%s", err, out)
	}
}

// A report that nobody reads does not end the program by SIGPIPE, nor does what is said of
// the settings.
func TestBrokenPipe(t *testing.T) {
	for settings, want := range map[string]int{
		"exitcode=66": 66,
		"exitcode=66 noise=adaptive:1/1us noise_file=/": 66,
		"exitcode=66 seed=x":                            0,
	} {
		unread(t, settings, want)
	}
}

// unread runs a program whose reports nobody reads.
func unread(t *testing.T, settings string, want int) {
	t.Helper()
	out, err := play(t, "nobody reads stderr", settings, func(c *exec.Cmd) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		c.Stderr = w
		in, start, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		c.Stdin = in
		r.Close()
		start.Close()
		t.Cleanup(func() { w.Close(); in.Close() })
	})
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || exit != nil && exit.ExitCode() != want || exit == nil && want != 0 {
		t.Errorf("%s: %v, want status %d\n%s", settings, err, want, out)
	}
}

// Nobody waits for somebody to write to a pipe that is given as a file.
func TestPipesForFiles(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := play(t, "racy and exits 0", "noise=adaptive:1/1us noise_file="+pipe+" control="+pipe, nil)
	for _, want := range []string{"noise_file: " + pipe + " is no regular file; ", "control: " + pipe + " is no regular file; ", raceReport} {
		if err != nil || strings.Count(out, want) != 1 {
			t.Errorf("%v, %q\n%s", err, want, out)
		}
	}
}

// Files are where the program has started, wherever it goes.
func TestFilesFromStart(t *testing.T) {
	start := t.TempDir()
	_, err := play(t, "racy and elsewhere", "noise=adaptive:1/1us noise_file=learnt log_path=log", func(c *exec.Cmd) { c.Dir = start })
	learnt, _ := filepath.Glob(filepath.Join(start, "learnt"))
	logs, _ := filepath.Glob(filepath.Join(start, "log.*"))
	if err != nil || len(learnt) != 1 || len(logs) != 1 {
		t.Errorf("%v, %v, %v", err, learnt, logs)
	}
}

// SIGTERM ends the program as ever; what was found before is there, in both forms.
func TestTerminated(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		stem := filepath.Join(t.TempDir(), "log")
		_, err := play(t, "terminated", "exitcode=66 log_path="+stem+" log_format="+format, nil)
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
			t.Errorf("%s: %v, want death by SIGTERM", format, err)
		}
		files, _ := filepath.Glob(stem + ".*")
		if len(files) != 1 {
			t.Fatalf("files %v", files)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if format == "text" {
			if strings.Count(string(text), raceReport) != 1 {
				t.Errorf("%s", text)
			}
		} else if lines := jsonLines(t, string(text)); len(lines) != 1 || lines[0].Kind != DataRace || len(lines[0].Accesses) != 2 {
			t.Errorf("%s", text)
		}
	}
}

// The status and the summary in JSON as in text.
func TestJSONProgram(t *testing.T) {
	out, err := play(t, "racy and exits 0", "exitcode=66 log_format=json", nil)
	var exit *exec.ExitError
	lines := jsonLines(t, out)
	if !errors.As(err, &exit) || exit.ExitCode() != 66 || len(lines) != 2 || lines[1].Schema != "atomrace.summary/1" ||
		len(lines[1].Counts) != 1 || lines[1].Counts[0].ID != lines[0].ID || lines[1].Distinct != 1 {
		t.Errorf("%v\n%s", err, out)
	}
}

// A line that could not be written to its end does not spoil the next one: the
// reader takes a part of it and goes away.
func TestTornLine(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	file, path := output.file, output.path
	defer func() { output.path, output.file, output.torn, output.failed = path, file, false, false }()
	output.path, output.file, output.torn, output.failed = "pipe", w, false, false
	go func() {
		io.ReadFull(r, make([]byte, 100))
		r.Close()
	}()
	if err := writeFile("pipe", strings.Repeat("x", 1<<20)+"\n"); err == nil || err == errSaid {
		t.Errorf("first error is %v", err)
	}
	if err := writeFile("pipe", "lost\n"); err != errSaid {
		t.Errorf("second error is %v", err)
	}
	again, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	output.file = again
	for range 2 {
		if err := writeFile("pipe", "whole\n"); err != nil {
			t.Error(err)
		}
	}
	if text, err := os.ReadFile(again.Name()); err != nil || string(text) != "\nwhole\nwhole\n" {
		t.Errorf("%q, %v", text, err)
	}
}
