package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers"
	"github.com/atomrace/atomrace/analyzers/callers"
	"github.com/atomrace/atomrace/analyzers/shared"
)

// vetFindings has go vet run the analyzers, which keeps in its cache what they know
// about the packages that are imported, and what they find: a second look takes a
// tenth of the time, and packages are never all in memory at once. It is not ok
// where go vet cannot look at everything, as at packages that do not compile, and
// those that import them, or where it cannot do what is asked for: sourceFindings
// does it then.
func vetFindings(ctx context.Context, o *checkOptions) (found findings, ok bool) {
	exe, err := os.Executable()
	if err != nil {
		return nil, false
	}
	flags, ok := o.toolFlags()
	if !ok {
		return nil, false
	}
	if len(flags) > 0 && len(o.Analyzers) < len(analyzers.All()) {
		flags = append(flags, "-"+callers.Analyzer.Name)
	}
	files, done, ok := o.withoutTests(ctx)
	defer done()
	if !ok {
		return nil, false
	}
	v := &vetRun{exe, flags, files, o.inModule()}
	found, calls, err := v.run(ctx, askCallers, o.Packages)
	if err == nil {
		err = found.knowing(ctx, v.files, calls, o.Doubtful, func(file string, packages []string) (findings, map[string]*shared.Calls, error) {
			return v.run(ctx, file, packages)
		})
	}
	return found, err == nil
}

// vetRun is what go vet is asked for, but for the packages.
type vetRun struct {
	exe          string
	flags, files []string // of the tool, and of the go command
	whole        bool     // see wholeModule
}

// run asks go vet about the packages; known is the value of callersKey. The calls are those
// of all packages that are looked at. It looks again where go vet has lost what was found.
func (v *vetRun) run(ctx context.Context, known string, packages []string) (found findings, calls map[string]*shared.Calls, err error) {
	var all []listed
	var listErr error
	done := make(chan struct{})
	go func() {
		defer close(done)
		all, listErr = listAsked(ctx, v.files, packages)
	}()
	found, err = v.look(ctx, 0, known, packages)
	if <-done; err != nil || listErr != nil {
		return nil, nil, errors.Join(err, listErr)
	}
	calls = found.takeCalls()
	for look := 1; look < looks && lost(all, calls); look++ {
		if found, err = v.look(ctx, look, known, packages); err != nil {
			return nil, nil, err
		}
		calls = found.takeCalls()
	}
	if v.whole {
		found = found.askedFor(all)
	}
	return found, calls, nil
}

// look asks go vet once.
func (v *vetRun) look(ctx context.Context, look int, known string, packages []string) (findings, error) {
	var out bytes.Buffer
	args := slices.Concat([]string{"vet", "-json", "-vettool=" + v.exe}, v.flags, packages)
	asked := strings.Join(append([]string{"go"}, args...), " ")
	if v.whole {
		asked = wholeModule
	}
	cmd := exec.CommandContext(ctx, "go", slices.Insert(args, 1, v.files...)...)
	cmd.Env = append(os.Environ(), askedKey+"="+asked, callersKey+"="+known)
	if look > 0 {
		cmd.Env = append(cmd.Env, lookKey+"="+lookName(look))
	}
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	return readFindings(&out)
}

// vetFixes has go fix apply the fixes, or show them, for the same reasons. Where it is
// not ok, go fix has said so, and nothing is printed: what it may have mended in packages
// that do compile needs no mending any more. It is not stopped while it writes.
func vetFixes(env *environment, o *checkOptions) (ok bool) {
	exe, err := os.Executable()
	if err != nil {
		return false
	}
	flags, ok := o.toolFlags()
	if !ok || !o.Tests {
		return false
	}
	if o.Diff {
		flags = append(flags, "-diff")
	}
	var out, said bytes.Buffer
	cmd := exec.Command("go", slices.Concat([]string{"fix", "-fixtool=" + exe}, flags, o.Packages)...)
	cmd.Env = append(os.Environ(), askedKey+"="+strings.Join(cmd.Args, " "))
	cmd.Stdout, cmd.Stderr = &out, &said
	switch err := cmd.Run(); {
	case err == nil:
	case o.Diff && cmd.ProcessState.ExitCode() == 1 && out.Len() > 0 && said.Len() == 0: // there are some
	default:
		return false
	}
	_, err = out.WriteTo(env.stdout)
	return err == nil
}

// toolFlags is what go vet and go fix are to hand on to the analyzers; it is not ok if
// they cannot do what is asked for.
func (o *checkOptions) toolFlags() (flags []string, ok bool) {
	some := len(o.Analyzers) < len(analyzers.All())
	if some && len(o.Analyzers) == 0 {
		return nil, false
	}
	for _, a := range o.Analyzers {
		if some {
			flags = append(flags, "-"+a.Name)
		}
		if name := o.analyzerFlag(); a.Flags.Lookup(name) != nil {
			flags = append(flags, "-"+a.Name+"."+name)
		}
	}
	return flags, true
}
