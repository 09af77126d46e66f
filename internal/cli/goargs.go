package cli

import (
	"fmt"
	"slices"
	"strings"
)

// goArgs is the part of a command line that belongs to the go command, split so
// that its packages can be loaded before it runs.
type goArgs struct {
	Dir      string   // the value of -C, else empty
	Flags    []string // the flags in front of the packages, as written, without -C
	Packages []string // the package patterns or .go files
	Rest     []string // what follows the packages: test flags, program arguments
}

// boolFlags are the go flags that take no value; valueFlags take one. They are
// those of "go help build", "go help run", "go help test" and "go help
// testflag" in Go 1.26.
var (
	boolFlags = []string{
		"a", "n", "race", "msan", "asan", "cover", "v", "work", "x", "json",
		"linkshared", "modcacherw", "trimpath", "buildvcs", "compiled",
	}
	valueFlags = []string{
		"p", "covermode", "coverpkg", "asmflags", "buildmode", "compiler",
		"gccgoflags", "gcflags", "installsuffix", "ldflags", "mod", "modfile",
		"pgo", "pkgdir", "tags", "toolexec", "o", "exec",
	}
	testBoolFlags  = []string{"c", "i", "benchmem", "failfast", "fullpath", "short", "artifacts", "test.v"}
	testValueFlags = []string{
		"args", "vet", "bench", "benchtime", "blockprofile", "blockprofilerate",
		"count", "coverprofile", "cpu", "cpuprofile", "fuzz", "fuzzcachedir",
		"fuzzminimizetime", "fuzztime", "list", "memprofile", "memprofilerate",
		"mutexprofile", "mutexprofilefraction", "outputdir", "parallel", "run",
		"shuffle", "skip", "timeout", "trace",
	}
	// loadFlags change which files make up a package, how it is resolved or how
	// its files are called, so that they count when packages are loaded.
	loadFlags = []string{"tags", "race", "msan", "asan", "mod", "modfile", "compiler", "trimpath"}
)

// splitGoArgs splits the arguments of "go verb". Unknown flags are an error,
// except after the packages and for test, where go hands them to the test
// binary.
func splitGoArgs(verb string, args []string) (*goArgs, error) {
	g := &goArgs{}
	for len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-" {
		arg := args[0]
		name, value, hasValue := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
		switch {
		case name == "args" && verb == "test":
			g.Rest = args
			return g.defaults(verb), nil
		case name == "overlay":
			return nil, fmt.Errorf("-overlay cannot be used: atomrace needs go's only overlay for the instrumented source")
		case takesNoValue(verb, name):
		case hasValue && takesValue(verb, name):
		case name == "C" || takesValue(verb, name):
			if !hasValue {
				if len(args) < 2 {
					return nil, fmt.Errorf("flag -%s needs a value", name)
				}
				value = args[1]
				args = args[1:]
			}
		default:
			return nil, fmt.Errorf("unknown flag -%s (see 'atomrace help %s' and 'go help %s')", name, verb, verb)
		}
		args = args[1:]
		if name == "C" {
			g.Dir = value
			continue
		}
		if value != "" && !hasValue {
			arg += "=" + value
		}
		g.Flags = append(g.Flags, arg)
	}
	g.Packages, g.Rest = splitPackages(verb, args)
	return g.defaults(verb), nil
}

// splitPackages cuts the packages off the front: for run one package or a list
// of files, for test everything up to the next flag, for build everything.
func splitPackages(verb string, args []string) (packages, rest []string) {
	n := len(args)
	switch verb {
	case "run":
		n = 0
		for n < len(args) && strings.HasSuffix(args[n], ".go") {
			n++
		}
		if n == 0 && len(args) > 0 {
			n = 1
		}
	case "test":
		if i := slices.IndexFunc(args, func(a string) bool { return strings.HasPrefix(a, "-") }); i >= 0 {
			n = i
		}
	}
	return args[:n], args[n:]
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
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if slices.Contains(loadFlags, name) {
			flags = append(flags, f)
		}
	}
	return flags
}

func takesNoValue(verb, name string) bool {
	return slices.Contains(boolFlags, name) ||
		verb == "test" && slices.Contains(testBoolFlags, strings.TrimPrefix(name, "test."))
}

func takesValue(verb, name string) bool {
	return slices.Contains(valueFlags, name) ||
		verb == "test" && slices.Contains(testValueFlags, strings.TrimPrefix(name, "test."))
}
