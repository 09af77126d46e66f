package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Restored tells what Undo did.
type Restored struct {
	Files int      // that have their original content again
	Kept  []string // added files that a person has changed, and what stands beside them
}

// An EditedError names the files that were changed after Replace. Nothing was
// restored.
type EditedError struct {
	Files     []string // as Journal.Show names them
	Originals []string // where their originals are kept
}

func (e *EditedError) Error() string {
	were := "was"
	if len(e.Files) > 1 {
		were = "were"
	}
	return fmt.Sprintf("%s %s changed after -w; nothing was restored: bring back the original (%s) by hand, then run -undo again",
		strings.Join(e.Files, ", "), were, strings.Join(e.Originals, ", "))
}

// Undo gives all files their original content and removes what was added. An
// Undo that was stopped can be repeated.
func (j Journal) Undo() (done Restored, err error) {
	err = j.alone(func() error {
		done, err = j.undo()
		return err
	})
	return done, err
}

func (j Journal) undo() (Restored, error) {
	var done Restored
	r, err := j.read()
	if err != nil {
		return done, err
	}
	originals, err := j.originals(r)
	if err != nil {
		return done, err
	}
	for i, c := range r.Changed {
		file := j.absolute(c.File)
		if err := j.remove(staged(file)); err != nil {
			return done, err
		}
		if originals[i] == nil {
			continue // it is there already
		}
		perm := fs.FileMode(0o666)
		if info, err := os.Stat(file); err == nil {
			perm = info.Mode().Perm()
		}
		if err := j.write(staged(file), originals[i], perm); err != nil {
			return done, fmt.Errorf("%s cannot be restored: %w", j.show(file), err)
		}
		if err := j.rename(staged(file), file); err != nil {
			return done, fmt.Errorf("%s cannot be restored: %w", j.show(file), err)
		}
		done.Files++
	}
	if done.Kept, err = j.removeAdded(r); err != nil {
		return done, err
	}
	return done, j.close()
}

func (j Journal) read() (*record, error) {
	text, err := os.ReadFile(filepath.Join(j.undoDir(), recordName))
	if errors.Is(err, fs.ErrNotExist) {
		j.sweep()
		return nil, fmt.Errorf("nothing to undo in %s: no rewrite -w is in force there", j.show(j.Root))
	}
	if err != nil {
		return nil, err
	}
	r := new(record)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w", j.show(filepath.Join(j.undoDir(), recordName)), err)
	}
	return r, nil
}

// originals are the contents that have to be written back, nil where the file
// has its own. It is an error when a person has changed a file.
func (j Journal) originals(r *record) ([][]byte, error) {
	out := make([][]byte, len(r.Changed))
	edited := new(EditedError)
	for i, c := range r.Changed {
		kept := filepath.Join(j.undoDir(), c.Original)
		now, err := os.ReadFile(j.absolute(c.File))
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return nil, err
		case err == nil && digest(now) == c.OldSum:
			continue
		case err != nil || digest(now) != c.NewSum:
			edited.Files = append(edited.Files, j.show(j.absolute(c.File)))
			edited.Originals = append(edited.Originals, j.show(kept))
			continue
		}
		if out[i], err = os.ReadFile(kept); err != nil {
			return nil, err
		}
		if digest(out[i]) != c.OldSum {
			return nil, fmt.Errorf("%s is not the original of %s any more; nothing was restored", j.show(kept), j.show(j.absolute(c.File)))
		}
	}
	if len(edited.Files) > 0 {
		return nil, edited
	}
	return out, nil
}

// removeAdded removes the added files with their directories, unless something
// else has come into one of these or a file was changed: then it stays whole.
func (j Journal) removeAdded(r *record) (kept []string, err error) {
	ours := map[string][]string{} // by directory
	for _, a := range r.Added {
		file := j.absolute(a.File)
		ours[filepath.Dir(file)] = append(ours[filepath.Dir(file)], filepath.Base(file))
		now, err := os.ReadFile(file)
		if err == nil && digest(now) != a.Sum {
			kept = append(kept, file)
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return kept, err
		}
	}
	for dir, names := range ours {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return kept, err
		}
		for _, e := range entries {
			if !slices.Contains(names, e.Name()) && !isStaged(e.Name()) && r.made(j, dir) {
				kept = append(kept, filepath.Join(dir, e.Name()))
			}
		}
	}
	if len(kept) > 0 {
		slices.Sort(kept)
		return kept, nil
	}
	for _, a := range r.Added {
		file := j.absolute(a.File)
		if err := errors.Join(j.remove(file), j.remove(staged(file))); err != nil {
			return nil, err
		}
	}
	for _, dir := range slices.Backward(r.Dirs) {
		j.mayStop()
		_ = os.Remove(j.absolute(dir)) // stays when something else is in it
	}
	return nil, nil
}

// made says whether the directory was made by Replace.
func (r *record) made(j Journal, dir string) bool { return slices.Contains(r.Dirs, j.relative(dir)) }

// remove removes a file that may be missing.
func (j Journal) remove(file string) error {
	j.mayStop()
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// close removes the journal: from its renaming on there is nothing to undo.
func (j Journal) close() error {
	old := filepath.Join(j.Root, directory, "old")
	if err := os.RemoveAll(old); err != nil { // of a run that was stopped
		return err
	}
	if err := j.rename(j.undoDir(), old); err != nil {
		return err
	}
	j.sweep()
	return nil
}

// sweep removes what stopped runs have left, and the directory when nothing
// else is in it. What cannot be removed does no harm.
func (j Journal) sweep() {
	top := filepath.Join(j.Root, directory)
	entries, err := os.ReadDir(top)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.Name() == "old" || strings.HasPrefix(e.Name(), "new-") {
			j.mayStop()
			_ = os.RemoveAll(filepath.Join(top, e.Name()))
		}
	}
	if entries, err = os.ReadDir(top); err == nil && len(entries) == 1 && entries[0].Name() == ".gitignore" {
		_ = os.Remove(filepath.Join(top, ".gitignore"))
	}
	_ = os.Remove(top) // stays when something else is in it
}
