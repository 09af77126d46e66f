package cli

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis/multichecker"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/atomrace/atomrace/analyzers"
	"github.com/atomrace/atomrace/atomicity"
)

// vettool hands the arguments to multichecker, which exits; -V=full alone is
// answered here. go vet caches its results under the line that -V=full prints,
// and neither files nor the environment are part of that key: so the line
// carries the digests of the atomicity.yaml files beside that of the binary.
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
	if n := len(args); n > 0 && onlyFacts(args[n-1]) {
		unitchecker.Run(args[n-1], analyzers.Facts())
	}
	os.Args = append([]string{"atomrace"}, args...)
	multichecker.Main(analyzers.All()...)
	return 0
}

// onlyFacts says whether go vet asks for a package only because others import
// it: what runs then is what they need to know. The flags that choose among the
// analyzers that report do not matter.
func onlyFacts(file string) bool {
	if !strings.HasSuffix(file, ".cfg") {
		return false
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return false // unitchecker says so
	}
	var unit struct{ VetxOnly bool }
	return json.Unmarshal(data, &unit) == nil && unit.VetxOnly
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
// go vet is asked about here: those in the module or, where there is a go.work
// above, in the directory of that. Modules that a go.work uses from elsewhere
// are not seen. The files are sorted.
func specFiles() []string {
	root := specRoot()
	if root == "" {
		return nil
	}
	var files []string
	// A directory that cannot be read holds no package either.
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.Name() == atomicity.FileName && !d.IsDir():
			files = append(files, path)
		}
		return nil
	})
	return files
}

// specRoot is the nearest directory upwards with a go.work, else with a go.mod,
// or empty.
func specRoot() string {
	dir, err := filepath.Abs(".")
	if err != nil {
		return ""
	}
	module := ""
	for {
		if exists(filepath.Join(dir, "go.work")) && os.Getenv("GOWORK") != "off" {
			return dir
		}
		if module == "" && exists(filepath.Join(dir, "go.mod")) {
			module = dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return module
		}
		dir = parent
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
