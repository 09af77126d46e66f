package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/atomrace/atomrace/internal/pattern"
)

// goArgs is the part of a command line that belongs to the go command, split so
// that its packages can be loaded before it runs.
type goArgs struct {
	Dir      string   // the value of -C, else empty
	Flags    []string // the flags in front of the packages, as written, without -C
	Packages []string // the package patterns or .go files
	Rest     []string // what follows the packages: test flags, program arguments

	settings goSettings
	env      []string // in which packages are loaded; nil is that of the process
}

// settle asks the go command for its settings.
func (g *goArgs) settle() (err error) {
	if g.settings, err = readGoSettings(g.Dir); err != nil {
		return err
	}
	g.env, err = g.settings.loadEnv()
	return err
}

// boolFlags are the go flags that take no value; valueFlags take one. They are
// those of "go help build", "go help run", "go help test" and "go help
// testflag" in Go 1.26.
var (
	boolFlags = []string{
		"a", "n", "race", "msan", "asan", "cover", "v", "work", "x",
		"linkshared", "modcacherw", "trimpath", "buildvcs", "compiled",
	}
	valueFlags = []string{
		"p", "covermode", "coverpkg", "asmflags", "buildmode", "compiler",
		"gccgoflags", "gcflags", "installsuffix", "ldflags", "mod", "modfile",
		"pgo", "pkgdir", "tags", "toolexec",
	}
	// verbFlags are those of some verbs alone.
	verbBoolFlags = map[string][]string{
		"build":   {"json"},
		"install": {"json"},
		"test": {"json", "c", "i", "benchmem", "failfast", "fullpath", "short",
			"artifacts"},
	}
	verbValueFlags = map[string][]string{
		"build": {"o"},
		"run":   {"exec"},
		"test": {"o", "exec", "vet", "bench", "benchtime", "blockprofile",
			"blockprofilerate", "count", "coverprofile", "cpu", "cpuprofile",
			"fuzz", "fuzzcachedir", "fuzzminimizetime", "fuzztime", "list",
			"memprofile", "memprofilerate", "mutexprofile",
			"mutexprofilefraction", "outputdir", "parallel", "run", "shuffle",
			"skip", "timeout", "trace"},
	}
	// loadFlags change which files make up a package, how it is resolved or how
	// its files are called, so that they count when packages are loaded.
	loadFlags = []string{"tags", "race", "msan", "asan", "mod", "modfile", "compiler", "trimpath"}
)

const overlayRefused = "-overlay cannot be used: atomrace needs go's only overlay for the instrumented source; put the files in their places first"

// splitGoArgs splits the arguments of "go verb". Unknown flags are an error,
// except for test, where they belong to the test binary.
func splitGoArgs(verb string, args []string) (*goArgs, error) {
	g := &goArgs{}
	if verb == "test" {
		return g.splitTest(args)
	}
	for len(args) > 0 && isFlag(args[0]) {
		n, err := g.take(verb, args)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			return nil, fmt.Errorf("unknown flag -%s (see 'atomrace help %s' and 'go help %s')", flagName(args[0]), verb, verb)
		}
		args = args[n:]
	}
	n := len(args)
	if verb == "run" { // one package or a list of files
		if n = slices.IndexFunc(args, func(a string) bool { return !strings.HasSuffix(a, ".go") }); n < 0 {
			n = len(args)
		} else if n == 0 {
			n = 1
		}
	}
	g.Packages, g.Rest = args[:n], args[n:]
	return g.defaults(verb), nil
}

// splitTest reads the command line of go test, which takes its own flags after
// the packages too, and there and in front of them such of the test binary. An
// unknown flag ends the packages.
func (g *goArgs) splitTest(args []string) (*goArgs, error) {
	const before, in, after = 0, 1, 2
	packages, value := before, false // value: args[0] may be that of an unknown flag
	for len(args) > 0 && args[0] != "--" && flagName(args[0]) != "args" {
		if !isFlag(args[0]) {
			switch {
			case packages != after:
				packages = in
				g.Packages = append(g.Packages, args[0])
			case value:
				g.Rest = append(g.Rest, args[0])
			default:
				g.Rest = append(g.Rest, args...)
				return g.defaults("test"), nil
			}
			value = false
			args = args[1:]
			continue
		}
		n, err := g.take("test", args)
		if err != nil {
			return nil, err
		}
		if packages == in {
			packages = after
		}
		value = n == 0 && !strings.Contains(args[0], "=")
		if n == 0 {
			packages = after
			g.Rest = append(g.Rest, args[0])
			n = 1
		}
		args = args[n:]
	}
	g.Rest = append(g.Rest, args...)
	return g.defaults("test"), nil
}

