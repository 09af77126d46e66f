package cli

import (
	"errors"
	"flag"
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers"
)

// checkOptions is the command line of check.
type checkOptions struct {
	JSON, SARIF, Tests bool
	Doubtful           bool
	Confident          bool
	Context            int    // lines to show around a finding, -1 for none
	Explain            string // the id of a check
	Tags               string // build tags
	Fix, Diff          bool   // apply fixes; only show them
	Analyzers          []*analysis.Analyzer
	Packages           []string
}

// parseCheck reads the flags as x/tools drivers do: -NAME picks analyzers, and
// -NAME=false leaves some out.
func parseCheck(args []string) (*checkOptions, error) {
	o := &checkOptions{}
	flags := flag.NewFlagSet("check", flag.ContinueOnError)
	flags.SetOutput(new(discard))
	flags.BoolVar(&o.JSON, "json", false, "")
	flags.BoolVar(&o.SARIF, "sarif", false, "")
	flags.BoolVar(&o.Tests, "test", true, "")
	flags.BoolVar(&o.Doubtful, "doubtful", false, "")
	flags.BoolVar(&o.Confident, "confident", false, "")
	flags.IntVar(&o.Context, "c", -1, "")
	flags.StringVar(&o.Explain, "explain", "", "")
	flags.StringVar(&o.Tags, "tags", "", "")
	fix := flags.Bool("fix", false, "")
	diff := flags.Bool("diff", false, "")
	picked := map[string]*bool{}
	for _, a := range analyzers.All() {
		picked[a.Name] = flags.Bool(a.Name, false, "")
	}
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	o.Fix, o.Diff = *fix || *diff, *diff
	if o.SARIF && (o.JSON || o.Fix) || o.JSON && o.Fix {
		return nil, errors.New("only one of -json, -sarif and -fix or -diff can be given")
	}
	if o.Doubtful && o.Confident {
		return nil, errors.New("only one of -confident and -doubtful can be given")
	}
	o.Packages = flags.Args()
	if len(o.Packages) == 0 {
		o.Packages = []string{"."}
	}
	given := map[string]bool{}
	anyPicked := false
	flags.Visit(func(f *flag.Flag) {
		given[f.Name] = true
		if p := picked[f.Name]; p != nil && *p {
			anyPicked = true
		}
	})
	o.Analyzers = slices.DeleteFunc(analyzers.All(), func(a *analysis.Analyzer) bool {
		return given[a.Name] && !*picked[a.Name] || anyPicked && !*picked[a.Name]
	})
	return o, nil
}

// fixArgs is the command line for multichecker.
func (o *checkOptions) fixArgs() []string {
	args := []string{"-fix", fmt.Sprintf("-diff=%t", o.Diff), fmt.Sprintf("-test=%t", o.Tests)}
	for _, a := range o.Analyzers {
		args = append(args, "-"+a.Name)
		if name := o.analyzerFlag(); a.Flags.Lookup(name) != nil {
			args = append(args, "-"+a.Name+"."+name)
		}
	}
	return append(args, o.Packages...)
}

// analyzerFlag is the name of the flag that those analyzers get which have it, or "".
func (o *checkOptions) analyzerFlag() string {
	switch {
	case o.Doubtful:
		return "doubtful"
	case o.Confident:
		return "confident"
	}
	return ""
}
