//go:build !atomrace_off && unix

package heal

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// streamPiece is how much is written to a pipe at a time: where it has room at all, it
// takes so much at once.
const streamPiece = 4096

// writeSome writes b to standard output or standard error, as one piece among what the
// program writes there by f itself, and returns how much of it is done with. It goes
// round (*os.File).Write, which ends the program when the reader of the stream has gone
// away: then all of it is done with. Of what a pipe has no room for before patience has
// run out, the rest is left.
func writeSome(f *os.File, b []byte, patience time.Duration) int {
	raw, err := f.SyscallConn()
	if err != nil {
		return len(b)
	}
	pipe := false
	if fi, err := f.Stat(); err == nil {
		pipe = fi.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0
	}
	until, done, full := time.Now().Add(patience), 0, false
	if pipe {
		// Before the stream is locked: the program may wait within it, for the same reader.
		raw.Control(func(fd uintptr) { full = !writable(fd, until) })
		if full {
			return 0
		}
	}
	gone := raw.Write(func(fd uintptr) bool {
		for done < len(b) {
			piece := b[done:]
			if pipe {
				if full = !writable(fd, until); full {
					return true
				}
				piece = piece[:min(len(piece), streamPiece)]
			}
			n, err := syscall.Write(int(fd), piece)
			done += max(n, 0)
			switch {
			case errors.Is(err, syscall.EINTR):
			case errors.Is(err, syscall.EAGAIN):
				if !pipe {
					return false
				}
			case err != nil || n <= 0:
				done = len(b)
			}
		}
		return true
	})
	if gone != nil {
		return len(b)
	}
	return done
}
