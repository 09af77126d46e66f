// Package journal replaces files of a user's tree so that they can be brought
// back byte for byte, whatever happens in between.
//
// [Journal.Replace] first copies the originals into .atomrace/undo under the
// root of the module, with a list of what it is about to do; only when these
// are whole, which one rename tells, does it touch the tree, each file by one
// rename too. So a process that is killed leaves every file either as it was or
// as it was to be, and [Journal.Undo] brings all of them back. Undo compares
// each file with both of its known contents first: when a person has changed
// one since, it names the file and restores nothing.
//
// The directory ignores itself for git, and its name begins with a dot, so that
// the go command does not look into it. It lies in the tree and not in a cache,
// since caches are emptied. Two processes may run at the same time: one of them
// is refused, by a lock on the root where the system has such locks.
package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/atomrace/atomrace/internal/dirlock"
)

// A Journal is kept under the directory Root, an absolute path.
type Journal struct {
	Root string
	// Show is how error messages name a file; nil shows it as it is.
	Show func(string) string

	step func() // called before each change of the file system, by tests
}

// A Change replaces the content of a file.
type Change struct {
	File     string // absolute
	Old, New []byte
}

// An Addition is a file that is to be there as long as the changes are.
type Addition struct {
	File    string // absolute
	Content []byte
}

// record is the list of what Replace does, as JSON. Paths are relative to the
// root, with slashes, so that the tree can be moved.
type record struct {
	Version int
	Changed []changed
	Added   []added
	Dirs    []string // made for Added, each after its parent
}

type changed struct{ File, Original, OldSum, NewSum string }

type added struct{ File, Sum string }

const (
	directory  = ".atomrace"
	undoName   = "undo"
	newSuffix  = ".atomrace-new"
	recordName = "journal.json"
)

func (j Journal) undoDir() string { return filepath.Join(j.Root, directory, undoName) }

// Open says whether there is something to undo.
func (j Journal) Open() bool {
	_, err := os.Stat(filepath.Join(j.undoDir(), recordName))
	return err == nil
}

// errBusy says that another process is replacing files, or bringing them back.
var errBusy = errors.New("another 'atomrace rewrite' is at work in this tree; run this one again when it has ended")

// alone calls f while no other process is at work under the root. It waits a moment, for
// a spec that is being saved there, but not as long as others may take.
func (j Journal) alone(f func() error) error {
	release := dirlock.Take(j.Root, 2*time.Second)
	if release == nil {
		return errBusy
	}
	defer release()
	return f()
}

// Replace makes the changes and additions, all or, on an error, none. Files that
// are links, read-only, or changed meanwhile are an error, as is an addition in
// whose place something else stands, and a journal that is open already.
func (j Journal) Replace(changes []Change, additions []Addition) error {
	return j.alone(func() error { return j.replace(changes, additions) })
}

func (j Journal) replace(changes []Change, additions []Addition) error {
	if j.Open() {
		return errors.New("an earlier -w is still in force; run 'atomrace rewrite -undo' first")
	}
	for _, c := range changes {
		if err := j.check(c); err != nil {
			return fmt.Errorf("%w; nothing was written", err)
		}
	}
	r, additions, err := j.plan(changes, additions)
	if err != nil {
		return fmt.Errorf("%w; nothing was written", err)
	}
	if err := j.begin(r, changes); err != nil {
		return fmt.Errorf("the originals cannot be kept: %w; nothing was written", err)
	}
	if err := j.stage(r, changes, additions); err != nil {
		_, undoErr := j.undo()
		return errors.Join(fmt.Errorf("%w; nothing was written", err), undoErr)
	}
	for _, a := range additions {
		if err := j.rename(staged(a.File), a.File); err != nil {
			return fmt.Errorf("%w; run 'atomrace rewrite -undo'", err)
		}
	}
	for _, c := range changes {
		if err := j.rename(staged(c.File), c.File); err != nil {
			return fmt.Errorf("%w; run 'atomrace rewrite -undo'", err)
		}
	}
	return nil
}

// check says why a file cannot be replaced.
func (j Journal) check(c Change) error {
	info, err := os.Lstat(c.File)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is a link or no file; only regular files are rewritten", j.show(c.File))
	}
	if info.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("%s is read-only", j.show(c.File))
	}
	now, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	if string(now) != string(c.Old) {
		return fmt.Errorf("%s has changed since it was read", j.show(c.File))
	}
	return nil
}

