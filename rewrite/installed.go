package rewrite

import (
	"os"
	"path/filepath"
	"strings"
)

// Made are the files in the cache that the injection consists of, with their sizes, and
// its directories, with -1. While they are there the injection can be used.
func (i *Injection) Made() (map[string]int64, error) {
	made := map[string]int64{filepath.Join(i.Goroot, "src", "atomrace"): -1}
	if i.ModCache != "" {
		made[i.ModCache] = -1
	}
	files, err := i.files()
	if err != nil {
		return nil, err
	}
	names := []string{i.OverlayFile, i.CoverList, i.Go}
	for _, file := range files {
		names = append(names, file, file+".cover")
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		made[name] = info.Size()
	}
	return made, nil
}

// MarkUsed keeps what the injection consists of from being removed from the cache as
// unused.
func (i *Injection) MarkUsed() {
	for _, name := range []string{i.Goroot, i.ModCache, i.OverlayFile, i.CoverList} {
		MarkUsed(name)
	}
	files, _ := i.files()
	for _, file := range files {
		MarkUsed(filepath.Dir(file))
	}
}

// files are the rewritten files: of each the list has its name in the shadow, the
// original, and where the new content is.
func (i *Injection) files() ([]string, error) {
	list, err := os.ReadFile(i.CoverList)
	if err != nil {
		return nil, err
	}
	var files []string
	for n, name := range strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		if n%3 == 2 {
			files = append(files, name)
		}
	}
	return files, nil
}