// take takes the flag at the head of args with its value, and says how many
// arguments these are: none when the flag is unknown.
func (g *goArgs) take(verb string, args []string) (int, error) {
	arg, n := args[0], 1
	name := flagName(arg)
	_, value, hasValue := strings.Cut(arg, "=")
	switch {
	case name == "overlay":
		return 0, errors.New(overlayRefused)
	case takesNoValue(verb, name):
	case name == "C" || takesValue(verb, name):
		if hasValue {
			break
		}
		if len(args) < 2 {
			return 0, fmt.Errorf("flag -%s needs a value", name)
		}
		value, n = args[1], 2
		arg += "=" + value
	default:
		return 0, nil
	}
	if name == "C" {
		g.Dir = value
	} else {
		g.Flags = append(g.Flags, arg)
	}
	return n, nil
}

func isFlag(arg string) bool { return strings.HasPrefix(arg, "-") && arg != "-" }

// flagName is the name of a flag without dashes and value; empty for others.
func flagName(arg string) string {
	if !isFlag(arg) {
		return ""
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
	return name
}

// flag returns the value of the last flag of that name, of the command line or
// else of GOFLAGS.
func (g *goArgs) flag(name string) (value string, ok bool) {
	all := g.all(name)
	if len(all) == 0 {
		return "", false
	}
	return all[len(all)-1], true
}

// all returns the values of the flags of that name, those of GOFLAGS first.
func (g *goArgs) all(name string) (values []string) {
	for _, f := range append(splitGoflags(g.settings.GOFLAGS), g.Flags...) {
		if flagName(f) == name {
			_, value, _ := strings.Cut(f, "=")
			values = append(values, value)
		}
	}
	return values
}

// isOn says whether a flag without value is set.
func (g *goArgs) isOn(name string) bool {
	value, ok := g.flag(name)
	on, err := strconv.ParseBool(value)
	return ok && (on || err != nil)
}

// single says whether every function must be in the program once: for coverage, whose
// counters stand in the source, under the race detector, which sees every access, and for
// debuggers, which stop in one of two places that have the same line.
func (g *goArgs) single() bool {
	return slices.ContainsFunc([]string{"race", "cover", "covermode", "coverpkg", "coverprofile", "test.coverprofile"}, g.isOn) ||
		slices.ContainsFunc(g.all("gcflags"), func(flags string) bool { return unoptimized.MatchString(flags) })
}

// unoptimized is a value of -gcflags by which programs are built for debuggers.
var unoptimized = pattern.New(`(^|[ =])-N( |$)`)

// without returns the flags that are not called by one of the names.
func (g *goArgs) without(names ...string) []string {
	var flags []string
	for _, f := range g.Flags {
		if !slices.Contains(names, flagName(f)) {
			flags = append(flags, f)
		}
	}
	return flags
}

func (g *goArgs) defaults(verb string) *goArgs {
	if len(g.Packages) == 0 && verb != "run" {
		g.Packages = []string{"."}
	}
	return g
}

// load returns the flags that matter for loading packages.
func (g *goArgs) load() []string {
	var flags []string
	for _, f := range g.Flags {
		if slices.Contains(loadFlags, flagName(f)) {
			flags = append(flags, f)
		}
	}
	return flags
}

func takesNoValue(verb, name string) bool {
	return slices.Contains(boolFlags, name) ||
		slices.Contains(verbBoolFlags[verb], testName(verb, name)) ||
		verb == "test" && name == "test.v"
}

func takesValue(verb, name string) bool {
	return slices.Contains(valueFlags, name) || slices.Contains(verbValueFlags[verb], testName(verb, name))
}

// testName leaves out the prefix that flags of a test binary may have.
func testName(verb, name string) string {
	if verb == "test" {
		return strings.TrimPrefix(name, "test.")
	}
	return name
}
