package cli

import (
	"bytes"
	"context"
	"os"
	"os/exec"

	"github.com/atomrace/atomrace/analyzers"
)

// vetFindings has go vet run the analyzers, which keeps in its cache what they know
// about the packages that are imported, and what they find: a second look takes a
// tenth of the time, and packages are never all in memory at once. It is not ok
// where go vet cannot look at everything, as at packages that do not compile, and
// those that import them, or where it cannot do what is asked for: sourceFindings
// does it then.
func vetFindings(ctx context.Context, o *checkOptions) (found findings, ok bool) {
	if !o.Tests {
		return nil, false
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, false
	}
	args := []string{"vet", "-json", "-vettool=" + exe}
	some := len(o.Analyzers) < len(analyzers.All())
	for _, a := range o.Analyzers {
		if some {
			args = append(args, "-"+a.Name)
		}
		if name := o.analyzerFlag(); a.Flags.Lookup(name) != nil {
			args = append(args, "-"+a.Name+"."+name)
		}
	}
	if some && len(o.Analyzers) == 0 {
		return nil, false // no flag of go vet means that
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", append(args, o.Packages...)...)
	cmd.Stdout = &out
	if cmd.Run() != nil {
		return nil, false
	}
	found, err = readFindings(&out)
	return found, err == nil
}
