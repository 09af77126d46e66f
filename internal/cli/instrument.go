package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/atomrace/atomrace"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/heal"
	"github.com/atomrace/atomrace/rewrite"
)

// instrumented is a go command line whose packages have been rewritten.
type instrumented struct {
	*goArgs
	options   instrumentOptions
	injection *rewrite.Injection
}

// instrumentOptions are atomrace's own flags of test, build and run.
type instrumentOptions struct {
	races             bool
	spec, heal, noise string
	budget            string
	deps, std         []string // patterns of packages outside the main module
}

// instrument does what test, build and run have in common: it splits the
// command line, finds or infers the sections, rewrites the packages and
// installs the result in the cache. Where nothing has changed since it did so
// before, the footprint of that is all it looks at.
func instrument(ctx context.Context, env *environment, verb string, args []string) (*instrumented, error) {
	options, rest, err := parseInstrumentOptions(verb, args)
	if err != nil {
		return nil, err
	}
	if err := options.validate(verb); err != nil {
		return nil, err
	}
	g, err := splitGoArgs(verb, rest)
	if err != nil {
		return nil, usageError{err}
	}
	if verb == "run" && len(g.Packages) == 0 {
		return nil, usagef("no package or file to run")
	}
	for _, p := range g.Packages {
		if path, version, ok := strings.Cut(p, "@"); ok && !strings.HasSuffix(p, ".go") {
			return nil, usagef("%s@%s is not of this module, and only that is instrumented; 'go get' it, then name it without a version", path, version)
		}
	}
	cache, err := cacheDir()
	if err != nil {
		return nil, err
	}
	kept, err := footprintFile(cache, verb, args)
	if err != nil {
		return nil, err
	}
	if f := readFootprint(kept); f != nil {
		fmt.Fprint(env.stderr, f.Said)
		g.settings = f.Settings
		return &instrumented{goArgs: g, options: options, injection: f.Injection}, nil
	}
	start := time.Now()
	if err := g.settle(); err != nil {
		return nil, err
	}
	if options.budget != "" && options.budget != "none" && g.single() {
		return nil, usagef("-budget cannot be kept with -race, -cover or -gcflags=-N: then every function is in the program once, with its hooks")
	}
	what := rewrite.Options{
		Dir:         g.Dir,
		Patterns:    g.Packages,
		Deps:        options.deps,
		Std:         options.std,
		Tests:       verb == "test",
		LeaveBroken: verb == "test",
		BuildFlags:  g.load(),
		Env:         g.env,
		Races:       options.races,
		Thin:        !g.single() && (options.races || options.budget != "" || verb == "build" || verb == "install"),
		Defaults:    options.baked(g, verb),
		HealSource:  atomrace.HealSource(),
		Cache:       cache,
	}
	var found map[string]bool
	if what.Spec, found, err = specFor(ctx, options.spec, g, &what); err != nil {
		return nil, err
	}
	result, err := rewrite.Rewrite(ctx, what)
	if err != nil {
		return nil, cmp.Or(g.noSuchArch(ctx, err), g.because(err))
	}
	if len(result.Broken) > 0 { // for what go test will say, or since this binary cannot read them
		if err := g.tooOld(); err != nil {
			return nil, err
		}
	}
	if err := staleError(what.Spec, found, result.Stale); err != nil {
		return nil, err
	}
	said := ""
	if result.Hooks.Spec == 0 && result.Hooks.Races == 0 {
		said = fmt.Sprintf("atomrace %s: nothing to watch: %s\n", verb, cmp.Or(unhooked(result.Unhooked), options.wider(g.Dir)))
	}
	fmt.Fprint(env.stderr, said)
	injection, err := result.Install(cache)
	if err != nil {
		return nil, err
	}
	if f := newFootprint(start, g, options.spec, result.Selected, injection); f != nil && len(result.Broken) == 0 {
		f.Said = said
		f.write(kept)
	}
	return &instrumented{goArgs: g, options: options, injection: injection}, nil
}

// unhooked is the first of the places that were left alone, with its reason, if there are any.
func unhooked(notes []rewrite.Note) string {
	if len(notes) == 0 {
		return ""
	}
	first := notes[0]
	first.File = relative(first.File)
	if n := len(notes) - 1; n > 0 {
		return fmt.Sprintf("%v (and %d more; 'atomrace rewrite' lists them)", first, n)
	}
	return first.String()
}

