package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/rewrite"
)

// unit is what go vet tells its tool about a package. The fields that are not here
// say the same in other words, or where the results go.
type unit struct {
	ID, Compiler, ImportPath, GoVersion string
	ModulePath, ModuleVersion           string // with Go 1.26; then Module
	GoFiles                             []string
	Module                              json.RawMessage
	ImportMap                           map[string]string
	PackageVetx                         map[string]string // what is known about what it imports
	VetxOnly                            bool
	VetxOutput                          string
	Stdout                              string // the file that go vet keeps the report in
}

// factsMade is set in the environment of the process that finds the facts.
const factsMade = "ATOMRACE_FACTS"

// cachedFacts writes what importers need to know about a package where go vet wants
// it, if the same was found before. Go vet has a cache of its own, but its key holds
// all atomicity.yaml files (see vettool), so that a line changed there makes all
// facts about the standard library anew, ten seconds of work; yet no fact depends on
// such a file. What is not kept is found by another process of this binary, since
// unitchecker ends the one that it runs in.
func cachedFacts(config string, u *unit) bool {
	if os.Getenv(factsMade) != "" {
		return false
	}
	cache, err := cacheDir()
	if err != nil {
		return false
	}
	key, err := u.key()
	if err != nil {
		return false
	}
	file := filepath.Join(cache, "facts", key)
	if data, ok := readKept(file); ok {
		rewrite.MarkUsed(file)
		return os.WriteFile(u.VetxOutput, data, 0o666) == nil
	}
	exe, err := os.Executable()
	if err != nil {
		return false
	}
	cmd := exec.Command(exe, config)
	cmd.Env = append(os.Environ(), factsMade+"=1")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if cmd.Run() != nil {
		return false // once more, and go vet hears of it
	}
	if data, err := os.ReadFile(u.VetxOutput); err == nil {
		_ = keepFile(file, data) // a cache that cannot be written to keeps nothing
		rewrite.Trim(cache)
	}
	return true
}

// readKept reads what keepFile has written, or nothing if it is damaged.
func readKept(file string) (data []byte, ok bool) {
	data, err := os.ReadFile(file)
	if err != nil || len(data) < sha256.Size {
		return nil, false
	}
	sum, data := data[:sha256.Size], data[sha256.Size:]
	return data, sha256.Sum256(data) == [sha256.Size]byte(sum)
}

// keepFile writes a file of the cache, its checksum first.
func keepFile(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	return writeWhole(file, func(w io.Writer) error {
		_, err := w.Write(append(sum[:], data...))
		return err
	})
}

// key names all that the facts about the package depend on.
func (u *unit) key() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	info, err := os.Stat(exe)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "1 %d %d %s\n", info.Size(), info.ModTime().UnixNano(), identity(info))
	var module bytes.Buffer
	if len(u.Module) > 0 {
		if err := json.Compact(&module, u.Module); err != nil {
			return "", err
		}
	}
	fmt.Fprintf(h, "%q %q %q %q %s %q\n", u.ID, u.Compiler, u.ImportPath, u.GoVersion, &module, os.Getenv("GOARCH"))
	for _, path := range slices.Sorted(maps.Keys(u.ImportMap)) {
		fmt.Fprintf(h, "%q %q\n", path, u.ImportMap[path])
	}
	add := func(name, file string) error {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%q %x\n", name, sha256.Sum256(data))
		return nil
	}
	work := filepath.Dir(filepath.Dir(u.VetxOutput)) + string(filepath.Separator) // of this run of go vet
	for _, file := range u.GoFiles {
		name := file
		if strings.HasPrefix(file, work) { // cgo's
			name = filepath.Base(file)
		}
		if err := add(name, file); err != nil {
			return "", err
		}
	}
	for _, path := range slices.Sorted(maps.Keys(u.PackageVetx)) {
		if err := add(path, u.PackageVetx[path]); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}
