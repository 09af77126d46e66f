package rewrite

import (
	"go/token"
	"path/filepath"
	"slices"
)

func sortByPos[T any](list []T, pos func(T) token.Pos) {
	slices.SortStableFunc(list, func(a, b T) int { return int(pos(a)) - int(pos(b)) })
}

func sortByOffset(edits []edit) {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.offset - b.offset })
}

// directories are those of the files, sorted, each once.
func directories(files []string) []string {
	var dirs []string
	for _, f := range files {
		dirs = append(dirs, filepath.Dir(f))
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// goTestFiles are the _test.go files of a directory.
func goTestFiles(dir string) []string {
	files, err := filepath.Glob(filepath.Join(globQuote(dir), "*_test.go"))
	if err != nil {
		return nil
	}
	return files
}

func globQuote(dir string) string {
	var b []byte
	for i := range len(dir) {
		if c := dir[i]; c == '*' || c == '?' || c == '[' || c == '\\' {
			b = append(b, '\\')
		}
		b = append(b, dir[i])
	}
	return string(b)
}
