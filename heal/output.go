//go:build !atomrace_off

package heal

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// The streams as the program found them: what it puts in the place of os.Stderr
// later on is its own affair, and may be nil.
var stdout, stderr = os.Stdout, os.Stderr

// output is the file of log_path, opened at the first report.
var output struct {
	sync.Mutex
	path   string
	file   *os.File // nil: it cannot be opened
	torn   bool     // the last line has no end
	failed bool     // said that writing fails
}

// emit writes s, whole lines, in one piece, so that it does not mix with what
// other goroutines write. What a file does not take goes to standard error. It
// returns when the operating system has the text, so that nothing is lost when
// the program is killed; where it cannot be written the program goes on without.
func emit(c *config, s string) {
	if fuzzWorker && (c.log == "stderr" || c.log == "stdout") {
		unshown.keep(s)
		return
	}
	switch c.log {
	case "stderr":
		writeStream(stderr, []byte(s))
	case "stdout":
		writeStream(stdout, []byte(s))
	default:
		if err := writeFile(c.log, s); err != nil {
			if err != errSaid {
				s = say(c, fmt.Sprintf("log_path: %v; reports go to stderr", err)) + s
			}
			writeStream(stderr, []byte(s))
		}
	}
}

// fuzzWorker says that this is one of the processes in which go test -fuzz runs the test:
// what they print nobody sees, but for how their tests fail.
var fuzzWorker = slices.Contains(os.Args, "-test.fuzzworker")

// unshown is what a fuzz worker would have printed.
var unshown keptText

// keptText is the beginning of a text.
type keptText struct {
	sync.Mutex
	text strings.Builder
}

// keep adds s unless there is enough.
func (k *keptText) keep(s string) {
	k.Lock()
	defer k.Unlock()
	if k.text.Len() < 16<<10 {
		k.text.WriteString(s)
	}
}

// String is what was kept.
func (k *keptText) String() string {
	k.Lock()
	defer k.Unlock()
	return k.text.String()
}

// errSaid stands for an error that has been reported before.
var errSaid = errors.New("said")

// writeFile appends s to the file of log_path. A line that was cut off for want
// of space gets its end before anything else, lest it spoil the next one.
func writeFile(path, s string) error {
	output.Lock()
	defer output.Unlock()
	if output.path != path {
		f, err := openLog(fmt.Sprintf("%s.%d", path, os.Getpid()))
		output.path, output.file, output.torn, output.failed = path, f, false, err != nil
		if err != nil {
			output.file = nil
			return err
		}
	}
	if output.file == nil {
		return errSaid
	}
	if output.torn {
		s = "\n" + s
	}
	n, err := output.file.WriteString(s)
	if n > 0 {
		output.torn = s[n-1] != '\n'
	}
	if err == nil {
		return nil
	}
	if output.failed {
		return errSaid
	}
	output.failed = true
	return err
}

// listDoubts appends the lines to the file of doubt_path, which several processes may share.
func listDoubts(c *config, lines []string) {
	f, err := openLog(c.doubts)
	if err == nil {
		_, err = f.WriteString(strings.Join(lines, "\n") + "\n")
		f.Close()
	}
	if err != nil && !doubtsLost.Swap(true) {
		notify(c, fmt.Sprintf("doubt_path: %v; who reads it does not learn of all", err))
	}
}

// doubtsLost says that this was told of.
var doubtsLost atomic.Bool

// openLog opens the file of log_path. A named pipe is none: whoever opens it waits for its reader.
func openLog(name string) (*os.File, error) {
	if info, err := os.Stat(name); err == nil && info.Mode()&os.ModeNamedPipe != 0 {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	return os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
}

// notify tells people something that belongs to no violation.
func notify(c *config, msg string) { emit(c, say(c, msg)) }

func say(c *config, msg string) string {
	if c.json {
		return noticeLine(msg)
	}
	return "atomrace: " + msg + "\n"
}
