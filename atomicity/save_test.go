package atomicity

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, file, text string, perm fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), perm); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, perm); err != nil { // whatever the umask is
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func onlyFile(t *testing.T, dir, name string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != name {
		t.Errorf("%s holds %v, want %s alone (%v)", dir, entries, name, err)
	}
}

func TestSaveNewFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), FileName)
	if err := New().Save(file); err != nil {
		t.Fatal(err)
	}
	if got, want := read(t, file), header+"version: 1\npackages: []\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	onlyFile(t, filepath.Dir(file), FileName)
}

// One Spec may be changed and saved several times; the permission bits stay.
func TestSaveTwice(t *testing.T) {
	file := filepath.Join(t.TempDir(), FileName)
	write(t, file, valid, 0o640)
	spec, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, status := range []Status{Confirmed, Candidate} {
		spec.Section("get").Status = status
		if err := spec.Save(file); err != nil {
			t.Fatal(err)
		}
		if again, err := Load(file); err != nil || again.Section("get").Status != status {
			t.Errorf("saved %s, read back %v", status, err)
		}
	}
	if got := read(t, file); got != valid {
		t.Errorf("there and back left\n%s", difference(valid, got))
	}
	if info, err := os.Stat(file); err != nil || info.Mode() != 0o640 {
		t.Errorf("permission bits %v, want 0640 (%v)", info.Mode(), err)
	}
	onlyFile(t, filepath.Dir(file), FileName)
}

// A file without write permission is left alone, by root too; what is the same need
// not be written.
func TestSaveReadOnly(t *testing.T) {
	file := filepath.Join(t.TempDir(), FileName)
	write(t, file, valid, 0o444)
	spec, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := spec.Save(file); err != nil {
		t.Errorf("saved as it is: %v", err)
	}
	want := file + ": is read-only; nothing saved"
	spec.Section("get").Status = Confirmed
	if err := spec.Save(file); err == nil || err.Error() != want {
		t.Errorf("saved: %v", err)
	}
	if err := WriteFile(file, []byte("x")); err == nil || err.Error() != want {
		t.Errorf("written: %v", err)
	}
	if read(t, file) != valid {
		t.Error("the file has changed")
	}
	onlyFile(t, filepath.Dir(file), FileName)
}

func TestSaveFollowsLinks(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	file, target := filepath.Join(dir, FileName), filepath.Join(elsewhere, "shared.yaml")
	if err := os.Symlink(target, file); err != nil {
		t.Fatal(err)
	}
	if err := New().Save(file); err != nil { // the target does not exist yet
		t.Fatal(err)
	}
	spec, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	spec.Packages = []*Package{{Path: "example.com/new"}}
	if err := spec.Save(file); err != nil {
		t.Fatal(err)
	}
	if got := read(t, target); got != bytesOf(t, spec) {
		t.Errorf("the target holds %q", got)
	}
	if info, err := os.Lstat(file); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link became %v (%v)", info.Mode(), err)
	}
	onlyFile(t, elsewhere, "shared.yaml")
}

// A file that somebody edited meanwhile is not overwritten.
func TestSaveSeesEdits(t *testing.T) {
	file := filepath.Join(t.TempDir(), FileName)
	write(t, file, valid, 0o644)
	spec, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, valid+"# edited\n", 0o644)
	spec.Section("get").Status = Confirmed
	err = spec.Save(file)
	if want := file + ": was edited since it was read; nothing saved, run again"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if got := read(t, file); got != valid+"# edited\n" {
		t.Errorf("overwritten:\n%s", got)
	}
}

// A new file is not written over one that was made meanwhile, unless it is the same.
func TestSaveNewTwice(t *testing.T) {
	file := filepath.Join(t.TempDir(), FileName)
	for range 2 {
		if err := New().SaveNew(file); err != nil {
			t.Fatal(err)
		}
	}
	write(t, file, valid, 0o644)
	if err := New().SaveNew(file); err == nil || !strings.Contains(err.Error(), "nothing saved, run again") || read(t, file) != valid {
		t.Errorf("got %v and %s", err, read(t, file))
	}
}

// What Load would refuse is not saved.
func TestSaveRefusesInvalid(t *testing.T) {
	const section = "packages[0].variables[0].sections[0]"
	tests := []struct {
		name string
		edit func(*Spec)
		want string
	}{
		{"no reason", func(s *Spec) { s.Section("get").Status = Rejected },
			":15:21: " + section + `: the section is rejected without a reason; add reason: "only one goroutine at start-up"`},
		{"two modes", func(s *Spec) { s.Section("get").Entry.Access = ReadWrite },
			":11:29: " + section + `.entry.access: access must be read or write, not "read, write"; write access: read`},
		{"not UTF-8", func(s *Spec) { s.Section("get").Note = "\xff" },
			": the changes do not fit into the layout of this file; write one field a line and try again"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), FileName)
			write(t, file, valid, 0o644)
			spec, err := Load(file)
			if err != nil {
				t.Fatal(err)
			}
			tt.edit(spec)
			if err := spec.Save(file); err == nil || err.Error() != file+tt.want {
				t.Errorf("got  %v\nwant %s", err, file+tt.want)
			}
			if got := read(t, file); got != valid {
				t.Errorf("the file changed:\n%s", difference(valid, got))
			}
		})
	}
	if _, err := (&Spec{Version: 1, Packages: []*Package{nil}}).Bytes(); err == nil || err.Error() != "packages[0]: the package is nil; remove it" {
		t.Errorf("nil package: %v", err)
	}
}

func TestLoadNoFile(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "none.yaml")
	_, err := Load(missing)
	if want := missing + ": cannot be read: no such file or directory"; err == nil || err.Error() != want || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err := Load(dir); err == nil || err.Error() != dir+": is not a regular file; name the atomicity.yaml itself" {
		t.Errorf("directory: %v", err)
	}
	large := filepath.Join(dir, "large.yaml")
	write(t, large, "", 0o644)
	if err := os.Truncate(large, 100<<20); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(large); err == nil || err.Error() != large+": is larger than 16 MiB; that cannot be an atomicity spec" {
		t.Errorf("large: %v", err)
	}
}
