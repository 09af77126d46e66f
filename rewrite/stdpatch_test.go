package rewrite

import (
	"strings"
	"testing"
)

// TestPatchStd checks that every prologue finds its function in this version of
// Go, that lines stay where they are, and that a function which is missing is told.
func TestPatchStd(t *testing.T) {
	goroot, err := goEnv(t.Context(), "", nil, "GOROOT")
	if err != nil {
		t.Fatal(err)
	}
	files, err := patchStd(goroot, "linux")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range prologues {
		text := string(files["src/"+p.pkg+"/"+p.file])
		if !strings.Contains(text, hookPrefix+p.hook) && p.text != "" {
			t.Errorf("%s/%s has no %s", p.pkg, p.file, hookPrefix+p.hook)
		}
		if strings.Contains(text, "$0") || strings.Contains(text, "$1") {
			t.Errorf("%s/%s: a prologue has a parameter without a name", p.pkg, p.file)
		}
		if declared := string(files["src/"+p.pkg+"/atomrace.go"]); !strings.Contains(declared, hookPrefix+p.hook+" func(") {
			t.Errorf("%s: %s is not declared", p.pkg, hookPrefix+p.hook)
		}
	}
	const source = "package sync\n\nfunc (m *Mutex) Lock() {\n\tlock(m)\n}\n"
	out, err := patchFile("src/sync/mutex.go", []byte(source), prologues[:1])
	want := "package sync\n\nfunc (m *Mutex) Lock() { if atomrace := AtomraceMutexLock; atomrace != nil && atomrace(m) { return };\n\tlock(m)\n}\n"
	if string(out) != want || err != nil {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
	_, err = patchFile("src/sync/mutex.go", []byte("package sync\n"), prologues[:1])
	if err == nil || !strings.Contains(err.Error(), "src/sync/mutex.go has no (*Mutex).Lock") {
		t.Error(err)
	}
}
