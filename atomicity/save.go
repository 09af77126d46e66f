package atomicity

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/atomrace/atomrace/internal/dirlock"
)

// Bytes returns the text of the file. When nothing was changed it is the text
// that was loaded, byte for byte; otherwise that text with the changed values,
// new entries and removals worked in, everything else as it was. A Spec that
// could not be loaded again (say, a rejected section without a reason) is an
// error, the *Error or Errors that Load would return for it.
func (s *Spec) Bytes() ([]byte, error) {
	out, _, err := s.bytes()
	return out, err
}

// bytes also returns the Spec that the text stands for.
func (s *Spec) bytes() ([]byte, *Spec, error) {
	if err := s.whole(); err != nil {
		return nil, nil, err
	}
	var out []byte
	file := FileName
	if s.doc == nil {
		out = []byte(encodeSpec(s))
	} else {
		out, file = s.doc.edited(s), s.doc.file
	}
	// The text is read again: a file that would not load, or that says
	// something else than the Spec does, must never replace a good one.
	again, err := Parse(file, out)
	if err != nil {
		return nil, nil, err
	}
	if encodeSpec(again) != encodeSpec(s) {
		return nil, nil, &Error{File: file, Msg: "the changes do not fit into the layout of this file; write one field a line and try again"}
	}
	return out, again, nil
}

// whole refuses nil elements, which the types permit and the file cannot hold.
func (s *Spec) whole() error {
	for i, p := range s.Packages {
		path := fmt.Sprintf("packages[%d]", i)
		if p == nil {
			return &Error{Path: path, Msg: "the package is nil; remove it"}
		}
		for j, v := range p.Variables {
			path := fmt.Sprintf("%s.variables[%d]", path, j)
			if v == nil {
				return &Error{Path: path, Msg: "the variable is nil; remove it"}
			}
			for k, sec := range v.Sections {
				if sec == nil {
					return &Error{Path: fmt.Sprintf("%s.sections[%d]", path, k), Msg: "the section is nil; remove it"}
				}
			}
		}
	}
	return nil
}

// Save writes the Spec to file: all of it or, on an error, nothing, in which
// case the old file is as it was. It writes beside the file and renames, keeps
// the permission bits, and follows symbolic links. A file that already holds
// the text is not touched, and one without write permission neither. A file that was
// edited since it was loaded from there is not overwritten, and the error says so.
func (s *Spec) Save(file string) error { return s.save(file, false) }

// SaveNew is Save for a file that was not there when the Spec was made: one that
// somebody else has written since is not overwritten either.
func (s *Spec) SaveNew(file string) error { return s.save(file, true) }

// alone calls save, which compares the file with what was read and replaces it, while
// no other process does the same in the directory: of two that have read the same text,
// one would undo what the other has written. Who holds the lock for long is not saving
// a file, and save is called nevertheless.
func alone(dir string, save func() error) error {
	if release := dirlock.Take(dir, 3*time.Second); release != nil {
		defer release()
	}
	return save()
}

