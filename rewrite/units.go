package rewrite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
)

// listed is a package as go list describes it.
type listed struct {
	ImportPath, Dir, ForTest           string
	Standard, DepOnly                  bool
	Module                             *listedModule
	GoFiles, CgoFiles                  []string
	TestGoFiles, XTestGoFiles          []string
	EmbedFiles, TestEmbedFiles         []string
	XTestEmbedFiles                    []string
	Imports, TestImports, XTestImports []string
}

type listedModule struct {
	GoVersion string
	Main      bool
}

// isOwn says whether the package belongs to a main module of the user, or is a
// list of files, or what the go command can say nothing about, which is left to
// loading it.
func (p *listed) isOwn() bool {
	if p.Module != nil {
		return p.Module.Main
	}
	return !p.Standard && !p.DepOnly
}

func (p *listed) goVersion() string {
	if p.Module == nil {
		return ""
	}
	return p.Module.GoVersion
}

// listDependencies lists the packages that the patterns match and all that
// these depend on, each after its dependencies, without the variants that are
// made for tests.
func listDependencies(ctx context.Context, o Options, env, patterns []string) ([]*listed, error) {
	args := []string{"list", "-e", "-deps", "-json=ImportPath,Dir,ForTest,Standard,DepOnly,Module,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,EmbedFiles,TestEmbedFiles,XTestEmbedFiles,Imports,TestImports,XTestImports"}
	if o.Tests {
		args = append(args, "-test")
	}
	args = append(args, o.BuildFlags...)
	args = append(args, "--")
	out, err := goCommand(ctx, o.Dir, env, append(args, patterns...)...)
	if err != nil {
		return nil, err
	}
	var list []*listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("reading the output of go list: %w", err)
		}
		if p.ForTest == "" && !strings.HasSuffix(p.ImportPath, ".test") {
			list = append(list, p)
		}
	}
}

// embeddedFiles are the Go files that go:embed puts into the program as they
// are: the go command would embed what the overlay has in their place.
func embeddedFiles(list []*listed) map[string]bool {
	files := map[string]bool{}
	for _, p := range list {
		for _, name := range slices.Concat(p.EmbedFiles, p.TestEmbedFiles, p.XTestEmbedFiles) {
			if strings.HasSuffix(name, ".go") {
				files[filepath.Join(p.Dir, name)] = true
			}
		}
	}
	return files
}

// keys name the result of rewriting each own package by all that it depends
// on: its files, the declarations of the packages it imports, the part of the
// spec, the options, and the tool.
type keys struct {
	options Options
	common  string // the tool, the toolchain and the flags of the build
	base    string // what all rewritten packages share
	cache   string // directory of module cache, whose content never changes
	byPath  map[string]*listed
	embeds  map[string]bool
	shapes  map[string]string // by import path, of the declarations with those below
}

// toolDigest identifies this program: by what the linker has noted of its content or,
// where there is no such note, by the content, which takes as long as to load all that
// a small program consists of.
func toolDigest() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(self)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if id := buildID(f); len(id) > 0 {
		h.Write(id)
		return sum(h), nil
	}
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return sum(h), nil
}

// buildID is the note of Go's linker in an ELF file, whose last part is a digest of all
// that the file holds; nil where there is none.
func buildID(f *os.File) []byte {
	file, err := elf.NewFile(f)
	if err != nil {
		return nil
	}
	note := file.Section(".note.go.buildid")
	if note == nil {
		return nil
	}
	id, err := note.Data()
	if err != nil || bytes.Count(id, []byte("/")) < 3 {
		return nil
	}
	return id
}

func sum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:16]) }

func newKeys(o Options, s settings, list []*listed) (*keys, error) {
	tool, err := toolDigest()
	if err != nil {
		return nil, err
	}
	k := &keys{options: o, cache: s.GOMODCACHE, byPath: map[string]*listed{}, embeds: embeddedFiles(list), shapes: map[string]string{}}
	k.common = fmt.Sprintf("%s %+v %q", tool, s, o.BuildFlags)
	h := sha256.New()
	fmt.Fprintf(h, "%s %v %v %v %v %q %q %q", k.common, o.Races, o.Thin, o.Control, o.Tests, o.Defaults, o.Deps, o.Std)
	k.base = sum(h)
	for _, p := range list {
		k.byPath[p.ImportPath] = p
	}
	return k, nil
}

