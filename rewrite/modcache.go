package rewrite

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The go command refuses to overlay files of the module cache. Rewritten
// dependencies therefore stand in a shadow of it: the modules that have any are
// copied, with the rewritten files in place, and everything else is linked to.
// The shadow's path contains a digest of the content, since the go command
// indexes the modules in its cache by their paths.

// beneath is the path of file relative to dir, if it is within.
func beneath(dir, file string) (string, bool) {
	if dir == "" {
		return "", false
	}
	return strings.CutPrefix(file, filepath.Clean(dir)+string(filepath.Separator))
}

// inModCache is the path of a source file relative to the module cache, if it
// lies there. A toolchain that was downloaded lies there too and is none.
func (s settings) inModCache(file string) (string, bool) {
	if _, ok := beneath(s.GOROOT, file); ok {
		return "", false
	}
	return beneath(s.GOMODCACHE, file)
}

// moduleDir is the directory of the module that the path within the module
// cache belongs to: it ends in the version.
func moduleDir(in string) (string, error) {
	at := strings.Index(in, "@")
	if at < 0 {
		return "", fmt.Errorf("module cache: %s belongs to no module", in)
	}
	if end := strings.IndexByte(in[at:], filepath.Separator); end >= 0 {
		return in[:at+end], nil
	}
	return "", fmt.Errorf("module cache: %s is no file of a module", in)
}

// shadowModCache makes, or finds, the shadow of the module cache. It is empty
// when nothing of the cache was rewritten.
func (r *Result) shadowModCache(dir string) (string, error) {
	files := map[string]string{} // original by path within the cache
	modules := map[string]bool{}
	h := sha256.New()
	fmt.Fprintf(h, "%q %v\n", r.settings.GOMODCACHE, r.trimpath())
	for _, name := range sortedKeys(r.Files) {
		in, ok := r.settings.inModCache(name)
		if !ok {
			continue
		}
		module, err := moduleDir(in)
		if err != nil {
			return "", err
		}
		files[in], modules[module] = name, true
		fmt.Fprintf(h, "%q %q\n", in, r.Files[name])
	}
	if len(files) == 0 {
		return "", nil
	}
	shadow := filepath.Join(dir, hex.EncodeToString(h.Sum(nil)[:12]))
	if exists(shadow) {
		MarkUsed(shadow)
		return shadow, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("shadow of the module cache: %w", err)
	}
	tmp, err := os.MkdirTemp(dir, ".new-*")
	if err != nil {
		return "", fmt.Errorf("shadow of the module cache: %w", err)
	}
	defer os.RemoveAll(tmp)
	if err := fillModCache(tmp, r.settings.GOMODCACHE, modules); err != nil {
		return "", fmt.Errorf("shadow of the module cache: %w", err)
	}
	for in, original := range files {
		file := filepath.Join(tmp, in)
		content := r.placed(original, filepath.Join(shadow, in))
		if err := replaceFile(file, content); err != nil {
			return "", fmt.Errorf("shadow of the module cache: %w", err)
		}
	}
	if err := os.Rename(tmp, shadow); err != nil && !exists(shadow) { // not made by a parallel run either
		return "", fmt.Errorf("shadow of the module cache: %w", err)
	}
	return shadow, nil
}

// placed is the rewritten file, for a build with -trimpath under the name that
// the compiler knows it by and shortens: otherwise it goes by its own name.
func (r *Result) placed(original, name string) []byte {
	content := r.Files[original]
	if !r.trimpath() {
		return content
	}
	return bytes.Replace(content, []byte("/*line "+original+":"), []byte("/*line "+name+":"), 1)
}

// fillModCache fills dir with copies of the modules, given as paths within
// from, and links to everything else.
func fillModCache(dir, from string, modules map[string]bool) error {
	parents := map[string]bool{"": true}
	for m := range modules {
		for p := filepath.Dir(m); p != "."; p = filepath.Dir(p) {
			parents[p] = true
		}
	}
	for p := range parents {
		if err := os.MkdirAll(filepath.Join(dir, p), 0o777); err != nil {
			return err
		}
		entries, err := os.ReadDir(filepath.Join(from, p))
		if err != nil {
			return err
		}
		for _, e := range entries {
			in := filepath.Join(p, e.Name())
			if parents[in] || modules[in] {
				continue
			}
			if err := os.Symlink(filepath.Join(from, in), filepath.Join(dir, in)); err != nil {
				return err
			}
		}
	}
	for m := range modules {
		if err := copyModule(filepath.Join(dir, m), filepath.Join(from, m)); err != nil {
			return err
		}
	}
	return nil
}

// copyModule copies the module's files, as hard links where that is possible:
// nothing writes to them. Symbolic links would not do, as //go:embed refuses
// them.
func copyModule(to, from string) error {
	return filepath.WalkDir(from, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(to, strings.TrimPrefix(file, from))
		switch {
		case d.IsDir():
			return os.Mkdir(target, 0o777)
		case !d.Type().IsRegular():
			return nil // no module has any
		case os.Link(file, target) == nil:
			return nil
		}
		return copyFile(target, file)
	})
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o200)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// replaceFile writes a new file in the place of what may be a link.
func replaceFile(file string, content []byte) error {
	if err := os.Remove(file); err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o666)
}