func (s *Spec) save(file string, isNew bool) error {
	out, again, err := s.bytes()
	if err != nil {
		return err
	}
	target, err := followLinks(file)
	if err != nil {
		return fileError(file, "cannot be saved", err)
	}
	err = alone(filepath.Dir(target), func() error {
		perm := fs.FileMode(0)
		old, err := os.ReadFile(target)
		switch {
		case err == nil && bytes.Equal(old, out):
			return nil
		case err == nil && (isNew || s.doc != nil && s.doc.file == file && !bytes.Equal(old, s.doc.data)):
			return edited(file)
		case err == nil:
			info, err := os.Stat(target)
			if err != nil {
				return fileError(file, "cannot be saved", err)
			}
			if perm = info.Mode().Perm(); perm&0o200 == 0 {
				return readOnly(file)
			}
		case !errors.Is(err, fs.ErrNotExist):
			return fileError(file, "cannot be saved", err)
		}
		if err := replaceFile(target, out, perm); err != nil {
			return fileError(file, "cannot be saved, the old file is unchanged", err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	again.doc.file = file
	s.adopt(again)
	return nil
}

// edited refuses to write over what somebody else has written meanwhile.
func edited(file string) error {
	return &Error{File: file, Msg: "was edited since it was read; nothing saved, run again"}
}

// readOnly refuses to write over a file that says it is not to be written: renaming
// another one into its place would not ask.
func readOnly(file string) error { return &Error{File: file, Msg: "is read-only; nothing saved"} }

// adopt makes the text of again, which says the same, the text of s.
func (s *Spec) adopt(again *Spec) {
	nodes := map[any]*yaml.Node{}
	s.doc = again.doc
	for i, p := range s.Packages {
		q := again.Packages[i]
		nodes[p] = s.doc.nodes[q]
		for j, v := range p.Variables {
			w := q.Variables[j]
			nodes[v] = s.doc.nodes[w]
			for k, sec := range v.Sections {
				keepPositions(nodes, s.doc, sec, w.Sections[k])
			}
		}
	}
	s.doc.nodes = nodes
}

// followLinks returns the file that a chain of symbolic links leads to, which
// need not exist yet.
func followLinks(file string) (string, error) {
	for range 40 { // as many as Linux follows
		target, err := os.Readlink(file)
		if err != nil {
			return file, nil // not a link, or not there
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(file), target)
		}
		file = target
	}
	return "", errors.New("too many levels of symbolic links")
}

// replaceFile writes data beside file and renames it over file. perm 0 leaves
// the permission bits to the umask.
func replaceFile(file string, data []byte, perm fs.FileMode) error {
	temp := filepath.Join(filepath.Dir(file), fmt.Sprintf(".%s.%08x", FileName, rand.Uint32()))
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && perm != 0 {
		err = f.Chmod(perm)
	}
	if err == nil {
		err = f.Sync() // else a crash could leave an empty file behind the rename
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(temp, file)
	}
	if err != nil {
		os.Remove(temp)
	}
	return err
}

// With returns the text of the file with the values of another Spec, whose
// entries are recognised by their names and ids: comments, order of fields and
// quoting are those of s. Neither Spec is changed.
func (s *Spec) With(values *Spec) ([]byte, error) {
	as := &Spec{Version: values.Version, Packages: values.Packages, doc: s.doc}
	return as.Bytes()
}

// Comments returns the comments of the file by their lines, each from its # on.
func (s *Spec) Comments() map[int]string {
	comments := map[int]string{}
	if s.doc != nil {
		for _, c := range s.doc.allComments() {
			comments[c.line] = c.text
		}
	}
	return comments
}

// Replace writes text, another layout of the file that s was read from, as Save
// would: whole or not at all, and not over what somebody else has written since.
func (s *Spec) Replace(text []byte) error {
	file := s.doc.file
	target, err := followLinks(file)
	if err != nil {
		return fileError(file, "cannot be saved", err)
	}
	return alone(target, func() error {
		if old, err := os.ReadFile(target); err == nil && !bytes.Equal(old, s.doc.data) {
			return edited(file)
		}
		return WriteFile(file, text)
	})
}

// WriteFile writes a text as Save does: whole or not at all, with the
// permission bits of the file that is there, through symbolic links.
func WriteFile(file string, text []byte) error {
	target, err := followLinks(file)
	if err != nil {
		return fileError(file, "cannot be saved", err)
	}
	var perm fs.FileMode
	if info, err := os.Stat(target); err == nil {
		if perm = info.Mode().Perm(); perm&0o200 == 0 {
			return readOnly(file)
		}
	}
	if err := replaceFile(target, text, perm); err != nil {
		return fileError(file, "cannot be saved, the old file is unchanged", err)
	}
	return nil
}
