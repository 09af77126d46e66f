package cli

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atomrace/atomrace"
	"github.com/atomrace/atomrace/internal/journal"
	"github.com/atomrace/atomrace/rewrite"
)

// vendoredHeal is where -vendor-heal puts heal, below the root of the module.
const vendoredHeal = "internal/atomrace/heal"

// writeTarget is the module or workspace whose files -w and -undo change.
type writeTarget struct {
	journal journal.Journal
	module  string // the root directory of the module; empty without one
}

// newWriteTarget asks the go command which module or workspace the working
// directory is in; the journal lies beside its go.work or go.mod, without either
// here.
func newWriteTarget() (*writeTarget, error) {
	out, err := exec.Command("go", "env", "-json", "GOWORK", "GOMOD").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	var s struct{ GOWORK, GOMOD string }
	if err := json.Unmarshal(out, &s); err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	t := &writeTarget{}
	if s.GOMOD != "" && s.GOMOD != os.DevNull {
		t.module = filepath.Dir(s.GOMOD)
		root = t.module
	}
	if s.GOWORK != "" && s.GOWORK != "off" {
		root = filepath.Dir(s.GOWORK)
	}
	t.journal = journal.Journal{Root: root, Show: relative}
	return t, nil
}

// healImport is the import path of the copy of heal in the module.
func (t *writeTarget) healImport() (string, error) {
	if t.module == "" {
		return "", fmt.Errorf("-vendor-heal needs a module to put heal into; run 'go mod init' first")
	}
	cmd := exec.Command("go", "list", "-m")
	cmd.Dir = t.module
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go list -m: %w", err)
	}
	return strings.TrimSpace(string(out)) + "/" + vendoredHeal, nil
}

// write writes the rewritten files, and heal with vendor.
func (t *writeTarget) write(env *environment, result *rewrite.Result, vendor bool) error {
	changes, err := changesOf(result)
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		fmt.Fprintln(env.stdout, "nothing to hook; no file was written")
		return nil
	}
	var additions []journal.Addition
	if vendor {
		additions, err = t.vendored(changes)
	} else {
		err = t.resolves()
	}
	if err != nil {
		return fmt.Errorf("%w; nothing was written", err)
	}
	if err := t.journal.Replace(changes, additions); err != nil {
		return err
	}
	fmt.Fprintf(env.stdout, "%s written; 'atomrace rewrite -undo' brings the originals back\n", files(len(changes)))
	return nil
}

// resolves is an error when the module does not know heal's public path.
func (t *writeTarget) resolves() error {
	if t.module == "" {
		return nil // a list of files is built wherever heal is known
	}
	cmd := exec.Command("go", "list", "-find", rewrite.HealPath)
	cmd.Dir = t.module
	if cmd.Run() != nil {
		return fmt.Errorf("the module does not require github.com/atomrace/atomrace, whose heal the hooks import: use -vendor-heal, or run 'go get %s'", rewrite.HealPath)
	}
	return nil
}

// vendored is the copy of heal. All rewritten files must be able to import it.
func (t *writeTarget) vendored(changes []journal.Change) ([]journal.Addition, error) {
	for _, c := range changes {
		if owner := moduleOf(c.File); owner != t.module {
			return nil, fmt.Errorf("-vendor-heal serves one module, but %s belongs to that in %s: work in that directory with GOWORK=off", relative(c.File), relative(owner))
		}
	}
	parts, err := rewrite.VendoredRuntime(atomrace.HealSource())
	if err != nil {
		return nil, err
	}
	parts["LICENSE"] = atomrace.License()
	dir := filepath.Join(t.module, filepath.FromSlash(vendoredHeal))
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for _, e := range entries {
		if parts[e.Name()] == nil {
			return nil, fmt.Errorf("%s is in the way: it is not part of this version of heal", relative(filepath.Join(dir, e.Name())))
		}
	}
	var list []journal.Addition
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		list = append(list, journal.Addition{File: filepath.Join(dir, name), Content: parts[name]})
	}
	return list, nil
}

// moduleOf is the directory of the go.mod above the file, empty without one.
func moduleOf(file string) string {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && info.Mode()&fs.ModeType == 0 {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// files counts files in words.
func files(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}
