package atomicity

import (
	"strings"
	"testing"
)

// valid is the smallest file with one of everything; the cases below spoil it.
const valid = `version: 1
packages:
  - package: example.com/pool
    variables:
      - variable: Pool.free
        type: "[]*Conn"
        sections:
          - id: get
            pattern: test-and-use
            function: (*Pool).Get
            entry: {access: read, code: "n := len(p.free)", ordinal: 1, line: 31}
            ends:
              - {access: write, code: "p.free = p.free[:n-1]", ordinal: 4, line: 38, allow: [read]}
            origin: testuse
            status: candidate
`

const section = "packages[0].variables[0].sections[0]"

// spoilt are files that do not load.
var spoilt = []struct {
	name     string
	old, new string // replaced in valid; old "" replaces all of it
	want     string
}{
	{"empty", "", " \n", `f.yaml:1:1: is empty; an empty spec is written "version: 1" and "packages: []"`},
	{"comments only", "", "# nothing\n", `f.yaml:1:1: holds only comments; an empty spec is written "version: 1" and "packages: []"`},
	{"list at the top", "", "- version: 1\n", `f.yaml:1:1: must have fields (version, packages), not be a list; write name: value`},
	{"newer", "version: 1", "version: 2", `f.yaml:1:10: version: written by a newer atomrace (format version 2, this one reads 1); update atomrace`},
	{"older", "version: 1", "version: 0", `f.yaml:1:10: version: version must be a whole number from 1 to 999999999, not "0"; write version: 1`},
	{"no version", "version: 1\n", "", `f.yaml:1:1: the field "version" is missing; add version: 1`},
	{"no packages", "", "version: 1\n", `f.yaml:1:1: the field "packages" is missing; add packages: []`},
	{"null packages", "", "version: 1\npackages:\n", `f.yaml:2:10: packages: packages has no value; write packages: []`},
	{"two documents", "", "version: 1\npackages: []\n---\nversion: 1\n", `f.yaml:3:1: a second YAML document starts here; keep everything in one`},
	{"misspelt field", "pattern:", "patern:", `f.yaml:9:13: ` + section + `.patern: unknown field "patern"; did you mean "pattern"?`},
	{"unknown field", "status:", "colour: red\n            status:", `f.yaml:15:13: ` + section + `.colour: unknown field "colour"; the fields here are id, pattern, function, with, entry, ends, origin, status, reason, heal, assurance, doubt, stale, evidence, note`},
	{"field twice", "origin: testuse", "origin: testuse\n            origin: user", `f.yaml:15:13: ` + section + `.origin: the field "origin" is given twice, first in line 14; remove one`},
	{"id twice", "            status: candidate\n", `            status: candidate
          - {id: get, pattern: user, function: F, entry: {access: read, code: x}, ends: [{access: read, code: y, allow: []}], origin: user, status: candidate}
`, `f.yaml:16:18: packages[0].variables[0].sections[1].id: the id "get" is given twice, first in line 8; give this section an id of its own`},
	{"package twice", "            status: candidate\n", "            status: candidate\n  - package: example.com/pool\n    variables: []\n",
		`f.yaml:16:14: packages[1].package: the package "example.com/pool" is given twice, first in line 3; put everything under one`},
	{"variable twice", "            status: candidate\n", "            status: candidate\n      - {variable: Pool.free, sections: []}\n",
		`f.yaml:16:20: packages[0].variables[1].variable: the variable "Pool.free" is given twice, first in line 5; put everything under one`},
	{"unknown mode", "access: read,", "access: raed,", `f.yaml:11:29: ` + section + `.entry.access: access must be read or write, not "raed"; did you mean "read"?`},
	{"both modes", "access: read,", "access: [read, write],", `f.yaml:11:29: ` + section + `.entry.access: access must be read or write, not a list; write access: read`},
	{"unknown status", "candidate", "pending", `f.yaml:15:21: ` + section + `.status: status must be candidate, confirmed or rejected, not "pending"; write status: candidate`},
	{"capital letter", "candidate", "Confirmed", `f.yaml:15:21: ` + section + `.status: status must be candidate, confirmed or rejected, not "Confirmed"; did you mean "confirmed"?`},
	{"rejected without a reason", "candidate", "rejected", `f.yaml:15:21: ` + section + `: the section is rejected without a reason; add reason: "only one goroutine at start-up"`},
	{"unknown healing", "candidate", "candidate\n            heal: sleep", `f.yaml:16:19: ` + section + `.heal: heal must be off, auto, yield or lock, not "sleep"; write heal: lock`},
	{"healing by priority", "candidate", "candidate\n            heal: priority", `f.yaml:16:19: ` + section + `.heal: heal must be off, auto, yield or lock, not "priority"; goroutines have no priorities, yield is nearest; write heal: yield`},
	{"healing of ATOMRACE only", "candidate", "candidate\n            heal: false", `f.yaml:16:19: ` + section + `.heal: heal must be off, auto, yield or lock, not "false"; write heal: lock`},
	{"an empty set", "entry:", "with: []\n            entry:", `f.yaml:11:19: ` + section + `.with: with is empty; write with: [Account.version], or remove the field`},
	{"a set that is text", "entry:", "with: Pool.size\n            entry:", `f.yaml:11:19: ` + section + `.with: with must be a list, not text; write with: [Account.version]`},
	{"a variable twice", "entry:", "with: [Pool.size, Pool.size]\n            entry:", `f.yaml:11:31: ` + section + `.with[1]: Pool.size is given twice; remove one`},
	{"a number in a set", "entry:", "with: [Pool.size, 4]\n            entry:", `f.yaml:11:31: ` + section + `.with[1]: an element of with must be text, but YAML takes 4 for a number; put it in quotes`},
	{"the variable with itself", "entry:", "with: [Pool.free]\n            entry:", `f.yaml:11:20: ` + section + `.with[0]: Pool.free is the variable that the section stands under; with names the others: remove it`},
	{"fields of two types", "entry:", "with: [Pond.size]\n            entry:", `f.yaml:11:20: ` + section + `.with[0]: Pool.free and Pond.size are fields of two types, which have no place in common; write a section for each`},
	{"a field with a variable", "entry:", "with: [size]\n            entry:", `f.yaml:11:20: ` + section + `.with[0]: Pool.free and size are a field and a package-level variable, which have no place in common; write a section for each`},
	{"contents in a set", "entry:", "with: ['Pool.all[]']\n            entry:", `f.yaml:11:20: ` + section + `.with[0]: Pool.all[] are the contents of a variable, and a set holds fields and package-level variables; write a section for each`},
	{"an end on something else", "- {access: write,", "- {variable: Pool.maximum, access: write,", `f.yaml:13:28: ` + section + `.ends[0].variable: the section is not about Pool.maximum; name it in with, as in with: [Pool.maximum]`},
	{"an end on another field", "- {access: write,", "- {variable: Pool.tree, access: write,", `f.yaml:13:28: ` + section + `.ends[0].variable: the section is not about Pool.tree; did you mean "Pool.free"?`},
	{"an end on a third field", "entry: {access: read, code: \"n := len(p.free)\", ordinal: 1, line: 31}\n            ends:\n              - {", "with: [Pool.size]\n            entry: {access: read, code: \"n := len(p.free)\", ordinal: 1, line: 31}\n            ends:\n              - {variable: Pool.port, ", `f.yaml:14:28: ` + section + `.ends[0].variable: the section is not about Pool.port; name it in with, as in with: [Pool.size, Pool.port]`},
	{"an end on a misspelt variable", "entry: {access: read, code: \"n := len(p.free)\", ordinal: 1, line: 31}\n            ends:\n              - {", "with: [Pool.waiting]\n            entry: {access: read, code: \"n := len(p.free)\", ordinal: 1, line: 31}\n            ends:\n              - {variable: Pool.wating, ", `f.yaml:14:28: ` + section + `.ends[0].variable: the section is not about Pool.wating; did you mean "Pool.waiting"?`},
	{"also without a set", "allow: [read]", "allow: [read], also: [write Pool.size]", `f.yaml:13:107: ` + section + `.ends[0].also: also is for one variable of several, and the section has no with; put read or write into allow`},
	{"also what", "allow: [read]", "allow: [read], also: [Pool.size]", `f.yaml:13:108: ` + section + `.ends[0].also[0]: an element of also must be ` + "`read VARIABLE` or `write VARIABLE`" + `, not "Pool.size"; write read Account.version`},
	{"a variable in allow", "allow: [read]", "allow: [read Pool.size]", `f.yaml:13:94: ` + section + `.ends[0].allow[0]: what is allowed of one variable alone goes into also; write also: [read Pool.size]`},
	{"also something else", "entry: {access: read, code: \"n := len(p.free)\", ordinal: 1, line: 31}\n            ends:\n              - {", "with: [Pool.waiting]\n            entry: {access: read, code: \"n := len(p.free)\", ordinal: 1, line: 31}\n            ends:\n              - {also: [read Pool.wating], ", `f.yaml:14:25: ` + section + `.ends[0].also[0]: the section is not about Pool.wating; did you mean "Pool.waiting"?`},
	{"unknown assurance", "candidate", "candidate\n            assurance: maybe", `f.yaml:16:24: ` + section + `.assurance: assurance must be ` + "`lock` or `yield, because …`" + `, not "maybe"; write assurance: "yield, because it receives from a channel", or remove the field`},
	{"assurance without a reason", "candidate", "candidate\n            assurance: 'yield, because '", `f.yaml:16:24: ` + section + `.assurance: assurance must be ` + "`lock` or `yield, because …`" + `, not "yield, because "; write assurance: "yield, because it receives from a channel", or remove the field`},
	{"text that is a number", "function: (*Pool).Get", "function: 42", `f.yaml:10:23: ` + section + `.function: function must be text, but YAML takes 42 for a number; put it in quotes`},
	{"text that is a list", `type: "[]*Conn"`, "type: []", `f.yaml:6:15: packages[0].variables[0].type: type must be text, not a list; write type: "[]*Conn"`},
	{"no value", `type: "[]*Conn"`, "type:", `f.yaml:6:14: packages[0].variables[0].type: type has no value; write type: "[]*Conn", or remove the field`},
	{"blank", "candidate", "candidate\n            reason: ' '", `f.yaml:16:21: ` + section + `.reason: reason is blank; write reason: "only one goroutine at start-up", or remove the field`},
	{"two lines", "function: (*Pool).Get", `function: "a\nb"`, `f.yaml:10:23: ` + section + `.function: function must be on one line; write function: (*Pool).Get`},
	{"ordinal 0", "ordinal: 4", "ordinal: 0", `f.yaml:13:73: ` + section + `.ends[0].ordinal: ordinal must be a whole number from 1 to 999999999, not "0"; write ordinal: 1`},
	{"ordinal in quotes", "ordinal: 4", `ordinal: "04"`, `f.yaml:13:73: ` + section + `.ends[0].ordinal: ordinal must be a whole number from 1 to 999999999, not "04"; write ordinal: 4, without quotes or zeros in front`},
	{"line in hexadecimal", "line: 31", "line: 0x1F", `f.yaml:11:79: ` + section + `.entry.line: line must be a whole number from 1 to 999999999, not "0x1F"; write line: 31`},
	{"no way to find the access", `code: "n := len(p.free)", ordinal: 1, `, "", `f.yaml:11:20: ` + section + `.entry: neither code nor ordinal says which access is meant; add code: "n := len(p.free)"`},
	{"no ends", "\n              - {access: write, code: \"p.free = p.free[:n-1]\", ordinal: 4, line: 38, allow: [read]}", " []",
		`f.yaml:12:19: ` + section + `.ends: ends is empty; a section needs an access that ends it: [{access: write, code: "p.free = p.free[:n-1]", ordinal: 4, allow: [read]}]`},
	{"allow is no list", "[read]", "read", `f.yaml:13:93: ` + section + `.ends[0].allow: allow must be a list, not text; write allow: [read]`},
	{"allow twice", "[read]", "[read, read]", `f.yaml:13:100: ` + section + `.ends[0].allow[1]: read is given twice; remove one`},
	{"allow what", "[read]", "[load]", `f.yaml:13:94: ` + section + `.ends[0].allow[0]: an allowed access must be read or write, not "load"; did you mean "read"?`},
	{"no allow", ", allow: [read]", "", `f.yaml:13:17: ` + section + `.ends[0]: the field "allow" is missing; add allow: [read]`},
	{"shared object", "ends:\n              - {", "ends:\n              - &end {", `f.yaml:13:17: ` + section + `.ends[0]: the anchor &end names a list or object, which atomicity.yaml may not share; remove it`},
	{"wrong alias", "origin: testuse", "origin: testuse\n            note: &n x\n            heal: *n", `f.yaml:16:19: ` + section + `.heal: heal must be off, auto, yield or lock, not "x"; write heal: lock`},
	{"unknown anchor", "candidate", "*state", `f.yaml:15:21: the alias *state has no anchor &state above it; write the value out`},
	{"tag", "candidate", "!!str candidate", `f.yaml:15:21: ` + section + `.status: tags such as !!str are not supported; remove it`},
	{"merge key", "origin: testuse", "<<: {origin: testuse}", `f.yaml:8:13: ` + section + `: the field "origin" is missing; add origin: testuse
f.yaml:14:13: ` + section + `: merge keys (<<) are not supported; write the fields out`},
	{"question mark", "version: 1", "? version\n: 1", `f.yaml:1:3: the field "version" is written with an anchor, a tag or a question mark; write version: value`},
	{"another YAML", "version: 1", "%YAML 1.2\n---\nversion: 1", `f.yaml:1:1: not valid YAML: found incompatible YAML document; remove the line that begins with %YAML`},
	{"tab", "            status", "\t    status", `f.yaml:15:1: not valid YAML: a tab in the indentation; use spaces`},
	{"colon in text", "candidate", "candidate\n            note: see this: that", `f.yaml:16:13: not valid YAML: mapping values are not allowed in this context; put text that contains ": " in quotes, and check the indentation`},
	{"open bracket", "[read]}", "[read}", `f.yaml:13:15: not valid YAML: did not find expected ',' or ']'; check the brackets, and put text with special characters in quotes`},
	{"open quotes", `"[]*Conn"`, `"[]*Conn`, `f.yaml:11:13: not valid YAML: mapping values are not allowed in this context; put text that contains ": " in quotes, and check the indentation`},
	{"not UTF-8", "get", "g\xe9t", `f.yaml:8:18: the text is not UTF-8 here; save the file as UTF-8`},
	{"UTF-16", "", "\xff\xfev\x00", `f.yaml:1:1: the text is not UTF-8 here; save the file as UTF-8`},
	{"control character", "get", "g\x07t", `f.yaml:8:18: the character U+0007 is not allowed; remove it, or write it as an escape in double quotes`},
	{"other line break", "get", "g\u2028t", `f.yaml:8:18: the character U+2028 is not allowed; remove it, or write it as an escape in double quotes`},
}

// spoil returns the file of one case of spoilt.
func spoil(t *testing.T, old, new string) string {
	text := new
	if old != "" {
		if text = strings.Replace(valid, old, new, 1); text == valid {
			t.Fatalf("%q is not in the valid file", old)
		}
	}
	return text
}

func TestErrors(t *testing.T) {
	for _, tt := range spoilt {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("f.yaml", []byte(spoil(t, tt.old, tt.new)))
			if err == nil || err.Error() != tt.want {
				t.Errorf("got:\n%v\nwant:\n%s", err, tt.want)
			}
		})
	}
}
