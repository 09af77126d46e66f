package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/rewrite"
)

// A footprint is what instrumenting a command line has depended on, and what came of it.
// As long as it is true of the disk the same command line need not be instrumented again:
// no package is listed, no file is read, and the go command is all that runs.
//
// Like git it takes a file for unchanged whose size, times and inode are what they were.
// That a file has changed since it was read could stay unseen if that happened within
// the same tick of the file system's clock; so nothing is kept while files are as young as that.
type footprint struct {
	Settings  goSettings
	Injection *rewrite.Injection
	Said      string            // to standard error
	Files     map[string]string // what looks at files have told, by path
	Dirs      map[string]string // the names in directories that matter
	Made      map[string]int64  // the sizes of what lies in the cache
}

// youth is how long before the run a file must have been written to be taken for
// finished: some file systems count in steps of two seconds.
const youth = 2 * time.Second

// sourceNames are the ends of names that can matter to a build without cgo.
var sourceNames = []string{".go", ".s", ".S", ".sx", ".syso", ".mod", ".sum", ".work", "modules.txt", atomicity.FileName}

// footprintFile is where the footprint of a command line is kept; the environment of
// the go command is a part of it.
func footprintFile(cache, verb string, args []string) (string, error) {
	wd, err := os.Getwd()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "1 %q %q %q\n", wd, verb, args)
	for _, v := range slices.Sorted(slices.Values(os.Environ())) {
		for _, prefix := range []string{"GO", "CGO_", "CC=", "CXX=", "FC=", "AR=", "PKG_CONFIG", "PATH=", "HOME=", "XDG_"} {
			if strings.HasPrefix(v, prefix) {
				fmt.Fprintf(h, "%q\n", v)
			}
		}
	}
	return filepath.Join(cache, "footprint", hex.EncodeToString(h.Sum(nil)[:16])+".json"), nil
}

// readFootprint is the footprint in a file, if it is true of the disk.
func readFootprint(file string) *footprint {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	f := new(footprint)
	if json.Unmarshal(text, f) != nil || f.Injection == nil || !f.holds() {
		return nil
	}
	rewrite.MarkUsed(file)
	f.Injection.MarkUsed()
	return f
}

func (f *footprint) holds() bool {
	for name, size := range f.Made {
		if info, err := os.Stat(name); err != nil || size >= 0 && info.Size() != size {
			return false
		}
	}
	for name, state := range f.Files {
		if now, _ := look(name); now != state {
			return false
		}
	}
	for name, names := range f.Dirs {
		if sourcesIn(name) != names {
			return false
		}
	}
	return true
}

// look is what tells a file from a later state of it, and when it was written.
func look(name string) (state string, written time.Time) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return "none", written
	case info.IsDir():
		return "dir", written
	}
	return fmt.Sprintf("%d %d %s", info.Size(), info.ModTime().UnixNano(), identity(info)), info.ModTime()
}

// sourcesIn are the names in a directory that can matter to a build.
func sourcesIn(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "none"
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") || isSource(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return strings.Join(names, "/")
}

func isSource(name string) bool {
	return slices.ContainsFunc(sourceNames, func(end string) bool { return strings.HasSuffix(name, end) })
}

// newFootprint is that of a run that began at the time start, had the packages of
// selected, and made the injection. It is nil where not all that the run depended on is
// known, or some of it may have changed meanwhile.
func newFootprint(start time.Time, g *goArgs, spec string, selected *rewrite.Selection, injection *rewrite.Injection) *footprint {
	dir, err := filepath.Abs(g.Dir)
	roots := specRoots(dir)
	sources, cgo := selected.Sources()
	_, modfile := g.flag("modfile")
	if err != nil || len(roots) == 0 || cgo || modfile {
		return nil
	}
	f := &footprint{Settings: g.settings, Injection: injection, Files: map[string]string{}, Dirs: map[string]string{}}
	if f.Made, err = injection.Made(); err != nil {
		return nil
	}
	for _, name := range goFiles(injection.Original) {
		f.Files[name], _ = look(name)
	}
	var names []string
	if spec != "" {
		names = append(names, spec)
	}
	for _, below := range append([]string{dir}, sources...) {
		for up := below; ; up = filepath.Dir(up) {
			for _, name := range []string{"go.mod", "go.work", "vendor/modules.txt", atomicity.FileName, ".git"} {
				names = append(names, filepath.Join(up, filepath.FromSlash(name)))
			}
			if up == filepath.Dir(up) {
				break
			}
		}
	}
	for _, root := range roots {
		sources = append(sources, directoriesBelow(root)...)
	}
	for _, in := range sources {
		if f.Dirs[in] != "" {
			continue
		}
		f.Dirs[in] = sourcesIn(in)
		for name := range strings.SplitSeq(f.Dirs[in], "/") {
			names = append(names, filepath.Join(in, name))
		}
	}
	for _, name := range names {
		state, written := look(name)
		if written.After(start.Add(-youth)) {
			return nil
		}
		f.Files[name] = state
	}
	return f
}

// goFiles are those that decide which go command runs and how it is set, and this program.
func goFiles(goroot string) []string {
	names := []string{filepath.Join(goroot, "VERSION"), filepath.Join(goroot, "go.env")}
	if found, err := exec.LookPath("go"); err == nil {
		names = append(names, found)
	}
	if self, err := os.Executable(); err == nil {
		names = append(names, self)
	}
	env := os.Getenv("GOENV")
	if config, err := os.UserConfigDir(); env == "" && err == nil {
		env = filepath.Join(config, "go", "env")
	}
	if env != "" && env != "off" {
		names = append(names, env)
	}
	return names
}

// directoriesBelow are a directory and those below in which the go command and we look
// for source.
func directoriesBelow(root string) []string {
	var dirs []string
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return nil
		case path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || d.Name() == "vendor"):
			return filepath.SkipDir
		}
		dirs = append(dirs, path)
		return nil
	})
	return dirs
}

// write keeps the footprint in a file; a cache that cannot be written to has been
// reported where it was needed.
func (f *footprint) write(file string) {
	if os.MkdirAll(filepath.Dir(file), 0o777) == nil {
		_ = writeWhole(file, func(w io.Writer) error { return json.NewEncoder(w).Encode(f) })
	}
}
