package cli

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// sourceFixes has multichecker apply the fixes, or show them, in the packages that compile,
// and says of the others why they do not. Where all do it does not return, but exits with
// the status of multichecker.
func sourceFixes(ctx context.Context, env *environment, o *checkOptions) error {
	pkgs, err := loadForCheck(ctx, o)
	if err != nil {
		return err
	}
	broken := brokenPackages(pkgs)
	if len(broken) == 0 {
		os.Exit(vettool(o.fixArgs()))
	}
	for _, line := range broken {
		fmt.Fprintf(env.stderr, "atomrace check: %s\n", line)
	}
	compiles := map[string]bool{}
	for _, p := range pkgs {
		path := strings.TrimSuffix(p.PkgPath, "_test")
		good, seen := compiles[path]
		compiles[path] = (good || !seen) && len(brokenPackages([]*packages.Package{p})) == 0
	}
	maps.DeleteFunc(compiles, func(_ string, good bool) bool { return !good })
	if o.Packages = slices.Sorted(maps.Keys(compiles)); len(o.Packages) > 0 {
		exe, err := os.Executable()
		if err != nil {
			return err
		}
		cmd := exec.Command(exe, o.fixArgs()...) // it is not stopped while it writes
		cmd.Stdout, cmd.Stderr = env.stdout, env.stderr
		if err := exitStatus(cmd.Run()); err != nil {
			return err
		}
	}
	return exitError(1)
}
