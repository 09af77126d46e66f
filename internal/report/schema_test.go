package report

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/atomrace/atomrace/heal"
)

// docs/reports.md has a row for each member, under the heading of its type, and
// no other.
func TestSchemaIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/reports.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|")
	for heading, of := range map[string]reflect.Type{
		"### atomrace.violation/1": reflect.TypeFor[Violation](), "Each of `accesses`:": reflect.TypeFor[Access](),
		"Each of `stack`, and `created`:": reflect.TypeFor[Place](), "Each of `processes`:": reflect.TypeFor[Process](),
	} {
		_, rest, found := strings.Cut(string(text), heading)
		_, table, _ := strings.Cut(rest, "|---|")
		table, _, _ = strings.Cut(table, "\n\n")
		var documented, declared []string
		for _, m := range row.FindAllStringSubmatch(table, -1) {
			documented = append(documented, m[1])
		}
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			declared = append(declared, name)
		}
		slices.Sort(documented)
		slices.Sort(declared)
		if !found || !slices.Equal(documented, declared) {
			t.Errorf("%s documents\n%v, the type has\n%v", heading, documented, declared)
		}
	}
}

// What the runtime writes is what is read here: no member more.
func TestSchemaOfTheRuntime(t *testing.T) {
	v := &heal.Variable{Package: "example.com/pool", Name: "Pool.free", Type: "[]*Conn"}
	access := heal.Access{Location: &heal.Location{Var: v, Mode: heal.Write, Function: &heal.Function{File: "pool.go", Func: "f", Text: "x"}, CodeEnd: 1, Line: 3, Column: 2, Ordinal: 1},
		Mode: heal.ReadWrite, Goroutine: 7, Times: 2}
	x := heal.Violation{Kind: heal.AtomicityViolation, Variable: v, Instance: 1, Key: "k", Section: &heal.Section{ID: "S", Pattern: "user", Var: v, Doubt: "it is done twice"},
		Allow: heal.ReadWrite, Entry: access, End: access, Foreign: []heal.Access{access}, More: true, Healing: "off", ID: "i", Count: 2, Time: time.Now()}
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var got Violation
	if err := d.Decode(&got); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if fault := got.fault(); fault != "" || got.IsRace() || len(got.Accesses) != 3 || got.Doubt != "it is done twice" || got.Accesses[1].Mode != "read-write" || got.Accesses[1].Column != 2 {
		t.Errorf("%s: %s", fault, text)
	}
	got.Schema = "atomrace.violation/1"
	l := read(lineOf(t, got))
	var spec strings.Builder
	if err := l.WriteSpec(&spec); err != nil || len(l.Problems) > 0 || !strings.Contains(spec.String(), "id: S") {
		t.Errorf("%v, %v:\n%s", err, l.Problems, &spec)
	}

	race := broken("r", 1, 1)
	race.Suggestion = heal.Violation{Kind: heal.DataRace, Variable: v, End: access, Foreign: []heal.Access{access}}.Suggestion()
	spec.Reset()
	l = read(lineOf(t, race))
	if err := l.WriteSpec(&spec); err != nil || len(l.Problems) > 0 || !strings.HasSuffix(spec.String(), "variable: Pool.free\n        type: \"[]*Conn\"\n        sections: []\n") {
		t.Errorf("%v, %v:\n%s", err, l.Problems, &spec)
	}
}
