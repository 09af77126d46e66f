package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Of tests that pass, go test shows nothing of what they print: that a section was broken
// which has a doubt, and so fails nothing, nobody would see. The processes of the tests write
// it to a file besides, by doubt_path of ATOMRACE, which atomrace test shows at its end. The
// name is the same for each run in a directory: go test remembers what the tests have asked
// the environment for.

// doubtFile is the name for tests run in the directory, empty if there can be none or the
// settings have one.
func doubtFile(dir, settings string) string {
	for _, field := range strings.FieldsFunc(settings, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		if strings.HasPrefix(field, "doubt_path=") {
			return ""
		}
	}
	cache, err := cacheDir()
	if err != nil || strings.ContainsAny(cache, separators) {
		return ""
	}
	sum := sha256.Sum256([]byte(dir))
	name := filepath.Join(cache, "doubts", hex.EncodeToString(sum[:8]))
	if os.MkdirAll(filepath.Dir(name), 0o777) != nil {
		return ""
	}
	if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
		return "" // of a run that was killed, and cannot go
	}
	return name
}

// doubtsShown is how many lines about doubts atomrace test shows.
const doubtsShown = 10

// showDoubts writes what the file has, and removes it.
func showDoubts(w io.Writer, name string) {
	text, err := os.ReadFile(name)
	os.Remove(name)
	if err != nil || len(text) == 0 {
		return
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	slices.Sort(lines)
	lines = slices.Compact(lines)
	fmt.Fprintf(w, "atomrace test: %d violation(s) in which infer sees no harm fail nothing; 'atomrace test -v' shows them, 'atomrace spec promote' has them fail:\n", len(lines))
	for _, line := range lines[:min(len(lines), doubtsShown)] {
		fmt.Fprintf(w, "\t%s\n", line)
	}
	if more := len(lines) - doubtsShown; more > 0 {
		fmt.Fprintf(w, "\tand %d more\n", more)
	}
}
