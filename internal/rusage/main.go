// Rusage runs a command and prints what it cost as a row of a table, for the
// scripts in docs:
//
//	rusage -name NAME COMMAND [ARGUMENT …]
//
// The processor time is that of the command and of all that it waited for; the
// peak is the memory of the largest of these processes. How the command ends is
// not looked at: a checker that has found something is as good as another. What
// it prints goes to the standard error output.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

func main() {
	name := flag.String("name", "", "first column of the row")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: rusage -name NAME COMMAND [ARGUMENT …]")
		os.Exit(2)
	}
	cmd := exec.Command(flag.Arg(0), flag.Args()[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	from := time.Now()
	if err := cmd.Run(); cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, "rusage:", err)
		os.Exit(1)
	}
	passed := time.Since(from)
	peak := int64(0)
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		peak = u.Maxrss >> 10
	}
	var all syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &all); err == nil {
		peak = max(peak, all.Maxrss>>10)
	}
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	fmt.Printf("| %s | %.1f | %.1f | %d |\n", *name, cpu.Seconds(), passed.Seconds(), peak)
}
