package atomicity

import (
	"strings"
	"testing"
)

// What people write in their own layout, and what becomes of it.
func TestFormat(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"order of fields, indentation, JSON, blank lines", `packages:
 - "variables":
   - type: '[]int' # of ids
     sections:


      # This one matters.
      - {"id": "a", "function": F, pattern: user, "status": candidate,   # so far
         "ends": [{"access": write, "ordinal": 2, allow: [ read,write ]}], entry: {access: read, code: 'x, y = 1, 2'}, origin: user }
      # Below.
     variable: v   # the queue
   package: p
version: 1
# The end.
`, `version: 1
packages:
  - package: p
    variables:
      # Below.
      - variable: v   # the queue
        type: '[]int' # of ids
        sections:

          # This one matters.
          - id: "a"
            pattern: user
            function: F
            entry: {access: read, code: 'x, y = 1, 2'}
            ends:
              - {access: write, ordinal: 2, allow: [read, write]}
            origin: user
            status: candidate   # so far
# The end.
`},
		{"an anchor, texts of several lines", strings.Replace(`version: 1
packages:
- package: p
  variables:
  - variable: v
    sections:
    - id: a
      note: |
          One
            two.

          Three.
      reason: &why "because
        of it"
      pattern: user
      function: F
      entry:
        access: read # the first
        code: f(x, y)
        ordinal: 1 # the second
      ends:
      - access: write
        code: x = y
        allow: []
      origin: user
      status: rejected
    - {id: b, reason: *why, pattern: user, function: F, entry: {access: read, ordinal: 1}, ends: [{access: read, ordinal: 1, allow: []}], origin: user, status: rejected}
`, "\n", "\r\n", -1), strings.Replace(`version: 1
packages:
  - package: p
    variables:
      - variable: v
        sections:
          - id: a
            pattern: user
            function: F
            # the first
            entry: {access: read, code: "f(x, y)", ordinal: 1} # the second
            ends:
              - {access: write, code: "x = y", allow: []}
            origin: user
            status: rejected
            reason: &why "because of it"
            note: |
              One
                two.

              Three.
          - id: b
            pattern: user
            function: F
            entry: {access: read, ordinal: 1}
            ends:
              - {access: read, ordinal: 1, allow: []}
            origin: user
            status: rejected
            reason: *why
`, "\n", "\r\n", -1)},
		{"an empty one", "packages: [] # none yet\nversion: 1", "version: 1\npackages: [] # none yet\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			spec, err := Parse("atomicity.yaml", []byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			got, err := spec.Format()
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("difference:\n%s\ngot:\n%s", difference(tt.want, string(got)), got)
			}
		})
	}
}

// FuzzFormat wants any file that loads to be formatted to one that says the
// same, with the same comments, and to which formatting does nothing more.
func FuzzFormat(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		spec, err := Parse("atomicity.yaml", text)
		if err != nil {
			return
		}
		once, err := spec.Format()
		if err != nil {
			if !strings.Contains(err.Error(), "; ") {
				t.Errorf("no advice: %v", err)
			}
			return
		}
		again, err := Parse("atomicity.yaml", once)
		if err != nil {
			t.Fatalf("%v\n%s", err, once)
		}
		if again.Digest() != spec.Digest() {
			t.Errorf("another meaning:\n%s", once)
		}
		twice, err := again.Format()
		if err != nil || string(twice) != string(once) {
			t.Errorf("a second time: %v\n%s", err, difference(string(once), string(twice)))
		}
	})
}
