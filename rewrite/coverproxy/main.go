// Coverproxy takes the place of the cover tool in the shadow GOROOT.
//
// The go command has its cover tool read source files from where they are,
// whatever the overlay says. That is as it should be: coverage is to be counted
// in the user's source. The proxy lets the real tool do so, and then moves the
// counters that it put into the original of each rewritten file to the same
// places of the rewritten one (merge.go). So blocks, positions and numbers of
// statements are those of the original, and percentages those of go test
// -cover without hooks.
//
// ATOMRACE_OVERLAY names a list of the rewritten files: for each the path that
// the go command knows it by, NUL, that of the original, NUL, that of the
// rewritten file, NUL. Beside the last, with the extension .cover, lies what
// package rewrite knows of the places in it. A call that does not instrument a
// package is handed on as it is.
//
// It is compiled with the user's toolchain, so it uses the standard library
// alone, and of that little.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintf(os.Stderr, "atomrace: cover: %v\n", err)
		code = 1
	}
	os.Exit(code)
}

func run(args []string) (int, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	real := filepath.Join(filepath.Dir(self), "real", filepath.Base(self))
	if len(args) == 1 && args[0] == "-V=full" {
		return version(real)
	}
	overlay, err := readOverlay(os.Getenv("ATOMRACE_OVERLAY"))
	if err != nil {
		return 0, err
	}
	c := parseCall(args)
	if c.outFileList != "" {
		c.useOriginals(overlay)
	}
	process, err := os.StartProcess(real, append([]string{real}, args...), &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
	if err != nil {
		return 0, err
	}
	state, err := process.Wait()
	if err != nil || !state.Success() {
		return state.ExitCode(), err
	}
	if c.outFileList == "" {
		return 0, nil
	}
	return 0, c.merge(overlay)
}

// digest tells one version of the proxy from another; it is set when the proxy
// is linked.
var digest string

// version prints what the go command keys its cache of the tool's results with.
// Unreleased tools end in a build id that must stay last.
func version(real string) (int, error) {
	out, err := exec.Command(real, "-V=full").Output()
	if err != nil {
		return 0, err
	}
	line := strings.TrimSpace(string(out))
	if !strings.Contains(line, " devel ") {
		line += " atomrace-" + digest
	}
	fmt.Println(line)
	return 0, nil
}

// call is a command line of the cover tool that instruments a package.
type call struct {
	variable, outFileList string
	files                 []string // the end of the command line itself
	names                 []string // what the go command calls them
}

// useOriginals lets the tool read the originals of files that stand rewritten
// where the go command has them, as those of the module cache do.
func (c *call) useOriginals(overlay map[string]overlaid) {
	c.names = slices.Clone(c.files)
	for i, file := range c.files {
		if r, ok := overlay[file]; ok {
			c.files[i] = r.original
		}
	}
}

// overlaid is a file of the overlay.
type overlaid struct{ original, file string }

func parseCall(args []string) call {
	var c call
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		name, value, hasValue := strings.Cut(strings.TrimLeft(args[0], "-"), "=")
		args = args[1:]
		if !hasValue && len(args) > 0 {
			value, args = args[0], args[1:]
		}
		switch name {
		case "var":
			c.variable = value
		case "outfilelist":
			c.outFileList = value
		}
	}
	c.files = args
	return c
}

// merge replaces what the tool made of the originals of rewritten files.
func (c call) merge(overlay map[string]overlaid) error {
	if len(overlay) == 0 {
		return nil
	}
	list, err := os.ReadFile(c.outFileList)
	if err != nil {
		return err
	}
	outputs := strings.Fields(string(list))
	if strings.Contains(string(list), "\n") {
		outputs = strings.Split(strings.TrimSpace(string(list)), "\n")
	}
	if len(outputs) != len(c.files)+1 { // the first declares the counters
		return errors.New("this toolchain's cover tool works differently")
	}
	for i, name := range c.names {
		if r, ok := overlay[name]; ok {
			if err := mergeFile(c.variable, r.original, r.file, outputs[i+1]); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

func mergeFile(variable, original, rewritten, output string) error {
	var texts [4]string
	for i, name := range []string{original, output, rewritten, rewritten + ".cover"} {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		texts[i] = string(text)
	}
	points, err := parsePoints(texts[3], texts[0])
	if err != nil {
		return err
	}
	merged, err := move(variable, texts[0], texts[1], texts[2], points)
	if err != nil {
		return err
	}
	return os.WriteFile(output, []byte(merged), 0o666)
}

func readOverlay(file string) (map[string]overlaid, error) {
	overlay := map[string]overlaid{}
	if file == "" {
		return overlay, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for rest := string(text); rest != ""; {
		var name string
		var r overlaid
		name, rest, _ = strings.Cut(rest, "\x00")
		r.original, rest, _ = strings.Cut(rest, "\x00")
		r.file, rest, _ = strings.Cut(rest, "\x00")
		overlay[name] = r
	}
	return overlay, nil
}