// wider says, where nothing is watched, which flags would have more be.
func (o instrumentOptions) wider(dir string) string {
	switch {
	case !o.races:
		return noSection(o.spec, dir) + "; -races watches every shared access"
	case len(o.deps) == 0:
		return "the packages of the main module share nothing; -deps adds those that they depend on"
	}
	return "the packages share nothing"
}

// parseInstrumentOptions takes atomrace's own flags off the front of args. They
// may stand among the go flags in any order before the packages, and for test
// after them too.
func parseInstrumentOptions(verb string, args []string) (instrumentOptions, []string, error) {
	var o instrumentOptions
	values := map[string]*string{"spec": &o.spec, "heal": &o.heal, "noise": &o.noise, "budget": &o.budget}
	lists := map[string]*[]string{"deps": &o.deps, "std": &o.std}
	var rest []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		name, value, hasValue := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
		target, list := values[name], lists[name]
		switch {
		case !strings.HasPrefix(arg, "-") || name == "args":
			// The packages begin; a go flag's separate value passes
			// here too, which is why the rest is scanned only while
			// flags follow.
			if i > 0 && strings.HasPrefix(args[i-1], "-") && flagWantsValue(args[i-1]) ||
				verb == "test" && name != "args" {
				rest = append(rest, arg)
				continue
			}
			return o, append(rest, args[i:]...), nil
		case name == "races":
			o.races = true
		case target != nil, list != nil:
			if !hasValue {
				if i+1 >= len(args) {
					return o, nil, usagef("flag -%s needs a value", name)
				}
				i++
				value = args[i]
			}
			switch {
			case value == "":
				return o, nil, usagef("flag -%s needs a value", name)
			case list != nil:
				*list = append(*list, value)
			default:
				*target = value
			}
		default:
			rest = append(rest, arg)
		}
	}
	return o, rest, nil
}

// validate says what is wrong with the options, and with what goes to the tests besides:
// what they say of it themselves go test does not show unless they fail.
func (o instrumentOptions) validate(verb string) error {
	for _, s := range []struct{ name, value string }{{"heal", o.heal}, {"noise", o.noise}, {"budget", o.budget}} {
		if s.value == "" {
			continue
		}
		if err := validSetting(s.name, s.value); err != nil {
			return err
		}
	}
	if verb != "test" {
		return nil
	}
	if err := heal.Validate(os.Getenv("ATOMRACE")); err != nil {
		return usagef("ATOMRACE: %v", err)
	}
	return nil
}

// separators part the settings of ATOMRACE.
const separators = " ,\t\n"

// validSetting says what is wrong with the value of a flag that stands for a setting of
// ATOMRACE.
func validSetting(name, value string) error {
	if strings.ContainsAny(value, separators) {
		return usagef("-%s=%s: one value, without spaces and commas; other settings go into ATOMRACE", name, value)
	}
	if err := heal.Validate(name + "=" + value); err != nil {
		return usagef("-%v", err)
	}
	return nil
}

// flagWantsValue says whether a go flag stands without its value.
func flagWantsValue(arg string) bool {
	name := strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-")
	return !strings.Contains(name, "=") && (name == "C" || takesValue("test", name))
}

// baked is what goes into the binary itself: only where it is kept, since test
// and run hand their options over in the environment.
func (o instrumentOptions) baked(g *goArgs, verb string) string {
	switch {
	case verb == "build" || verb == "install":
		if o.budget == "" {
			o.budget = o.shippedBudget()
		}
		return o.String()
	case verb == "test" && g.isOn("c"):
		return o.String() + testOptions
	}
	return ""
}

// shippedBudget is what watching may cost a program that is kept, unless
// -budget says otherwise. Few sections are watched for years: with three per
// cent, of which heal spends half, they cost what a program can bear for ever.
func (o instrumentOptions) shippedBudget() string {
	if o.races {
		return "10%"
	}
	return "3%"
}

// testOptions let tests fail in which violations are seen.
const testOptions = " exitcode=66"

// String is the options in the form of ATOMRACE.
func (o instrumentOptions) String() string {
	var parts []string
	if o.heal != "" {
		parts = append(parts, "heal="+o.heal)
	}
	if o.noise != "" {
		parts = append(parts, "noise="+o.noise)
	}
	if o.budget != "" {
		parts = append(parts, "budget="+o.budget)
	}
	return strings.Join(parts, " ")
}

