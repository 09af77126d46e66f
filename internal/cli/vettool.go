package cli

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/multichecker"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/atomrace/atomrace/analyzers"
	"github.com/atomrace/atomrace/analyzers/callers"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
)

// vetGC is how far the heap may grow, in per cent of what is in use, before it is collected while
// go vet has a single package analyzed, unless GOGC says otherwise: the process lives for a moment,
// like the compiler's, which collects late, too.
const vetGC = 400

// vettool hands the arguments to multichecker, which exits; -V=full alone is
// answered here. go vet caches its results under the line that -V=full prints,
// and neither files nor the environment are part of that key: so the line
// carries the digests of the atomicity.yaml files beside that of the binary, and
// what go vet is asked about (see asked).
func vettool(args []string) int {
	if len(args) == 1 && (args[0] == "-V=full" || args[0] == "--V=full") {
		id, err := buildID()
		if err != nil {
			fmt.Fprintf(os.Stderr, "atomrace: -V=full: %v\n", err)
			return 1
		}
		fmt.Printf("atomrace version devel comments-go-here buildID=%s\n", id)
		return 0
	}
	if n := len(args); n > 0 {
		if u := readUnit(args[n-1]); u != nil {
			if status, done := u.prepare(&args[n-1]); done {
				return status
			}
		}
	}
	os.Args = append([]string{"atomrace"}, args...)
	list := analyzers.All()
	switch known := os.Getenv(callersKey); known {
	case "":
	case askCallers:
		list = append(list, callers.Analyzer)
	default:
		list = append(list, callers.Analyzer)
		if err := shared.Analyzer.Flags.Set("callers", known); err != nil {
			fmt.Fprintf(os.Stderr, "atomrace: %v\n", err)
			return 1
		}
	}
	multichecker.Main(list...)
	return 0
}

// prepare does what go vet's question about a package needs before the analyzers run, and
// may put another file in the place of config. It is done, with the status to exit with,
// where they need not run.
func (u *unit) prepare(config *string) (status int, done bool) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(vetGC)
	}
	if status, yes := u.refuses(); yes {
		return status, true
	}
	switch {
	case u.Stdout == "" && os.Getenv(askedKey) != "":
		fmt.Fprintln(os.Stderr, "atomrace: this go command does not keep reports in its cache")
		return 1, true // and check finds them itself
	case u.outside():
		fmt.Fprintf(os.Stderr, "atomrace: %s is not in the main module\n", u.ImportPath)
		return 1, true // likewise
	case u.wholly():
		whole, err := u.reporting(*config)
		if err != nil {
			fmt.Fprintf(os.Stderr, "atomrace: %s: %v\n", u.ImportPath, err)
			return 1, true
		}
		*config = whole
	case u.VetxOnly:
		if cachedFacts(*config, u) {
			return 0, true
		}
		unitchecker.Run(*config, analyzers.Facts()) // exits
	}
	return 0, false
}

// readUnit reads what go vet wants of a package, or returns nil if it is not that.
// VetxOnly says that go vet asks for the package only because others import it: what
// runs then is what they need to know, and the flags that choose among the analyzers
// that report do not matter.
func readUnit(file string) *unit {
	if !strings.HasSuffix(file, ".cfg") {
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil // unitchecker says so
	}
	u := new(unit)
	if json.Unmarshal(data, u) != nil {
		return nil
	}
	return u
}

func buildID() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(exe)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	fmt.Fprintf(h, "%s %q %s\n", asked(), specRoots("."), os.Getenv(lookKey))
	if known := os.Getenv(callersKey); known == askCallers {
		fmt.Fprintln(h, known)
	} else if known != "" {
		data, err := os.ReadFile(known)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%x\n", sha256.Sum256(data))
	}
	for _, file := range specFiles() {
		// A spec that cannot be loaded is reported by the commands that
		// need it; here its bytes still tell one state from another.
		data, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		if spec, err := atomicity.Parse(file, data); err == nil {
			data = []byte(spec.Digest())
		}
		fmt.Fprintf(h, "%s\n%d\n%s\n", file, len(data), data)
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// specFiles lists every atomicity.yaml that can be in force for a package that
// go vet is asked about here: those in the module or, where there is a go.work,
// in its directory and in the modules that it uses from elsewhere, and those above
// them. The files are sorted.
func specFiles() []string {
	var files []string
	for _, root := range specRoots(".") {
		files = append(files, atomicity.Files(root)...)
		files = append(files, specsBelow(root)...)
	}
	slices.Sort(files)
	return slices.Compact(files)
}

func specsBelow(root string) []string { return filesBelow(root, atomicity.FileName) }

// filesBelow lists the files of a name in a directory and those below it, from the
// root of the file system.
func filesBelow(root, name string) []string {
	var files []string
	if abs, err := filepath.Abs(root); err == nil {
		root = abs
	}
	// A directory that cannot be read holds no package either.
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || d.Name() == "vendor"):
			return filepath.SkipDir
		case d.Name() == name && !d.IsDir():
			files = append(files, path)
		}
		return nil
	})
	return files
}

// specRoots are the directory of the go.work in force in dir and those that it
// uses, else the nearest directory upwards with a go.mod, or none.
func specRoots(dir string) []string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	work := os.Getenv("GOWORK")
	if work != "" && work != "off" {
		return workRoots(work)
	}
	module := ""
	for {
		if file := filepath.Join(dir, "go.work"); work != "off" && exists(file) {
			return workRoots(file)
		}
		if module == "" && exists(filepath.Join(dir, "go.mod")) {
			module = dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			if module == "" {
				return nil
			}
			return []string{module}
		}
		dir = parent
	}
}

// workRoots are the directory of the go.work file and the modules that it uses.
// A file that the go command does not understand, it reports itself.
func workRoots(file string) []string {
	dir := filepath.Dir(file)
	roots := []string{dir}
	out, err := exec.Command("go", "work", "edit", "-json", file).Output()
	if err != nil {
		return roots
	}
	var work struct{ Use []struct{ DiskPath string } }
	if err := json.Unmarshal(out, &work); err != nil {
		return roots
	}
	for _, use := range work.Use {
		path := filepath.FromSlash(use.DiskPath)
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		roots = append(roots, path)
	}
	return roots
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
