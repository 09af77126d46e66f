package atomicity

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// In a directory where nobody may write, Save says so and the old file stays.
// The test works for root too: it gives up root's rights to files, for one
// thread, which then ends with its goroutine.
func TestSaveReadOnlyDirectory(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, FileName)
	write(t, file, valid, 0o644)
	// Everybody may look into the directories that the test made.
	for d := filepath.Dir(dir); filepath.Dir(d) != d && d != filepath.Clean(os.TempDir()); d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
	result := make(chan error)
	go func() {
		runtime.LockOSThread()
		if os.Geteuid() == 0 {
			const nobody = 65534
			syscall.Syscall(syscall.SYS_SETFSUID, nobody, 0, 0)
		}
		spec, err := Load(file)
		if err == nil {
			spec.Section("get").Status = Confirmed
			err = spec.Save(file)
		}
		result <- err
	}()
	err := <-result
	if want := file + ": cannot be saved, the old file is unchanged: permission denied"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if got := read(t, file); got != valid {
		t.Errorf("the old file changed:\n%s", difference(valid, got))
	}
	onlyFile(t, dir, FileName)
}

// Of many that read the same text and save a change of their own, one is done; the
// others are told.
func TestSaveAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), FileName)
	for round := range 10 {
		write(t, file, valid, 0o644)
		var saved atomic.Int32
		var all sync.WaitGroup
		var specs [8]*Spec
		for i := range specs {
			var err error
			if specs[i], err = Load(file); err != nil {
				t.Fatal(err)
			}
			specs[i].Section("get").Note = fmt.Sprint("by ", i)
		}
		for _, spec := range specs {
			all.Go(func() {
				if err := spec.Save(file); err == nil {
					saved.Add(1)
				} else if !strings.Contains(err.Error(), "was edited since it was read") {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n := saved.Load(); n != 1 {
			t.Errorf("round %d: %d of %d were saved", round, n, len(specs))
		}
	}
	onlyFile(t, filepath.Dir(file), FileName)
}
