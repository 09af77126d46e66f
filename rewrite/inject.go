package rewrite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Install writes what the go command needs to build the result: the rewritten
// files and the overlay that points to them, and a shadow of the toolchain's
// GOROOT that holds the runtime as well, and if dependencies were rewritten, a
// shadow of the module cache that holds them. Everything lies under cacheDir, under
// names made from the content, and appears there in one step: parallel runs
// share it, and a run that is killed leaves nothing half done. What has not been
// used for 30 days is removed, and the least recently used beyond 1 GiB.
//
// A shadow GOROOT, because it is the one way that works for go vet, go test,
// vendoring and workspaces alike while the compiled standard library stays in
// the build cache; an overlay alone cannot add a package that go vet accepts.
func (r *Result) Install(cacheDir string) (*Injection, error) {
	if r.options.Readable {
		return nil, errors.New("a readable rewrite is for people and cannot be built; rewrite without Readable")
	}
	if r.options.runtimeSource() == nil {
		return nil, errNoSource
	}
	cacheDir, err := filepath.Abs(cacheDir)
	if err != nil {
		return nil, fmt.Errorf("cache directory: %w", err)
	}
	goroot, err := r.shadowGoroot(filepath.Join(cacheDir, "goroot"))
	if err != nil {
		return nil, err
	}
	modCache, err := r.shadowModCache(filepath.Join(cacheDir, "module"))
	if err != nil {
		return nil, err
	}
	overlay, coverList, err := r.writeOverlay(filepath.Join(cacheDir, "overlay"), goroot, modCache)
	if err != nil {
		return nil, err
	}
	Trim(cacheDir)
	return &Injection{
		OverlayFile: overlay, CoverList: coverList, Go: filepath.Join(goroot, "bin", "go"),
		Goroot: goroot, Original: r.settings.GOROOT, ModCache: modCache, OriginalModCache: r.settings.GOMODCACHE,
	}, nil
}

// Env is what to add to the environment of the go command. The toolchain is
// settled: switching it now would leave the shadow.
func (i *Injection) Env() []string {
	env := []string{"GOROOT=" + i.Goroot, "GOTOOLCHAIN=local", "ATOMRACE_OVERLAY=" + i.CoverList}
	if i.ModCache != "" {
		env = append(env, "GOMODCACHE="+i.ModCache)
	}
	return env
}

// Flags are the flags of the go command that apply the overlay, to be put
// directly after the verb.
func (i *Injection) Flags() []string { return []string{"-overlay=" + i.OverlayFile} }

// writeOverlay writes the rewritten files, the overlay that names them to the
// go command, and the list that names them to the cover tool. A file of the
// standard library is replaced where the shadow GOROOT has it; one of the module
// cache is in the shadow of that already.
func (r *Result) writeOverlay(dir, goroot, modCache string) (overlay, list string, err error) {
	replace := map[string]string{}
	var triples bytes.Buffer
	for _, original := range sortedKeys(r.Files) {
		name := original
		in, inModCache := r.settings.inModCache(original)
		if inModCache {
			name = filepath.Join(modCache, in)
		} else if in, ok := beneath(r.settings.GOROOT, original); ok {
			name = filepath.Join(goroot, in)
		}
		content := r.placed(original, name)
		// The go command takes the content for the file's identity. What
		// the cover tool makes of it depends on the original as well.
		cover := sha256.Sum256(r.cover[original])
		content = fmt.Appendf(slices.Clip(content), "\n//atomrace:cover %s\n", hex.EncodeToString(cover[:12]))
		sum := sha256.Sum256(append([]byte(name+"\x00"), content...))
		file := filepath.Join(dir, hex.EncodeToString(sum[:12]), filepath.Base(name))
		if err := errors.Join(writeOnce(file+".cover", r.cover[original]), writeOnce(file, content)); err != nil {
			return "", "", cacheError("writing the rewritten file", err)
		}
		MarkUsed(filepath.Dir(file))
		if !inModCache {
			replace[name] = file
		}
		triples.WriteString(name + "\x00" + original + "\x00" + file + "\x00")
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", "", fmt.Errorf("overlay: %w", err)
	}
	sum := sha256.Sum256(slices.Concat(triples.Bytes(), text))
	base := filepath.Join(dir, hex.EncodeToString(sum[:12]))
	if err := errors.Join(writeOnce(base+".json", text), writeOnce(base+".list", triples.Bytes())); err != nil {
		return "", "", cacheError("writing the overlay", err)
	}
	MarkUsed(base + ".json")
	MarkUsed(base + ".list")
	return base + ".json", base + ".list", nil
}

