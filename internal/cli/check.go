package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/atomrace/atomrace/analyzers"
	"github.com/atomrace/atomrace/atomicity"
)

var checkCommand = command{
	name:    "check",
	usage:   "[flags] [packages]",
	summary: "report atomic sections that are not protected",
	help: `Check runs the analyzers over the packages (default: the one in the current
directory) and prints what it finds, as go vet does. It exits with 0 when there
is nothing to report, 3 when there is, 1 when a package could not be analyzed;
the others are analyzed all the same. Results are kept in go vet's cache, so that only
what has changed is analyzed again; where something does not compile, everything is.

Of a program, check knows who calls the functions of its packages, if all that import
them are asked for, as with ./...: a section to which one goroutine alone comes is not
reported then. It is in libraries, which others use as well, and by go vet, which looks
at one package after the other. Internal packages, and those that a command imports in a
module whose root holds no other package than a command, are taken for a program's.

	-json        print the findings as JSON (then findings leave the exit status 0)
	-sarif       print them as SARIF 2.1.0, for code scanning (likewise)
	-explain ID  print what is known about the check ID, and run nothing
	-fix         apply the suggested fixes; -diff shows them instead
	-test=false  leave out test files
	-tags LIST   build tags, as for go build
	-confident   report only by the checks that have proved right in most cases, and
	             what is confirmed in atomicity.yaml
	-doubtful    report also what may well be harmless, with the reason for doubt
	-c N         show each finding's line with N lines around it
	-NAME        run the analyzer NAME only; -NAME=false leaves it out
	             (see 'atomrace help')

A comment silences the check ID on its line, or alone, on the next one:

	//atomrace:ignore ID reason

Sections that atomicity.yaml rejects are not reported, and those that it confirms
are, with their note and the file. The same analyzers run under go vet and go fix:

	go vet -vettool=$(which atomrace) ./...
	go fix -diff -fixtool=$(which atomrace) ./...`,
	run: runCheck,
}

func runCheck(ctx context.Context, env *environment, args []string) error {
	o, err := parseCheck(args)
	if err != nil {
		return usagef("%v (see 'atomrace help check')", err)
	}
	if o.Explain != "" {
		text, ok := analyzers.Explain(o.Explain)
		if !ok {
			return usagef("no check is called %q; 'atomrace help' lists them", o.Explain)
		}
		fmt.Fprint(env.stdout, text)
		return nil
	}
	if err := setTags(o.Tags); err != nil {
		return err
	}
	for _, file := range atomicity.Files(".") {
		if _, err := loadSpec(file); err != nil {
			return firstOf(err)
		}
	}
	if o.Fix {
		if vetFixes(env, o) {
			return nil
		}
		if err := cmp.Or(ctx.Err(), tooOldHere("")); err != nil {
			return err
		}
		return sourceFixes(ctx, env, o)
	}
	found, ok := vetFindings(ctx, o)
	list, failed := found.list()
	var broken []string
	if !ok || len(failed) > 0 {
		if err := cmp.Or(ctx.Err(), tooOldHere("")); err != nil {
			return err
		}
		var err error
		if found, broken, err = sourceFindings(ctx, o); err != nil {
			return err
		}
		list, failed = found.list()
	}
	for _, line := range broken {
		fmt.Fprintf(env.stderr, "atomrace check: %s\n", line)
	}
	switch {
	case o.SARIF:
		err = printSARIF(env.stdout, list, append(broken, failed...))
	case o.JSON:
		err = found.printJSON(env.stdout)
	default:
		for _, line := range failed {
			fmt.Fprintln(env.stderr, line)
		}
		err = printText(env.stderr, list, o.Context)
	}
	switch {
	case err != nil:
		return fmt.Errorf("printing the findings: %w", err)
	case len(failed) > 0 || len(broken) > 0:
		return exitError(1)
	case len(list) > 0 && !o.SARIF && !o.JSON:
		return exitError(3)
	}
	return nil
}

// firstOf is the first of several errors in a spec.
func firstOf(err error) error {
	var list atomicity.Errors
	if errors.As(err, &list) && len(list) > 1 {
		return fmt.Errorf("%w (and %d more)", list[0], len(list)-1)
	}
	return err
}
