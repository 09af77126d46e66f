//go:build unix && !atomrace_off

package heal

import (
	"syscall"
	"time"
)

// usedTime is what the process has taken so far.
func usedTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
