package heal

import (
	"fmt"
	"io"
	"os"
	"sync"
)

// output is where reports go; a file is opened at the first of them.
var output struct {
	sync.Mutex
	path string
	file *os.File
}

// emit writes s as a whole, so that it does not mix with other goroutines'
// lines. Nothing is done about a sink that fails: the program goes before.
func emit(c *config, s string) {
	io.WriteString(sink(c), s)
}

func sink(c *config) io.Writer {
	switch c.log {
	case "stderr":
		return os.Stderr
	case "stdout":
		return os.Stdout
	}
	output.Lock()
	defer output.Unlock()
	if output.path == c.log {
		return output.file
	}
	name := fmt.Sprintf("%s.%d", c.log, os.Getpid())
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		fmt.Fprintf(os.Stderr, "atomrace: log_path: %v; reports go to stderr\n", err)
		f = os.Stderr
	}
	output.path, output.file = c.log, f
	return f
}
