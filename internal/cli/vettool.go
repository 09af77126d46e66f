package cli

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"

	"golang.org/x/tools/go/analysis/multichecker"

	"github.com/atomrace/atomrace/analyzers"
	"github.com/atomrace/atomrace/atomicity"
)

// vettool hands the arguments to multichecker, which exits; -V=full alone is
// answered here. go vet caches its results under the line that -V=full prints,
// and neither files nor the environment are part of that key: so the line
// carries the digest of the atomicity.yaml in force beside that of the binary.
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
	os.Args = append([]string{"atomrace"}, args...)
	multichecker.Main(analyzers.All()...)
	return 0
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
	if file, ok := atomicity.Find("."); ok {
		// A spec that cannot be loaded is reported by the commands that
		// need it; here its bytes still tell one state from another.
		data, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		if spec, err := atomicity.Parse(file, data); err == nil {
			data = []byte(spec.Digest())
		}
		h.Write(data)
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}
