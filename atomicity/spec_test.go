package atomicity

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestAccessSet(t *testing.T) {
	for a, want := range map[AccessSet]string{0: "{} {read, write}", Read: "{read} {write}", Write: "{write} {read}", ReadWrite: "{read, write} {}"} {
		if got := fmt.Sprint(a, a.Complement()); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if !a.Has(0) || !a.Has(a) || a.Has(ReadWrite) != (a == ReadWrite) {
			t.Errorf("Has is wrong for %v", a)
		}
	}
}

func TestLookup(t *testing.T) {
	spec, _ := curated(t)
	var all, active []string
	for p := range spec.All() {
		all = append(all, p.Section.ID)
	}
	for p := range spec.Active() {
		active = append(active, p.Package.Path+" "+p.Variable.Name+" "+p.Section.ID)
	}
	if got, want := strings.Join(all, ", "), "(*Pool).Get/Pool.free#1, second, hits"; got != want {
		t.Errorf("all %s, want %s", got, want)
	}
	if got, want := strings.Join(active, ", "), "example.com/pool Pool.free (*Pool).Get/Pool.free#1"; got != want {
		t.Errorf("active %s, want %s", got, want)
	}
	if spec.Section("none") != nil || spec.Package("none").Variable("x") != nil {
		t.Error("found what is not there")
	}
}

// The digest changes with the meaning and with nothing else.
func TestDigest(t *testing.T) {
	parse := func(text string) *Spec {
		spec, err := Parse("atomicity.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return spec
	}
	base := parse(valid).Digest()
	for _, same := range [][2]string{
		{"line: 31", "line: 32"}, {"line: 38", "line: 39"}, {", line: 31", ""},
		{"origin: testuse", "origin: 'testuse' # comment"},
		{"            origin: testuse\n            status: candidate\n", "            status: candidate\n            origin: testuse\n"},
	} {
		if text := strings.Replace(valid, same[0], same[1], 1); text == valid || parse(text).Digest() != base {
			t.Errorf("the digest changed from %q to %q", same[0], same[1])
		}
	}
	seen := map[string]string{base: "nothing"}
	for _, other := range [][2]string{
		{"candidate", "confirmed"}, {"ordinal: 4", "ordinal: 5"}, {"[read]", "[]"}, {"n := len", "m := len"}, {"id: get", "id: got"},
		{"example.com/pool", "example.com/pond"}, {"Pool.free", "Pool.busy"}, {"candidate", "candidate\n            note: x"},
		{"candidate", "candidate\n            heal: lock"},
	} {
		d := parse(strings.Replace(valid, other[0], other[1], 1)).Digest()
		if before, ok := seen[d]; ok {
			t.Errorf("the same digest for %s and %q", before, other[1])
		}
		seen[d] = other[1]
	}
	// A variable without sections is still watched.
	if parse("version: 1\npackages: [{package: p, variables: [{variable: x, sections: []}]}]").Digest() == parse("version: 1\npackages: []").Digest() {
		t.Error("a variable without sections does not count")
	}
}

func TestFind(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"module/inner/leaf", "module/own/leaf", "plain", "repository/.git", "repository/module/leaf", "repository/docs"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{
		"atomicity.yaml", "module/go.mod", "module/atomicity.yaml", "module/own/atomicity.yaml", "module/inner/go.mod",
		"repository/atomicity.yaml", "repository/module/go.mod",
	} {
		write(t, filepath.Join(root, file), "", 0o644)
	}
	for dir, want := range map[string]string{
		"module":            "module/atomicity.yaml",
		"module/own/leaf":   "module/own/atomicity.yaml module/atomicity.yaml", // the nearest first
		"module/inner/leaf": "module/atomicity.yaml",                           // of the module around it
		"plain":             "",                                                // not below a root

		"repository/module/leaf": "repository/atomicity.yaml",
		"repository/docs":        "repository/atomicity.yaml",
	} {
		var wanted []string
		for _, file := range strings.Fields(want) {
			wanted = append(wanted, filepath.Join(root, file))
		}
		dir = filepath.Join(root, dir)
		if got := Files(dir); !slices.Equal(got, wanted) {
			t.Errorf("in %s are %q in force, want %q", dir, got, wanted)
		}
		if got, ok := Find(dir); ok != (want != "") || ok && got != wanted[0] {
			t.Errorf("in %s %q, %v is the nearest", dir, got, ok)
		}
	}
}

func TestLint(t *testing.T) {
	const at = "packages[0].variables[0].sections[0]: "
	tests := []struct{ name, old, new, want string }{
		{"nothing", "get", "get", ""},
		{"benign", "allow: [read]", "allow: [read, write]", "f.yaml:8:13: " + at + "section get allows read and write at every end, so nothing can break it; reject it, or allow less (benign)"},
		{"ignored", "candidate", "rejected\n            reason: x\n            heal: off", "f.yaml:8:13: " + at + "heal has no effect on the rejected section get; remove heal (ignored)"},
		{"loose entry", `code: "n := len(p.free)", `, "", "f.yaml:8:13: " + at + "the entry of section get has only an ordinal; add its code (loose)"},
		{"loose end", `code: "p.free = p.free[:n-1]", `, "", "f.yaml:8:13: " + at + "an end of section get has only an ordinal; add its code (loose)"},
		{"pattern", "access: read", "access: write", "f.yaml:8:13: " + at + "a test-and-use section begins with a read, but section get with {write}; use pattern: user (pattern)"},
		{"empty", "            status: candidate\n", "            status: candidate\n  - package: none\n    variables: []\n", "f.yaml:16:5: packages[1]: package none has no variables; remove it (empty)"},
		{"duplicate", "            status: candidate\n", `            status: candidate
          - id: again
            pattern: test-and-use
            function: (*Pool).Get
            entry: {access: read, code: "n := len(p.free)", ordinal: 1}
            ends: [{access: write, code: "p.free = p.free[:n-1]", ordinal: 4, allow: []}]
            origin: user
            status: confirmed
`, "f.yaml:16:13: packages[0].variables[0].sections[1]: section again is the same as get; remove one (duplicate)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			spec, err := Parse("f.yaml", []byte(strings.Replace(valid, tt.old, tt.new, 1)))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range spec.Lint() {
				got = append(got, p.String())
			}
			if strings.Join(got, "\n") != tt.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, "\n"), tt.want)
			}
		})
	}
}

