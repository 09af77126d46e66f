//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// ownGroup puts what cmd starts into a process group of its own, so that killGroup
// ends all of it, and an interrupt from the terminal reaches us alone.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
