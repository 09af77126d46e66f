package atomicity

import (
	"os"
	"path/filepath"
	"runtime"
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
