package rewrite

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// LoadMode is what Rewrite needs to know of packages.
const LoadMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles |
	packages.NeedImports | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax |
	packages.NeedTypesInfo | packages.NeedModule | packages.NeedForTest

// load type-checks the packages that the patterns match. What they depend on
// comes from export data, which the build needs anyway and the go command
// caches. With Options.LeaveBroken, those that do not type-check are named in broken.
func load(ctx context.Context, o Options, env, patterns []string) (pkgs []*packages.Package, broken []string, err error) {
	if len(patterns) == 0 {
		return nil, nil, nil
	}
	if known := o.known(patterns); known != nil {
		return o.distinct(known)
	}
	config := &packages.Config{Context: ctx, Mode: LoadMode, Dir: o.Dir, Env: env, BuildFlags: o.BuildFlags, Tests: o.Tests}
	roots, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, nil, fmt.Errorf("loading packages: %w", err)
	}
	return o.distinct(roots)
}

// known is the packages of these import paths if all of them are among those that
// were loaded before.
func (o Options) known(paths []string) []*packages.Package {
	if o.Tests {
		return nil
	}
	loaded := map[string]*packages.Package{}
	for _, p := range o.Loaded {
		loaded[p.PkgPath] = p
	}
	var known []*packages.Package
	for _, path := range paths {
		p := loaded[path]
		if p == nil {
			return nil
		}
		known = append(known, p)
	}
	return known
}

// distinct keeps one variant of each package: the one that was compiled with
// its test files, if any, since it has all files of the other; or that without them,
// where only the tests do not type-check and may be left.
func (o Options) distinct(roots []*packages.Package) (pkgs []*packages.Package, broken []string, err error) {
	best := map[string]*packages.Package{}
	var order []string
	for _, p := range roots {
		if err := loadError(p); err != nil {
			if !o.LeaveBroken {
				return nil, nil, err
			}
			broken = append(broken, strings.TrimSuffix(p.PkgPath, "_test"))
			continue
		}
		if strings.HasSuffix(p.ID, ".test") { // the generated main package of a test
			continue
		}
		old, seen := best[p.PkgPath]
		if !seen {
			order = append(order, p.PkgPath)
		}
		if !seen || len(p.CompiledGoFiles) > len(old.CompiledGoFiles) {
			best[p.PkgPath] = p
		}
	}
	slices.Sort(order)
	out := make([]*packages.Package, 0, len(order))
	for _, path := range order {
		out = append(out, best[path])
	}
	slices.Sort(broken)
	return out, slices.Compact(broken), nil
}

// loadError is the most telling error of the package, on one line: the first
// of the parser or the type checker, else of the go command. That C could not be
// imported follows from what the go command says about the C compiler.
func loadError(p *packages.Package) error {
	all := slices.DeleteFunc(slices.Clone(p.Errors), NothingToEmbed)
	if len(all) == 0 {
		return nil
	}
	told := slices.DeleteFunc(slices.Clone(all), func(e packages.Error) bool {
		return strings.HasPrefix(e.Msg, "could not import C ")
	})
	if len(told) == 0 {
		told = all
	}
	best := told[0]
	for _, e := range told {
		if e.Kind == packages.ParseError || e.Kind == packages.TypeError {
			best = e
			break
		}
	}
	msg := firstLine(best.Msg)
	if best.Pos == "" || best.Pos == "-" {
		return fmt.Errorf("%s: %s", p.PkgPath, msg)
	}
	return fmt.Errorf("%s: %s", best.Pos, msg)
}

// NothingToEmbed says whether all that is wrong is that files are missing which a
// package embeds, as those that a build of its front end makes. The code can be looked
// at nevertheless, and the go command says what it cannot build for want of them.
func NothingToEmbed(e packages.Error) bool {
	return e.Kind == packages.ListError && strings.HasPrefix(e.Msg, "pattern ") && strings.HasSuffix(e.Msg, ": no matching files found")
}

// firstLine is the first line of a message of the go command that says
// something.
func firstLine(msg string) string {
	head := ""
	for line := range strings.Lines(msg) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "go: ")
		switch {
		case line == "" || strings.HasPrefix(line, "# "):
		case strings.HasSuffix(line, ":"): // introduces the next
			head += line + " "
		default:
			return head + line
		}
	}
	return strings.TrimSpace(head)
}

// settings are those of the go command in the user's module.
type settings struct {
	GOROOT, GOVERSION, GOOS, GOARCH, GOFLAGS, GOEXPERIMENT, CGO_ENABLED, GOMODCACHE string
}

func goSettings(ctx context.Context, dir string, env []string) (s settings, err error) {
	out, err := goCommand(ctx, dir, env, "env", "-json", "GOROOT", "GOVERSION", "GOOS", "GOARCH", "GOFLAGS", "GOEXPERIMENT", "CGO_ENABLED", "GOMODCACHE")
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(out, &s); err != nil {
		return s, fmt.Errorf("reading the output of go env: %w", err)
	}
	return s, nil
}

// trimpath says whether the last -trimpath among the flags is on; those of the
// command line come after GOFLAGS.
func trimpath(goflags string, flags []string) bool {
	on := false
	for _, f := range append(strings.Fields(goflags), flags...) {
		name, value, hasValue := strings.Cut(strings.Trim(f, `"'`), "=")
		if name != "-trimpath" && name != "--trimpath" {
			continue
		}
		if b, err := strconv.ParseBool(value); err == nil {
			on = b
		} else {
			on = !hasValue
		}
	}
	return on
}

func goEnv(ctx context.Context, dir string, env []string, name string) (string, error) {
	out, err := goCommand(ctx, dir, env, "env", name)
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(out)), nil
}

// goCommand runs the go command and returns its standard output; an error
// holds the first line the command complained with.
func goCommand(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	return commandOutput(ctx, "go", dir, env, args...)
}

// commandOutput does so with the go command of the given name.
func commandOutput(ctx context.Context, name, dir string, env []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = env
	if env == nil {
		cmd.Env = os.Environ()
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		first := firstLine(stderr.String())
		if first == "" {
			return nil, fmt.Errorf("go %s: %w", args[0], err)
		}
		return nil, fmt.Errorf("go %s: %s", args[0], first)
	}
	return out, nil
}
