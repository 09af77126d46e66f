package main

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

const (
	original  = "package p\n\nfunc f(a bool) {\n\tif a {\n\t\tx++\n\t} else {\n\t\ty++\n\t};;\n\tz++\n}\n"
	rewritten = "package p; import h\n\nfunc f(a bool) {\n\tg()\n\tif a {\n\t\th(x)\n\t} else {\n\t\th(y)\n\t}\n\th(z)\n}\n"
)

// points places what stands before each text, in both.
func points(t *testing.T) []point {
	t.Helper()
	var list []point
	add := func(kind byte, from, to string) {
		i, j := strings.Index(original, from), strings.Index(rewritten, to)
		if i < 0 || j < 0 {
			t.Fatalf("no %q or no %q", from, to)
		}
		list = append(list, point{i, j, kind})
	}
	add('.', "\n\nfunc", "; import h")
	add('.', "\n\tif a", "\n\tg()")
	add('.', "\n\t\tx++", "\n\t\th(x)")
	add('{', " {\n\t\ty++", " {\n\t\th(y)")
	add('.', "{\n\t\ty++", "{\n\t\th(y)")
	add('}', ";;", "\n\th(z)")
	add('.', "z++", "h(z)")
	return list
}

func TestMove(t *testing.T) {
	output := "//line p.go:1:1\npackage p; import _cover_atomic_ \"sync/atomic\"\n\nfunc f(a bool) {V_0[0] = 3 ; V_0[1] = VP ; V_0[2] = 0 ; V_0[3]++;\n\tif a {V_0[4] = 1;\n\t\tx++\n\t} else{ _cover_atomic_.AddUint32(&V_0[5], 1);{\n\t\ty++\n\t}};;\n\tV_0[6]++;z++\n}\n\nvar _ = 0\n"
	want := "//line p.go:1:1\npackage p; import _cover_atomic_ \"sync/atomic\"; import h\n\nfunc f(a bool) {V_0[0] = 3 ; V_0[1] = VP ; V_0[2] = 0 ; V_0[3]++;\n\tg()\n\tif a {V_0[4] = 1;\n\t\th(x)\n\t} else{ _cover_atomic_.AddUint32(&V_0[5], 1);{\n\t\th(y)\n\t}}\n\tV_0[6]++;h(z)\n}\n\nvar _ = 0\n"
	got, err := move("V", original, output, rewritten, points(t))
	if err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	for _, strange := range []string{"", "package p\n", strings.Replace(output, "V_0[3]++;", "count(3);", 1), strings.Replace(output, "}};;", "};;", 1)} {
		if got, err := move("V", original, strange, rewritten, points(t)); err == nil {
			t.Errorf("%q is understood as %q", strange, got)
		}
	}
}

func TestParsePoints(t *testing.T) {
	sum := sha256.Sum256([]byte(original))
	list, err := parsePoints(hex.EncodeToString(sum[:])+"\n9 9 .\n65 70 {\n", original)
	if err != nil || len(list) != 2 || list[1] != (point{65, 70, '{'}) {
		t.Errorf("%v, %v", list, err)
	}
	for _, bad := range []string{"", "00\n9 9 .\n", hex.EncodeToString(sum[:]) + "\n9 x .\n"} {
		if _, err := parsePoints(bad, original); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestParseCall(t *testing.T) {
	c := parseCall([]string{"-pkgcfg", "cfg", "-mode=set", "-var", "V", "-outfilelist", "list", "a.go", "-b.go"})
	if c.variable != "V" || c.outFileList != "list" || strings.Join(c.files, " ") != "a.go -b.go" {
		t.Errorf("%+v", c)
	}
}
