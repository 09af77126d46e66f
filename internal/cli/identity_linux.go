package cli

import (
	"fmt"
	"io/fs"
	"syscall"
)

// identity is what of a file changes with its content whatever times it is given: its
// inode, and when that was last written.
func identity(info fs.FileInfo) string {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d %d.%d", s.Ino, s.Ctim.Sec, s.Ctim.Nsec)
}
