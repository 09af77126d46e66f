package cli

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers"
)

var helpCommand = command{
	name:    "help",
	usage:   "[command | spec command | analyzer | check]",
	summary: "explain a command, an analyzer or a check",
	help:    `Help prints what a command, an analyzer or a check does.`,
}

var versionCommand = command{
	name:    "version",
	summary: "print the version of atomrace and of the Go it was built with",
	help:    `Version prints the version of atomrace and of the Go it was built with.`,
	run: func(_ context.Context, env *environment, _ []string) error {
		version, goVersion := "devel", "unknown"
		if info, ok := debug.ReadBuildInfo(); ok {
			goVersion = info.GoVersion
			if v := info.Main.Version; v != "" && v != "(devel)" {
				version = v
			}
		}
		fmt.Fprintf(env.stdout, "atomrace version %s %s\n", version, goVersion)
		return nil
	},
}

func init() {
	// Set here because help lists the commands, itself included.
	specCommand.help = specHelp()
	helpCommand.run = func(_ context.Context, env *environment, args []string) error {
		if len(args) == 0 {
			printHelp(env.stdout)
			return nil
		}
		for _, c := range append(commands(), specCommands()...) {
			if c.name == strings.Join(args, " ") {
				printCommandHelp(env.stdout, c)
				return nil
			}
		}
		for _, a := range analyzers.All() {
			if a.Name == args[0] {
				fmt.Fprintf(env.stdout, "%s\n", strings.TrimSpace(a.Doc))
				return nil
			}
		}
		if text, ok := analyzers.Explain(args[0]); ok {
			fmt.Fprint(env.stdout, text)
			return nil
		}
		return usagef("no command, analyzer or check is called %q; 'atomrace help' lists them", args[0])
	}
}

func printCommandHelp(w io.Writer, c command) {
	fmt.Fprintf(w, "usage: atomrace %s\n\n%s\n", strings.TrimSpace(c.name+" "+c.usage), c.help)
}

// isHelp says whether arguments ask what a command does, and for nothing else.
func isHelp(args []string) bool {
	return len(args) > 0 && slices.Contains([]string{"-h", "-help", "--help"}, args[0])
}

func printHelp(w io.Writer) {
	fmt.Fprint(w, `Atomrace finds sequences of accesses that another goroutine can break although
every access is synchronised, watches them while the program runs, and heals them.

usage: atomrace COMMAND [arguments]

`)
	for _, c := range commands() {
		fmt.Fprintf(w, "	%-8s  %s\n", c.name, c.summary)
	}
	fmt.Fprint(w, "\nanalyzers, for check and go vet -vettool:\n\n")
	for _, a := range analyzers.All() {
		first, _, _ := strings.Cut(strings.TrimSpace(a.Doc), "\n")
		fmt.Fprintf(w, "	%-9s  %s\n", a.Name, first)
	}
	fmt.Fprint(w, "\nchecks, for //atomrace:ignore and check -explain:\n\n")
	last := ""
	for _, c := range analyzers.Checks() {
		if c.ID != last {
			fmt.Fprintf(w, "	%-22s  %s\n", c.ID, c.Title)
		}
		last = c.ID
	}
	fmt.Fprint(w, "\nUse \"atomrace help NAME\" for a command, an analyzer or a check.\n")
}
