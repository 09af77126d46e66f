// Package cli is the atomrace command.
//
// [Main] looks at the first argument. A command of its own (check, vet, infer,
// test, build, run, install, fuzz, replay, merge, refine, rewrite, report, spec, help, version) is run here;
// everything else belongs to the protocol between go vet and its vettool and goes to x/tools'
// multichecker, so that the one binary also serves as
//
//	go vet -vettool=$(which atomrace) ./...
//	go fix -fixtool=$(which atomrace) ./...
//
// Check has a driver of its own (check.go, sarif.go), but leaves applying fixes
// to multichecker too.
//
// The commands only connect the rooms: analyzers find sections (infer.go),
// package atomicity keeps them, package rewrite makes the instrumented build
// (instrument.go), and the go command does the rest (build.go); internal/journal
// keeps what rewrite -w replaces. What a command
// writes to the user's tree it writes last and atomically, so that a failure
// leaves the tree as it was.
//
// Errors are one line, "atomrace COMMAND: what, where, what to do", and exit
// status 1; a wrong command line exits with 2, as with the go command; check
// exits with 3 on findings, as x/tools drivers do; test, build and run exit
// with the status of what they ran. A panic below is reported as a bug of
// atomrace in one line, never as a Go stack.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
)

// command is one "atomrace NAME".
type command struct {
	name    string
	usage   string // arguments, for the first line of its help
	summary string // one line, for the list of commands
	help    string // the long text
	run     func(context.Context, *environment, []string) error
}

// environment is what a command may use of the process around it.
type environment struct {
	stdout, stderr io.Writer
}

// commands in the order of "atomrace help". They are filled in by a function
// rather than a variable because help refers back to them.
func commands() []command {
	return []command{checkCommand, vetCommand, inferCommand, testCommand, buildCommand, runCommand, installCommand, fuzzCommand, replayCommand, mergeCommand, refineCommand, rewriteCommand, reportCommand, specCommand, helpCommand, versionCommand}
}

// exitError is an error that only sets the exit status: what went wrong has
// been printed already, usually by the go command or the program itself.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// usageError is a mistake on the command line.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// Main runs atomrace with the arguments after the program's name and returns
// the exit status. It does not return when the arguments belong to the vettool
// protocol or to check -fix: x/tools' drivers exit by themselves.
func Main(args []string) (status int) {
	if len(args) == 0 {
		printHelp(os.Stderr)
		return 2
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return runCommandSafely(c, args[1:])
		}
	}
	switch name := args[0]; {
	case isHelp(args):
		printHelp(os.Stdout)
		return 0
	case strings.HasPrefix(name, "-") || strings.HasSuffix(name, ".cfg"):
		return vettool(args)
	default:
		fmt.Fprintf(os.Stderr, "atomrace: unknown command %q; see 'atomrace help'\n", name)
		return 2
	}
}

func runCommandSafely(c command, args []string) (status int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(os.Stderr, "atomrace %s: internal error: %v; nothing was written; please report it with the command line\n", c.name, p)
			status = 1
		}
	}()
	if isHelp(args) {
		printCommandHelp(os.Stdout, c)
		return 0
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := needGo(c.run(ctx, &environment{stdout: os.Stdout, stderr: os.Stderr}, args))
	var exit exitError
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return int(exit)
	case errors.As(err, &usage):
		fmt.Fprintf(os.Stderr, "atomrace %s: %v\n", c.name, err)
		return 2
	}
	fmt.Fprintf(os.Stderr, "atomrace %s: %v\n", c.name, err)
	return 1
}

// needGo says what to do where err is that there is no go command, as which it comes from
// several packages, some of which keep its text alone; other errors are returned as they are.
func needGo(err error) error {
	if text := fmt.Sprint(err); strings.Contains(text, `exec: "go"`) && strings.Contains(text, exec.ErrNotFound.Error()) {
		return errors.New("there is no go command in PATH; install Go, or add the bin directory of the one that is installed to PATH")
	}
	return err
}