// of is the key of an own package together with its tests; empty when a file
// cannot be read.
func (k *keys) of(p *listed) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %q %q %q %v\n", k.base, p.ImportPath, p.Dir, p.goVersion(), p.DepOnly && !p.isOwn())
	for _, list := range [][]string{p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles} {
		for _, name := range list {
			text, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				return ""
			}
			fmt.Fprintf(h, "%q %d %v\n", name, len(text), k.embeds[filepath.Join(p.Dir, name)])
			h.Write(text)
		}
	}
	below := map[string]bool{p.ImportPath: true, p.ImportPath + "_test": true}
	imports := p.Imports
	if k.options.Tests {
		imports = slices.Concat(p.Imports, p.TestImports, p.XTestImports)
	}
	for _, path := range slices.Compact(slices.Sorted(slices.Values(imports))) {
		fmt.Fprintf(h, "%q %s\n", path, k.shape(path))
		k.collect(path, below)
	}
	if k.options.Spec != nil {
		part := &atomicity.Spec{Version: k.options.Spec.Version}
		for _, s := range k.options.Spec.Packages {
			if below[s.Path] {
				part.Packages = append(part.Packages, s)
			} else if foreign := declaredBy(below, s); foreign != nil {
				part.Packages = append(part.Packages, foreign)
			}
		}
		fmt.Fprintf(h, "%s\n", part.Digest())
	}
	return sum(h)
}

// declaredBy is the part of the package's spec that is about variables of the packages
// below, nil if there is none.
func declaredBy(below map[string]bool, spec *atomicity.Package) *atomicity.Package {
	var found []*atomicity.Variable
	for _, v := range spec.Variables {
		base := strings.LastIndexByte(v.Name, '/') + 1
		for i := base; i < len(v.Name); i++ {
			if v.Name[i] == '.' && below[v.Name[:i]] {
				found = append(found, v)
				break
			}
		}
	}
	if found == nil {
		return nil
	}
	return &atomicity.Package{Path: spec.Path, Variables: found}
}

// inferred is the key of a selection.
func (k *keys) inferred(s *Selection) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", k.common)
	specs := map[string]bool{}
	for _, path := range s.Packages {
		p := k.byPath[path]
		fmt.Fprintf(h, "%q %q %q\n", path, p.Dir, p.goVersion())
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
			text, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				return ""
			}
			fmt.Fprintf(h, "%q %d\n", name, len(text))
			h.Write(text)
		}
		for _, i := range p.Imports {
			fmt.Fprintf(h, "%q %s\n", i, k.shape(i))
		}
		for _, file := range atomicity.Files(p.Dir) {
			if specs[file] {
				continue
			}
			specs[file] = true
			text, err := os.ReadFile(file)
			if err != nil {
				return ""
			}
			fmt.Fprintf(h, "%q %d\n%s", file, len(text), text)
		}
	}
	return sum(h)
}

// collect adds the package and all below it.
func (k *keys) collect(path string, below map[string]bool) {
	if below[path] {
		return
	}
	below[path] = true
	if p := k.byPath[path]; p != nil {
		for _, i := range p.Imports {
			k.collect(i, below)
		}
	}
}

// shape digests what an importer can know of the package: its declarations
// without the bodies of functions, and the same of what it imports. So a change
// within a function concerns its own package alone.
func (k *keys) shape(path string) string {
	if s, ok := k.shapes[path]; ok {
		return s
	}
	p := k.byPath[path]
	h := sha256.New()
	switch {
	case p == nil || p.Standard: // the toolchain's version is in the base
		fmt.Fprintf(h, "%q", path)
	case p.Module != nil && k.cache != "" && strings.HasPrefix(p.Dir, k.cache+string(filepath.Separator)):
		fmt.Fprintf(h, "%q %q", path, p.Dir)
	default:
		fmt.Fprintf(h, "%q %v\n", path, p.isOwn())
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
			fmt.Fprintf(h, "%q\n", name)
			h.Write(declarations(filepath.Join(p.Dir, name)))
		}
	}
	k.shapes[path] = ""
	if p != nil && !p.Standard {
		for _, i := range p.Imports {
			fmt.Fprintf(h, "%s\n", k.shape(i))
		}
	}
	k.shapes[path] = sum(h)
	return k.shapes[path]
}

// declarations is the text of the file without comments and function bodies,
// or all of it when it does not parse.
func declarations(file string) []byte {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
	if err != nil {
		return text
	}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			d.Body = nil
		}
	}
	var b bytes.Buffer
	if printer.Fprint(&b, fset, f) != nil {
		return text
	}
	return b.Bytes()
}
