package atomicity

import (
	"os"
	"path/filepath"
	"slices"
)

// Find returns the nearest of the files that are in force in dir; see Files.
func Find(dir string) (file string, ok bool) {
	files := Files(dir)
	if len(files) == 0 {
		return "", false
	}
	return files[0], true
}

// Files returns every atomicity.yaml that is in force for the code in dir, the
// nearest first: those in dir and in the directories above it, as far as the root
// of the repository (the first directory with a .git) or, where there is none, the
// topmost directory with a go.work or go.mod. Elsewhere there are none. A nearer file goes before one that is farther away; see Spec.Inherit. Files may be
// called concurrently.
func Files(dir string) []string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	var found []string
	reached := 0 // of found: up to the last root so far
	for {
		if candidate := filepath.Join(dir, FileName); isFile(candidate) {
			found = append(found, candidate)
		}
		_, err := os.Stat(filepath.Join(dir, ".git")) // a directory, or the file of a work tree
		repository := err == nil
		if repository || isFile(filepath.Join(dir, "go.mod")) || isFile(filepath.Join(dir, "go.work")) {
			reached = len(found)
		}
		parent := filepath.Dir(dir)
		if repository || parent == dir {
			return slices.Clip(found[:reached])
		}
		dir = parent
	}
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}
