package cli

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// withoutTests has the go command believe that the packages have no test files, which go vet
// would look at: flags is what it takes, and done removes the file that it reads. It is not
// ok where files are named, or where the packages cannot be listed.
func (o *checkOptions) withoutTests(ctx context.Context) (flags []string, done func(), ok bool) {
	done = func() {}
	if o.Tests {
		return nil, done, true
	}
	if slices.ContainsFunc(o.Packages, func(p string) bool { return strings.HasSuffix(p, ".go") }) {
		return nil, done, false
	}
	files, err := testFiles(ctx, o.Packages)
	if err != nil || len(files) == 0 {
		return nil, done, err == nil
	}
	replaced, err := userOverlay()
	if err != nil {
		return nil, done, false
	}
	for _, file := range files {
		replaced[file] = "" // not there
	}
	dir, err := os.MkdirTemp("", "atomrace-check-")
	if err != nil {
		return nil, done, false
	}
	done = func() { os.RemoveAll(dir) }
	file := filepath.Join(dir, "overlay.json")
	data, err := json.Marshal(overlay{replaced})
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	return []string{"-overlay=" + file}, done, err == nil
}

// overlay is what the go command reads for -overlay.
type overlay struct{ Replace map[string]string }

// userOverlay are the files that GOFLAGS has the go command replace.
func userOverlay() (map[string]string, error) {
	settings, err := readGoSettings("") // go env -w may have set it
	if err != nil {
		return nil, err
	}
	replaced := map[string]string{}
	for _, flag := range splitGoflags(settings.GOFLAGS) {
		_, file, _ := strings.Cut(flag, "=")
		if flagName(flag) != "overlay" || file == "" {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var of overlay
		if err := json.Unmarshal(data, &of); err != nil {
			return nil, err
		}
		replaced = of.Replace // the last flag holds
	}
	if replaced == nil {
		replaced = map[string]string{}
	}
	return replaced, nil
}

// testFiles are the test files of the packages, with their directories.
func testFiles(ctx context.Context, packages []string) (files []string, err error) {
	out, err := exec.CommandContext(ctx, "go", slices.Concat([]string{"list", "-e", "-json=Dir,TestGoFiles,XTestGoFiles", "--"}, packages)...).Output()
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p struct {
			Dir                       string
			TestGoFiles, XTestGoFiles []string
		}
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			files = append(files, filepath.Join(p.Dir, name))
		}
	}
	return files, nil
}