// Files made to hurt a YAML reader get one error, soon.
func TestHostileFiles(t *testing.T) {
	bomb := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c <= 'z'; c++ {
		p := string(c - 1)
		bomb += fmt.Sprintf("%c: &%c [*%s, *%s, *%s, *%s, *%s, *%s, *%s, *%s, *%s]\n", c, c, p, p, p, p, p, p, p, p, p)
	}
	for name, text := range map[string]string{
		"alias bomb":          bomb,
		"alias bomb in place": bomb + "version: 1\npackages: *z\n",
		"deep brackets":       strings.Repeat("[", 1<<20),
		"deep dashes":         strings.Repeat("- ", 1<<20),
		"comments":            strings.Repeat("#\n", 1<<20),
		"deep and closed":     "version: 1\npackages: " + strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20) + "\n",
		"deep objects":        "version: 1\npackages: " + strings.Repeat("{a: ", 1<<18),
		"one long line":       strings.Repeat("a", maxSize),
		"a wide list":         "version: 1\npackages: [" + strings.Repeat("{package: x, variables: []}, ", 1<<18) + "]\n",
		"wide lines":          "version: 1\npackages: [" + strings.Repeat(strings.Repeat("{package: é}, ", 1<<12)+"\n", 1<<3) + "]\n",
		"a shared text":       "version: 1\npackages:\n  - package: &t \"" + strings.Repeat("x", 60_000) + "\"\n    variables:\n" + strings.Repeat("      - {variable: *t, type: *t, sections: []}\n", 1<<10),
		"many mistakes":       "version: 1\npackages:\n" + strings.Repeat("  - package: x\n", 1<<16),
		"many fields":         strings.Repeat("a: 1\n", 1<<18),
		"many lines":          strings.Repeat("\n", maxSize),
		"too large":           strings.Repeat("\n", maxSize+1),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("f.yaml", []byte(text))
			if err == nil || strings.Count(err.Error(), "\n") > maxErrors || len(err.Error()) > 4000 {
				t.Errorf("got %.300v, want one short error", err)
			}
		})
	}
}

// BenchmarkLoad reads and saves 10,000 sections.
func BenchmarkLoad(b *testing.B) {
	text := large(b, 10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Parse("atomicity.yaml", text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMergeAndSave(b *testing.B) {
	text := large(b, 10_000)
	for b.Loop() {
		spec, err := Parse("atomicity.yaml", text)
		if err != nil {
			b.Fatal(err)
		}
		found, _ := Parse("atomicity.yaml", text)
		for p := range found.All() {
			p.Section.Entry.Line += 7
		}
		if r := spec.Merge(found); len(r.Updated) != 10_000 {
			b.Fatalf("updated %d", len(r.Updated))
		}
		if _, err := spec.Bytes(); err != nil {
			b.Fatal(err)
		}
	}
}

// large returns a file of n sections, ten a variable, ten variables a package.
func large(b *testing.B, n int) []byte {
	spec := New()
	for i := range n {
		if i%100 == 0 {
			spec.Packages = append(spec.Packages, &Package{Path: fmt.Sprintf("example.com/p%d", i)})
		}
		p := spec.Packages[len(spec.Packages)-1]
		if i%10 == 0 {
			p.Variables = append(p.Variables, &Variable{Name: fmt.Sprintf("T.f%d", i), Type: "[]*Conn"})
		}
		v := p.Variables[len(p.Variables)-1]
		v.Sections = append(v.Sections, newSection(fmt.Sprintf("(*T).M%d/%s#1", i, v.Name), fmt.Sprintf("(*T).M%d", i), "n := len(p.free)", "p.free = p.free[:n-1]"))
		v.Sections[len(v.Sections)-1].Entry.Line = 30 + i
	}
	text, err := spec.Bytes()
	if err != nil {
		b.Fatal(err)
	}
	return text
}

// A megabyte stands for no gigabyte.
func TestSharedTextIsBounded(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\npackages:\n  - package: p\n    variables:\n      - {variable: v, type: &t %s, sections: []}\n", strings.Repeat("x", 60_000))
	few := b.Len()
	for i := range 1 << 10 {
		if i == 100 {
			few = b.Len()
		}
		fmt.Fprintf(&b, "      - {variable: v%d, type: *t, sections: []}\n", i)
	}
	if _, err := Parse("f.yaml", []byte(b.String()[:few])); err != nil {
		t.Errorf("%.300v", err)
	}
	_, err := Parse("f.yaml", []byte(b.String()))
	if want := "f.yaml:285:32: packages[0].variables[280].type: with all that it stands for, the file is larger than 16 MiB; let aliases stand for less"; err == nil || err.Error() != want {
		t.Errorf("got %.300v", err)
	}
}
