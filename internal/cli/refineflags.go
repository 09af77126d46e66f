package cli

import (
	"slices"
	"strings"
)

// goTestFlags are the flags of go test on the command line of refine.
type goTestFlags struct {
	build []string // for the go command, which builds the tests
	test  []string // for the test binaries, as -test.run=X, and what follows -args
}

// testRunFlags are those that say which tests run, and how. They go to the test
// binaries.
var (
	testRunBools  = []string{"short", "failfast", "v", "fullpath", "benchmem"}
	testRunValues = []string{"run", "skip", "count", "cpu", "parallel", "shuffle", "bench", "benchtime", "timeout"}
)

// refused are build flags that refine sets itself, or that build nothing.
var refused = []string{"n", "cover", "covermode", "coverpkg", "overlay"}

// split takes the flags of go test out of args: those that are not refine's own, and
// after -- all, which is how -timeout and -v reach the tests.
func (g *goTestFlags) split(own func(name string) (known, bool bool), args []string) (rest []string, err error) {
	after := false
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		name := strings.TrimPrefix(flagName(arg), "test.")
		_, value, hasValue := strings.Cut(arg, "=")
		switch {
		case name == "args":
			g.test = append(g.test, args...)
			return rest, nil
		case arg == "--":
			after = true
			continue
		case !isFlag(arg):
			rest = append(rest, arg)
			continue
		}
		if known, isBool := own(flagName(arg)); known && !after {
			rest = append(rest, arg)
			if !isBool && !hasValue && len(args) > 0 {
				rest, args = append(rest, args[0]), args[1:]
			}
			continue
		}
		run, build := true, false
		switch {
		case slices.Contains(testRunBools, name):
		case slices.Contains(refused, name):
			return nil, usagef("-%s cannot be used: refine does that itself, or needs a build", name)
		case slices.Contains(boolFlags, name):
			run, build = false, true
		case slices.Contains(testRunValues, name), slices.Contains(valueFlags, name):
			run, build = slices.Contains(testRunValues, name), !slices.Contains(testRunValues, name)
			if !hasValue && len(args) == 0 {
				return nil, usagef("flag -%s needs a value", name)
			}
			if !hasValue {
				value, args, hasValue = args[0], args[1:], true
			}
		default:
			return nil, usagef("unknown flag %s (see 'atomrace help refine'; what is for the tests themselves stands behind -args)", arg)
		}
		text := "-" + name
		if run {
			text = "-test." + name
		}
		if hasValue {
			text += "=" + value
		}
		if build {
			g.build = append(g.build, text)
		} else {
			g.test = append(g.test, text)
		}
	}
	return rest, nil
}

// load are the flags that matter for loading packages.
func (g *goTestFlags) load() []string { return (&goArgs{Flags: g.build}).load() }
