//go:build !atomrace_off && unix

package heal

import (
	"errors"
	"os"
	"syscall"
)

// writeStream writes b to standard output or standard error, as one piece among
// what the program writes there by f itself. It goes round (*os.File).Write, which
// ends the program when the reader of the stream has gone away.
func writeStream(f *os.File, b []byte) {
	if f == nil {
		return
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return
	}
	raw.Write(func(fd uintptr) (done bool) {
		for len(b) > 0 {
			n, err := syscall.Write(int(fd), b)
			if n > 0 {
				b = b[n:]
			}
			switch {
			case errors.Is(err, syscall.EINTR):
			case errors.Is(err, syscall.EAGAIN):
				return false
			case err != nil || n <= 0:
				return true
			}
		}
		return true
	})
}
