package cli

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// askedKey is set in the environment of a go vet or go fix that runs for a command of atomrace,
// to what it is asked for.
const askedKey = "ATOMRACE_ASKED"

// asked stands for which packages go vet is asked about: its arguments and the directory.
// Go vet has the tool look at the packages that those import as well, for what is known of
// them and without reports, and keeps both under one key: whoever vets ./cmd and then ./...
// is told that nothing is wrong in what cmd imports. So the key says what was asked for.
// Where that cannot be found out, as on Windows, it is another one each time: go vet's cache
// is of no use then, and the one of cachedFacts is.
func asked() string {
	dir, err := os.Getwd()
	args := askedBy(os.Getppid())
	switch env := os.Getenv(askedKey); env {
	case "":
	case wholeModule:
		return env
	default:
		args = []string{env}
	}
	if err != nil || len(args) == 0 {
		return strconv.FormatInt(time.Now().UnixNano(), 10)
	}
	return fmt.Sprintf("%q %q", dir, args)
}

// askedBy are the arguments of a process that is a go vet or go fix, else none.
func askedBy(pid int) []string {
	var args []string
	if data, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err == nil {
		args = strings.Split(strings.TrimSuffix(string(data), "\x00"), "\x00")
	} else if out, err := exec.Command("ps", "-ww", "-o", "args=", "-p", strconv.Itoa(pid)).Output(); err == nil {
		args = strings.Fields(string(out))
	}
	verb := slices.IndexFunc(args, func(arg string) bool { return arg == "vet" || arg == "fix" })
	if verb < 1 || slices.Contains(args, "-V=full") {
		return nil // a program between go vet and the tool, as -toolexec has it
	}
	return args[verb:]
}