// noSection says why there is no section to watch: the file that decides what the
// sections are has none, or nothing was found.
func noSection(file, dir string) string {
	if files := atomicity.Files(cmp.Or(dir, ".")); file == "" && len(files) > 0 {
		file = files[0]
	}
	if file == "" {
		return "there is no atomic section to break"
	}
	return fmt.Sprintf("%s, which is in force here, has no section of these packages ('atomrace infer' finds them)", shorter(file))
}

// specFor returns the sections to watch: those of the file named on the command
// line, else those of the files in force for the packages of the module or
// workspace, else, also for packages that no file is in force for, what infer finds
// in the packages that are rewritten; these are in found.
func specFor(ctx context.Context, file string, g *goArgs, o *rewrite.Options) (spec *atomicity.Spec, found map[string]bool, err error) {
	if file != "" {
		spec, err = loadSpec(file)
		return spec, nil, err
	}
	dir := g.Dir
	if dir == "" {
		dir = "."
	}
	here, err := specsInForce(true, specRoots(dir)...)
	if err != nil {
		return nil, nil, err
	}
	if len(atomicity.Files(dir)) > 0 {
		return here.spec(), nil, nil
	}
	inferred, err := inferFor(ctx, g, o)
	if err != nil {
		return nil, nil, err
	}
	spec, found = atomicity.New(), map[string]bool{}
	if len(here.files) > 0 {
		spec = here.spec()
	}
	for _, p := range inferred.Packages {
		if len(here.files) == 0 || !here.covered(p.Path) {
			spec.Packages = append(spec.Packages, p)
			found[p.Path] = true
		}
	}
	return spec, found, nil
}

// inferFor is what infer finds in the packages that are rewritten.
func inferFor(ctx context.Context, g *goArgs, o *rewrite.Options) (*atomicity.Spec, error) {
	selected, err := rewrite.Select(ctx, *o)
	if err != nil {
		return nil, g.because(err)
	}
	o.Selected = selected
	if len(selected.Packages) == 0 { // a list of files, or what cannot be loaded
		spec, _, err := inferOnce(ctx, g, "", "", o.LeaveBroken)
		return spec, err
	}
	all := *g
	all.Packages = selected.Packages
	spec, loaded, err := inferOnce(ctx, &all, o.Cache, selected.Key, o.LeaveBroken)
	o.Loaded = loaded
	return spec, err
}

// goCommand is "go verb" over the instrumented source. It is not stopped with
// our context: the terminal's interrupt reaches it as well, and it cleans up.
func (in *instrumented) goCommand(env *environment, verb string, args ...string) *exec.Cmd {
	argv := append([]string{verb}, in.injection.Flags()...)
	argv = append(argv, in.Flags...)
	cmd := exec.Command(in.injection.Go, append(argv, args...)...)
	cmd.Dir = in.Dir
	cmd.Env = append(os.Environ(), in.injection.Env()...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, env.stdout, env.stderr
	return cmd
}

// staleError is the error for sections of the spec whose code is gone, but for
// candidates that are marked so: those are known, and nobody misses them. Nor does anybody
// miss, of what was found in packages for this build alone, the sections that cannot be
// watched.
func staleError(spec *atomicity.Spec, found map[string]bool, stale []rewrite.Stale) error {
	stale = slices.DeleteFunc(slices.Clone(stale), func(s rewrite.Stale) bool {
		if found[s.Package] {
			return true
		}
		v := spec.Package(s.Package).Variable(s.Variable)
		if v == nil || len(v.Sections) == 0 {
			return false
		}
		return !slices.ContainsFunc(v.Sections, func(sec *atomicity.Section) bool {
			known := sec.Stale == atomicity.Gone && sec.Status == atomicity.Candidate
			return (s.Section == "" || s.Section == sec.ID) && sec.Active() && !known
		})
	})
	if len(stale) == 0 {
		return nil
	}
	more := ""
	if len(stale) > 1 {
		more = fmt.Sprintf(" (and %d more)", len(stale)-1)
	}
	return fmt.Errorf("%v%s; run 'atomrace infer' and delete or mend the section", stale[0], more)
}

// cacheDir is where instrumented source and the shadow GOROOT live.
func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache directory: %w; set XDG_CACHE_HOME or HOME", err)
	}
	return filepath.Join(dir, "atomrace"), nil
}
