// Package golangci makes the analyzers a module plugin of golangci-lint.
//
// golangci-lint builds a binary of its own that links this package: list it in
// .custom-gcl.yml,
//
//	version: v2.15.0 # of golangci-lint; what this was tried with
//	plugins:
//	  - module: github.com/atomrace/atomrace
//	    import: github.com/atomrace/atomrace/analyzers/golangci
//	    version: main
//
// run "golangci-lint custom", and switch the linter on in .golangci.yml:
//
//	version: "2"
//	linters:
//	  enable: [atomrace]
//	  settings:
//	    custom:
//	      atomrace:
//	        type: module
//	        settings:
//	          analyzers: [loadstore, testuse] # all, when this is left out
//
// Importing the package registers the plugin; it exports nothing that a program
// would call but New. Comments //atomrace:ignore and atomicity.yaml count here
// as they do under go vet; golangci-lint's own cache does not see a change of
// the latter ("golangci-lint cache clean").
package golangci

import (
	"fmt"
	"slices"
	"strings"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers"
)

func init() { register.Plugin("atomrace", New) }

// Settings is what stands under settings in .golangci.yml.
type Settings struct {
	// Analyzers are the names of the analyzers to run; none means all.
	Analyzers []string `json:"analyzers"`
}

// New makes the plugin from the settings, which are what a YAML decoder made of
// them. Unknown fields and unknown analyzers are errors.
func New(settings any) (register.LinterPlugin, error) {
	s, err := register.DecodeSettings[Settings](settings)
	if err != nil {
		return nil, fmt.Errorf("atomrace: settings: %w", err)
	}
	all := analyzers.All()
	if len(s.Analyzers) == 0 {
		return plugin(all), nil
	}
	var picked plugin
	for _, name := range s.Analyzers {
		i := slices.IndexFunc(all, func(a *analysis.Analyzer) bool { return a.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("atomrace: settings: there is no analyzer %q, only %s", name, names(all))
		}
		picked = append(picked, all[i])
	}
	return picked, nil
}

func names(list []*analysis.Analyzer) string {
	var names []string
	for _, a := range list {
		names = append(names, a.Name)
	}
	return strings.Join(names, ", ")
}

// plugin is a list of analyzers as golangci-lint wants it.
type plugin []*analysis.Analyzer

// BuildAnalyzers returns the analyzers.
func (p plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) { return p, nil }

// GetLoadMode asks for types.
func (p plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
