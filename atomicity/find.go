package atomicity

import (
	"os"
	"path/filepath"
)

// Find looks for atomicity.yaml in dir and the directories above it, as far as
// the root of the module (the first directory with a go.mod), and returns the
// nearest. Outside of a module there is none. It may be called concurrently.
func Find(dir string) (file string, ok bool) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", false
	}
	for {
		if candidate := filepath.Join(dir, FileName); file == "" && isFile(candidate) {
			file = candidate
		}
		if isFile(filepath.Join(dir, "go.mod")) {
			return file, file != ""
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}
