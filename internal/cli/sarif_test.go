package cli_test

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v5"
)

// sarifSchema is the official schema; see testdata/README.md.
const sarifSchema = "testdata/sarif-schema-2.1.0.json"

// sarifValid checks that a file conforms to the schema of SARIF 2.1.0, and what
// the schema does not say: that results refer to rules that are there. Usage:
// sarif FILE.
func sarifValid(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: sarif FILE")
	}
	schema, err := jsonschema.Compile(sarifSchema)
	ts.Check(err)
	var file any
	text := ts.ReadFile(args[0])
	ts.Check(json.Unmarshal([]byte(text), &file))
	if err := schema.Validate(file); err != nil {
		ts.Fatalf("%s: %#v", args[0], err)
	}
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Locations []struct {
					PhysicalLocation struct{ ArtifactLocation struct{ URI string } }
				}
			}
		}
	}
	ts.Check(json.Unmarshal([]byte(text), &log))
	for _, run := range log.Runs {
		for _, r := range run.Results {
			if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
				ts.Fatalf("ruleIndex %d is not rule %s", r.RuleIndex, r.RuleID)
			}
			for _, l := range r.Locations {
				if uri := l.PhysicalLocation.ArtifactLocation.URI; path.IsAbs(uri) || strings.Contains(uri, ":") {
					ts.Fatalf("%s is not relative to the root of the module", uri)
				}
			}
		}
	}
}
