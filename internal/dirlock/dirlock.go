// Package dirlock lets one process at a time work in a directory.
//
// The lock is one on the directory itself: it leaves no file behind and ends with the
// process. Where it cannot be had at all, as on some systems and network file systems,
// it is as if everybody had it.
package dirlock

import "time"

// Take waits for the lock of the directory, but no longer than patience, and returns the
// function that gives it back; nil if another process has had it all the time.
func Take(dir string, patience time.Duration) (release func()) {
	for end := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		if release, taken := try(dir); !taken {
			return release
		}
		if !time.Now().Before(end) {
			return nil
		}
	}
}
