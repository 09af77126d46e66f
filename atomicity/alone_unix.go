//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomicity

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// alone calls save, which compares the file with what was read and replaces it, while
// no other process does the same beside it: of two that have read the same text, one
// would undo what the other has written. The lock is one on the directory, which leaves
// no file behind and ends with the process. Who holds it for long is not saving a file,
// and where it cannot be had at all, as on some network file systems, save is called
// nevertheless.
func alone(file string, save func() error) error {
	d, err := os.Open(filepath.Dir(file))
	if err != nil {
		return save()
	}
	defer d.Close()
	for end := time.Now().Add(3 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		err := syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	return save()
}
