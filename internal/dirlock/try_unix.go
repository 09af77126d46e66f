//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package dirlock

import (
	"errors"
	"os"
	"syscall"
)

// try returns what gives the lock back, or says that it is taken.
func try(dir string) (release func(), taken bool) {
	d, err := os.Open(dir)
	if err != nil {
		return func() {}, false
	}
	err = syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
		d.Close()
		return nil, true
	}
	return func() { d.Close() }, false
}
