//go:build !atomrace_off

package heal

import (
	"syscall"
	"time"
	"unsafe"
)

// writable waits until descriptor fd takes something, or the reader has gone away, and
// reports whether that was so by the time until.
func writable(fd uintptr, until time.Time) bool {
	const pollOut = 4
	p := struct {
		fd              int32
		events, revents int16
	}{int32(fd), pollOut, 0}
	for {
		left := syscall.NsecToTimespec(max(0, int64(time.Until(until))))
		n, _, err := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&p)), 1, uintptr(unsafe.Pointer(&left)), 0, 0, 0)
		if err != syscall.EINTR {
			return n != 0 // or the system does not know the call, and writing has to tell
		}
	}
}
