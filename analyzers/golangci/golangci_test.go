package golangci_test

import (
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"

	"github.com/atomrace/atomrace/analyzers"
	_ "github.com/atomrace/atomrace/analyzers/golangci"
)

// TestPlugin goes the way of golangci-lint: from the name of the linter and its
// settings to the analyzers.
func TestPlugin(t *testing.T) {
	make, err := register.GetPlugin("atomrace")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		settings any
		want     int
		err      string
	}{
		{nil, len(analyzers.All()), ""},
		{map[string]any{"analyzers": []string{"testuse"}}, 1, ""},
		{map[string]any{"analyzers": []string{"nosuch"}}, 0, `there is no analyzer "nosuch", only loadstore, `},
		{map[string]any{"analyser": "testuse"}, 0, `unknown field "analyser"`},
	} {
		p, err := make(tt.settings)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%v: error %v, want %s", tt.settings, err, tt.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", tt.settings, err)
			continue
		}
		if list, err := p.BuildAnalyzers(); err != nil || len(list) != tt.want {
			t.Errorf("%v: %d analyzers and error %v, want %d", tt.settings, len(list), err, tt.want)
		}
		if p.GetLoadMode() != register.LoadModeTypesInfo {
			t.Errorf("load mode %s does not give types", p.GetLoadMode())
		}
	}
}
