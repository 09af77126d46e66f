package journal

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// killed is what a step panics with: the process ends there, and nothing else
// is cleaned up.
type killed struct{}

// until runs f and kills it before its nth change of the file system; it says
// whether f came to its end.
func until(n int, j Journal, f func(Journal) error) (finished bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(killed); !ok {
				panic(p)
			}
		}
	}()
	j.step = func() {
		if n--; n < 0 {
			panic(killed{})
		}
	}
	err = f(j)
	return true, err
}

func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := info.Mode().String() + "\n"
		if !d.IsDir() {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text += string(content)
		}
		rel, err := filepath.Rel(root, path)
		files[rel] = text
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func newTree(t *testing.T) (root string, changes []Change, additions []Addition) {
	t.Helper()
	root = t.TempDir()
	old := map[string]string{"a.go": "package a\n", "sub/b.go": "package b\r\n", "sub/kept.txt": "text", "c.go": "no line end"}
	for name, content := range old {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a.go", "sub/b.go", "c.go"} {
		changes = append(changes, Change{filepath.Join(root, name), []byte(old[name]), []byte("new " + name)})
	}
	for _, name := range []string{"internal/x/one.go", "internal/x/two.go"} {
		additions = append(additions, Addition{filepath.Join(root, name), []byte("added " + name)})
	}
	return root, changes, additions
}

// undo brings the tree back, also where there was nothing to undo yet.
func undo(t *testing.T, j Journal) {
	t.Helper()
	if _, err := j.Undo(); err != nil && j.Open() {
		t.Fatal(err)
	}
}

func wantTree(t *testing.T, root string, want map[string]string, n int) {
	t.Helper()
	if now := tree(t, root); !maps.Equal(now, want) {
		t.Fatalf("killed before step %d: the tree is\n%q\nwas\n%q", n, now, want)
	}
}

func TestReplaceKilledAnywhere(t *testing.T) {
	for n := 0; ; n++ {
		root, changes, additions := newTree(t)
		j := Journal{Root: root}
		before := tree(t, root)
		finished, err := until(n, j, func(j Journal) error { return j.Replace(changes, additions) })
		must(t, err)
		for _, c := range changes {
			if now, err := os.ReadFile(c.File); err != nil || string(now) != string(c.Old) && string(now) != string(c.New) {
				t.Fatalf("killed before step %d: %s holds %q, %v", n, c.File, now, err)
			}
		}
		undo(t, j)
		wantTree(t, root, before, n)
		if finished {
			if n < 20 {
				t.Fatalf("only %d places to stop at", n)
			}
			return
		}
	}
}

func TestUndoKilledAnywhere(t *testing.T) {
	root, changes, additions := newTree(t)
	j := Journal{Root: root}
	before := tree(t, root)
	for n := 0; ; n++ {
		must(t, j.Replace(changes, additions))
		finished, err := until(n, j, func(j Journal) error { _, err := j.Undo(); return err })
		must(t, err)
		undo(t, j)
		wantTree(t, root, before, n)
		if finished {
			if n < 10 {
				t.Fatalf("only %d places to stop at", n)
			}
			return
		}
	}
}

func TestEditedFileIsRefused(t *testing.T) {
	root, changes, additions := newTree(t)
	j := Journal{Root: root, Show: func(f string) string { return filepath.Base(f) }}
	if err := j.Replace(changes, additions); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(changes[1].File, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	edited := tree(t, root)
	_, err := j.Undo()
	var e *EditedError
	if !errors.As(err, &e) || len(e.Files) != 1 || e.Files[0] != "b.go" || strings.Contains(err.Error(), "\n") {
		t.Fatalf("got %v", err)
	}
	if now := tree(t, root); !maps.Equal(now, edited) {
		t.Fatal("something was written")
	}
	// Its original is where the message says.
	original, err := os.ReadFile(filepath.Join(root, ".atomrace", "undo", e.Originals[0]))
	if err != nil || string(original) != string(changes[1].Old) {
		t.Fatalf("%q %v", original, err)
	}
	if err := os.WriteFile(changes[1].File, original, 0o666); err != nil {
		t.Fatal(err)
	}
	if done, err := j.Undo(); err != nil || done.Files != 2 {
		t.Fatal(done, err)
	}
}

func TestDeletedFileIsRefused(t *testing.T) {
	root, changes, _ := newTree(t)
	j := Journal{Root: root}
	if err := j.Replace(changes, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(changes[0].File); err != nil {
		t.Fatal(err)
	}
	var e *EditedError
	if _, err := j.Undo(); !errors.As(err, &e) {
		t.Fatalf("got %v", err)
	}
}

// What a person put among the added files stays, with all of them.
func TestAdditionsOfOthersStay(t *testing.T) {
	root, changes, additions := newTree(t)
	j := Journal{Root: root}
	if err := j.Replace(changes, additions); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(root, "internal", "x", "mine.go")
	if err := os.WriteFile(mine, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	done, err := j.Undo()
	if err != nil || len(done.Kept) != 1 || done.Kept[0] != mine || done.Files != 3 {
		t.Fatal(done, err)
	}
	if _, err := os.Stat(additions[0].File); err != nil {
		t.Fatal(err)
	}
}

func TestReplaceRefuses(t *testing.T) {
	tests := map[string]func(t *testing.T, j Journal, c []Change, a []Addition){
		"read-only":              func(t *testing.T, _ Journal, c []Change, _ []Addition) { must(t, os.Chmod(c[2].File, 0o444)) },
		"changed since":          func(t *testing.T, _ Journal, c []Change, _ []Addition) { must(t, os.WriteFile(c[0].File, nil, 0o666)) },
		"only regular files":     func(t *testing.T, _ Journal, c []Change, _ []Addition) { link(t, c[1].File) },
		"is in the way":          func(t *testing.T, _ Journal, _ []Change, a []Addition) { occupy(t, a[1].File) },
		"run 'atomrace rewrite ": func(t *testing.T, j Journal, c []Change, _ []Addition) { must(t, j.Replace(c[:1], nil)) },
	}
	for want, spoil := range tests {
		root, changes, additions := newTree(t)
		j := Journal{Root: root}
		spoil(t, j, changes, additions)
		before := tree(t, root)
		err := j.Replace(changes, additions)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", want, err)
		}
		if after := tree(t, root); !maps.Equal(before, after) {
			t.Errorf("%s: the tree was changed", want)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, file string) {
	t.Helper()
	must(t, os.Rename(file, file+".real"))
	must(t, os.Symlink(file+".real", file))
}

func occupy(t *testing.T, file string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(file), 0o777))
	must(t, os.WriteFile(file, []byte("other"), 0o666))
}

// Of two processes at once the second is refused, and nothing is lost.
func TestOneAtATime(t *testing.T) {
	root, changes, additions := newTree(t)
	j := Journal{Root: root}
	inside := false
	j.step = func() {
		if inside {
			return
		}
		inside = true
		other := Journal{Root: root}
		if _, err := other.Undo(); !errors.Is(err, errBusy) {
			t.Errorf("-undo meanwhile: %v", err)
		}
		if err := other.Replace(changes, additions); !errors.Is(err, errBusy) {
			t.Errorf("-w meanwhile: %v", err)
		}
	}
	must(t, j.Replace(changes, additions))
	if !inside {
		t.Error("nothing was tried meanwhile")
	}
}