// plan writes down what is to be done; additions that are there already are
// left out.
func (j Journal) plan(changes []Change, additions []Addition) (*record, []Addition, error) {
	r := &record{Version: 1}
	for i, c := range changes {
		r.Changed = append(r.Changed, changed{
			j.relative(c.File), strconv.Itoa(i) + "-" + filepath.Base(c.File) + ".orig", digest(c.Old), digest(c.New)})
	}
	var missing []Addition
	for _, a := range additions {
		old, err := os.ReadFile(a.File)
		switch {
		case err == nil && string(old) == string(a.Content):
			continue
		case err == nil:
			return nil, nil, fmt.Errorf("%s is in the way", j.show(a.File))
		case !errors.Is(err, fs.ErrNotExist):
			return nil, nil, err
		}
		missing = append(missing, a)
		r.Added = append(r.Added, added{j.relative(a.File), digest(a.Content)})
		r.addDirs(j, filepath.Dir(a.File))
	}
	return r, missing, nil
}

// addDirs notes the directories that have to be made for dir.
func (r *record) addDirs(j Journal, dir string) {
	rel := j.relative(dir)
	for _, known := range r.Dirs {
		if known == rel {
			return
		}
	}
	if _, err := os.Lstat(dir); err == nil {
		return
	}
	r.addDirs(j, filepath.Dir(dir))
	r.Dirs = append(r.Dirs, rel)
}

// begin keeps the originals and the record: they appear in one step.
func (j Journal) begin(r *record, changes []Change) error {
	top := filepath.Join(j.Root, directory)
	j.mayStop()
	if err := os.MkdirAll(top, 0o777); err != nil {
		return err
	}
	if err := j.write(filepath.Join(top, ".gitignore"), []byte("*\n"), 0o666); err != nil {
		return err
	}
	j.mayStop()
	dir, err := os.MkdirTemp(top, "new-*")
	if err != nil {
		return err
	}
	err = j.keep(dir, r, changes)
	if err == nil {
		err = j.rename(dir, j.undoDir()) // fails when another process was first
	}
	if err != nil {
		_ = os.RemoveAll(dir)
	}
	return err
}

func (j Journal) keep(dir string, r *record, changes []Change) error {
	for i, c := range changes {
		if err := j.write(filepath.Join(dir, r.Changed[i].Original), c.Old, 0o666); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	return j.write(filepath.Join(dir, recordName), text, 0o666)
}

// stage writes the new contents beside their targets, so that a directory that
// cannot be written to is found out before anything has changed.
func (j Journal) stage(r *record, changes []Change, additions []Addition) error {
	for _, dir := range r.Dirs {
		j.mayStop()
		if err := os.Mkdir(j.absolute(dir), 0o777); err != nil {
			return err
		}
	}
	for _, a := range additions {
		if err := j.write(staged(a.File), a.Content, 0o666); err != nil {
			return err
		}
	}
	for _, c := range changes {
		info, err := os.Stat(c.File)
		if err != nil {
			return err
		}
		if err := j.write(staged(c.File), c.New, info.Mode().Perm()); err != nil {
			return fmt.Errorf("%s cannot be replaced: %w", j.show(c.File), err)
		}
	}
	return nil
}

// staged is where the new content of a file waits.
func staged(file string) string {
	return filepath.Join(filepath.Dir(file), "."+filepath.Base(file)+newSuffix)
}

// write writes the file to the disk itself.
func (j Journal) write(file string, content []byte, perm fs.FileMode) error {
	j.mayStop()
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Chmod(perm), f.Sync(), f.Close())
}

func (j Journal) rename(from, to string) error {
	j.mayStop()
	return os.Rename(from, to)
}

func (j Journal) mayStop() {
	if j.step != nil {
		j.step()
	}
}

func (j Journal) show(file string) string {
	if j.Show == nil {
		return file
	}
	return j.Show(file)
}

func (j Journal) relative(file string) string {
	rel, err := filepath.Rel(j.Root, file)
	if err != nil {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(rel)
}

func (j Journal) absolute(name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(j.Root, name)
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// isStaged says whether a file of that name was left by stage.
func isStaged(name string) bool {
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, newSuffix)
}
