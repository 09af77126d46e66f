//go:build !atomrace_off && !unix

package heal

import (
	"os"
	"time"
)

// writeSome writes b to standard output or standard error, and is done with all of it.
func writeSome(f *os.File, b []byte, _ time.Duration) int {
	f.Write(b)
	return len(b)
}
