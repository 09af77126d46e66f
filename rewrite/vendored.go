package rewrite

import (
	"fmt"
	"io/fs"
	"path/filepath"
)

// healVersion is the language version that the runtime is written in: that of
// this module's go.mod.
const healVersion = "go1.26"

// VendoredRuntime returns the files of the runtime for a directory of the
// user's own module, by base name. They compile there whatever language version
// that module has, and know nothing of the import path they get.
func VendoredRuntime(healSource fs.FS) (map[string][]byte, error) {
	files, err := runtimeFiles(healSource)
	if err != nil {
		return nil, fmt.Errorf("reading the source of the runtime: %w", err)
	}
	for name, text := range files {
		if filepath.Ext(name) == ".go" {
			files[name] = raiseVersion(text, healVersion)
		}
	}
	return files, nil
}