// cacheError says what to do about a cache that cannot be written to, on one
// line: errors that were joined have several.
func cacheError(what string, err error) error {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Errorf("%s: %s; atomrace needs a cache directory that it can write to (XDG_CACHE_HOME)", what, first)
}

// writeOnce writes a file whose name stands for its content; what is there
// already and is damaged is replaced.
func writeOnce(file string, content []byte) error {
	if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(content)
	if err := errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}

// shadowGoroot makes, or finds, the shadow of goroot with the runtime in it.
func (r *Result) shadowGoroot(dir string) (string, error) {
	goroot := r.settings.GOROOT
	files, err := r.shadowFiles()
	if err != nil {
		return "", err
	}
	version, err := os.ReadFile(filepath.Join(goroot, "VERSION"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("GOROOT: %w", err)
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q\n", goroot, version, proxyDigest())
	for _, name := range sortedKeys(files) {
		fmt.Fprintf(h, "%q %q\n", name, files[name])
	}
	shadow := filepath.Join(dir, hex.EncodeToString(h.Sum(nil)[:12]))
	if _, err := os.Stat(filepath.Join(shadow, "src", "atomrace")); err == nil {
		MarkUsed(shadow)
		return shadow, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", cacheError("shadow GOROOT", err)
	}
	tmp, err := os.MkdirTemp(dir, ".new-*")
	if err != nil {
		return "", cacheError("shadow GOROOT", err)
	}
	defer os.RemoveAll(tmp)
	if err := fillShadow(tmp, goroot, files); err != nil {
		return "", cacheError("shadow GOROOT", err)
	}
	if err := fillTools(context.Background(), tmp, goroot, r.env); err != nil {
		return "", fmt.Errorf("shadow GOROOT: %w", err)
	}
	if err := os.Rename(tmp, shadow); err != nil {
		if _, statErr := os.Stat(shadow); statErr != nil { // not made by a parallel run either
			return "", cacheError("shadow GOROOT", err)
		}
	}
	return shadow, nil
}

func fillShadow(dir, goroot string, files map[string][]byte) error {
	if err := linkAll(dir, goroot, "src", "pkg"); err != nil {
		return err
	}
	src := filepath.Join(dir, "src")
	if err := os.Mkdir(src, 0o777); err != nil {
		return err
	}
	if err := linkAll(src, filepath.Join(goroot, "src"), "atomrace"); err != nil {
		return err
	}
	for _, name := range sortedKeys(files) {
		if err := place(dir, name, files[name]); err != nil {
			return err
		}
	}
	return nil
}

// place writes a file of the shadow. Directories on the way that are links
// become directories of links first.
func place(shadow, name string, content []byte) error {
	dir := shadow
	for part := range strings.SplitSeq(filepath.Dir(name), string(filepath.Separator)) {
		dir = filepath.Join(dir, part)
		info, err := os.Lstat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if err := os.Mkdir(dir, 0o777); err != nil {
				return err
			}
		case err != nil:
			return err
		case info.Mode()&fs.ModeSymlink != 0:
			from, err := os.Readlink(dir)
			if err != nil {
				return err
			}
			if err := errors.Join(os.Remove(dir), os.Mkdir(dir, 0o777), linkAll(dir, from)); err != nil {
				return err
			}
		}
	}
	file := filepath.Join(shadow, name)
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(file, content, 0o666)
}

// shadowFiles are the files that the shadow GOROOT has beside, or in place of,
// those of GOROOT, by their paths within it.
func (r *Result) shadowFiles() (map[string][]byte, error) {
	source, err := runtimeFiles(r.options.runtimeSource())
	if err != nil {
		return nil, fmt.Errorf("reading the source of the runtime: %w", err)
	}
	files := map[string][]byte{}
	if r.options.Control {
		if files, err = patchStd(r.settings.GOROOT, r.settings.GOOS); err != nil {
			return nil, err
		}
		source["wiring.go"] = wiring()
	}
	for name, content := range source {
		files[filepath.Join("src", filepath.FromSlash(r.options.shadowRuntime()), name)] = content
	}
	return files, nil
}

// linkAll links the entries of from into dir, except some.
func linkAll(dir, from string, except ...string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if slices.Contains(except, e.Name()) {
			continue
		}
		if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// runtimeFiles are the files of the runtime that are compiled into programs.
func runtimeFiles(heal fs.FS) (map[string][]byte, error) {
	entries, err := fs.ReadDir(heal, ".")
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, e := range entries {
		name := e.Name()
		ext := filepath.Ext(name)
		if e.IsDir() || ext != ".go" && ext != ".s" && ext != ".h" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if files[name], err = fs.ReadFile(heal, name); err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, errors.New("no Go files")
	}
	return files, nil
}
