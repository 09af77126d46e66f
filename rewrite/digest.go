package rewrite

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// codeDigest names the code of a build: the files of all packages that are not of
// the standard library, the toolchain, and what decides how they are compiled and
// rewritten. It is the same wherever the code lies. Tests are those of the
// packages that are asked for.
func codeDigest(o Options, s settings, list []*listed) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s %s %q %v %v %v %q %q\n", s.GOVERSION, s.GOOS, s.GOARCH, o.BuildFlags, o.Races, o.Thin, o.Control, o.Deps, o.Std)
	if o.Spec != nil && o.Control { // decides what a section is, and so what a seed does
		fmt.Fprintf(h, "%s\n", o.Spec.Digest())
	}
	sorted := slices.SortedFunc(slices.Values(list), func(a, b *listed) int {
		switch {
		case a.ImportPath < b.ImportPath:
			return -1
		case a.ImportPath > b.ImportPath:
			return 1
		}
		return 0
	})
	for _, p := range sorted {
		if p.Standard {
			continue
		}
		names := slices.Concat(p.GoFiles, p.CgoFiles)
		if o.Tests && !p.DepOnly {
			names = slices.Concat(names, p.TestGoFiles, p.XTestGoFiles)
		}
		for _, name := range names {
			file := name
			if !filepath.IsAbs(file) {
				file = filepath.Join(p.Dir, name)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(h, "%q %q %d\n", p.ImportPath, filepath.Base(name), len(text))
			h.Write(text)
		}
	}
	return sum(h), nil
}
