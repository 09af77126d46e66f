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

	"golang.org/x/tools/go/packages"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/pattern"
	"github.com/atomrace/atomrace/rewrite"
)

// discard swallows what package flag would print: the error it returns is
// printed once, by Main.
type discard struct{}

func (*discard) Write(p []byte) (int, error) { return len(p), nil }

// load loads the packages, without their tests, and fails with one line for the
// first error in them.
func load(ctx context.Context, g *goArgs, mode packages.LoadMode) ([]*packages.Package, error) {
	return loadWith(ctx, g, mode, false)
}

// loadWith is load that can also load the packages with their tests.
func loadWith(ctx context.Context, g *goArgs, mode packages.LoadMode, tests bool) ([]*packages.Package, error) {
	pkgs, err := g.loadAll(ctx, mode, tests)
	if err != nil {
		return nil, err
	}
	var failed, built []packages.Error
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			// What the compiler said while it made export data is
			// said again, with its place, by the type checker.
			switch {
			case strings.HasPrefix(e.Msg, "# "):
				built = append(built, e)
			case !rewrite.NothingToEmbed(e):
				failed = append(failed, e)
			}
		}
	})
	if len(failed) > 0 && len(built) > 0 && strings.HasPrefix(failed[0].Msg, "could not import C ") {
		// Not so what the C compiler says, and cgo about it.
		lines := strings.Split(strings.TrimSpace(built[0].Msg), "\n")
		return nil, fmt.Errorf("%s: %s", strings.TrimPrefix(lines[0], "# "), lines[min(1, len(lines)-1)])
	}
	switch len(failed) {
	case 0:
		return pkgs, nil
	case 1:
		return nil, g.because(failed[0])
	}
	return nil, g.because(fmt.Errorf("%w (and %d more; see 'go build')", firstLine(failed[0]), len(failed)-1))
}

// loadSound is load that leaves out the packages that fail, with those that import them.
func loadSound(ctx context.Context, g *goArgs, mode packages.LoadMode) (sound []*packages.Package, all bool, err error) {
	pkgs, err := g.loadAll(ctx, mode, false)
	if err != nil {
		return nil, false, err
	}
	for _, p := range pkgs {
		broken := p.Types == nil
		packages.Visit([]*packages.Package{p}, nil, func(p *packages.Package) {
			broken = broken || slices.ContainsFunc(p.Errors, func(e packages.Error) bool { return !rewrite.NothingToEmbed(e) })
		})
		if !broken {
			sound = append(sound, p)
		}
	}
	return sound, len(sound) == len(pkgs), nil
}

// loadAll loads the packages, with the errors that are in them.
func (g *goArgs) loadAll(ctx context.Context, mode packages.LoadMode, tests bool) ([]*packages.Package, error) {
	pkgs, err := packages.Load(&packages.Config{
		Context: ctx, Mode: mode | packages.NeedModule, Dir: g.Dir, Env: g.env, BuildFlags: g.load(), Tests: tests,
	}, g.Packages...)
	if err != nil {
		return nil, cmp.Or(g.noSuchArch(ctx, err), firstLine(err))
	}
	if len(pkgs) == 0 {
		if _, err := moduleRoot(g.Dir); err != nil {
			return nil, err
		}
		if err := g.refused(ctx); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("no packages match %s", strings.Join(g.Packages, " "))
	}
	return pkgs, nil
}

// refused is why the go command builds nothing at all, which go list does not say: for no
// such system as GOOS and GOARCH name, for example. nil is no reason.
func (g *goArgs) refused(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "go", slices.Concat([]string{"build", "-n"}, g.load(), []string{"--"}, g.Packages)...)
	cmd.Dir, cmd.Env = g.Dir, g.env
	if _, err := cmd.Output(); err != nil {
		return goListError(err)
	}
	return nil
}

// noSuchArch is what the go command says of a GOARCH that there is not, if err is what package
// packages makes of it; else it is nil.
func (g *goArgs) noSuchArch(ctx context.Context, err error) error {
	if strings.Contains(err.Error(), "can't determine type sizes for compiler") {
		return g.refused(ctx)
	}
	return nil
}

// progress is what the go command says while it works.
var progress = pattern.New(`^go: (finding|downloading|found|extracting) `)

// firstLine is the first line of err that says what is wrong.
func firstLine(err error) error {
	text := strings.TrimPrefix(strings.TrimSpace(err.Error()), "-: ")
	if e, ok := err.(packages.Error); ok {
		e.Pos = shortPosition(e.Pos)
		text = strings.TrimPrefix(e.Error(), "-: ")
	}
	if _, said, ok := strings.Cut(text, ": stderr: "); ok { // of a go list that failed
		text = said
	}
	lines := strings.Split(text, "\n")
	for len(lines) > 1 && progress.MatchString(lines[0]) {
		lines = lines[1:]
	}
	line := lines[0]
	if len(lines) > 1 && strings.HasSuffix(line, ":") && strings.HasPrefix(lines[1], "\t") {
		line += " " + strings.TrimSpace(lines[1]) // the command that mends it
	}
	if strings.Contains(line, " does not contain modules listed in go.work") {
		line += "; name directories of them, as ./NAME/..., or 'work' for all of them"
	}
	if filepath.IsAbs(line) {
		line = shortPosition(line)
	}
	return fmt.Errorf("%s", line)
}

func shortPosition(pos string) string {
	file, rest, ok := strings.Cut(pos, ":")
	if !ok {
		return pos
	}
	return relative(file) + ":" + rest
}

// moduleRoot is the directory of the go.mod that governs dir or, where there is none,
// of the go.work.
func moduleRoot(dir string) (string, error) {
	cmd := exec.Command("go", "env", "GOMOD", "GOWORK")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go env GOMOD: %w", err)
	}
	mod, work, _ := strings.Cut(strings.TrimRight(string(out), "\n"), "\n")
	if mod == "" || mod == os.DevNull {
		mod = work
	}
	if mod == "" || mod == "off" {
		return "", fmt.Errorf("no go.mod here or in a directory above; run 'go mod init' first")
	}
	return filepath.Dir(mod), nil
}

// loadSpec reads a spec with the file's name as the user would type it.
func loadSpec(file string) (*atomicity.Spec, error) { return atomicity.Load(shorter(file)) }

// shorter is the path from the working directory, where that is shorter.
func shorter(path string) string {
	wd, err := os.Getwd()
	if err != nil || !filepath.IsAbs(path) {
		return path
	}
	if rel, err := filepath.Rel(wd, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}

// relative shortens a path below the working directory.
func relative(path string) string {
	wd, err := os.Getwd()
	if err != nil || !filepath.IsAbs(path) {
		return path
	}
	rel, err := filepath.Rel(wd, path)
	if err != nil || strings.HasPrefix(rel, "..") {
		return path
	}
	return rel
}
