package rewrite

import (
	"bytes"
	"context"
	"flag"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/dave/dst/decorator"
)

// The tests of this file take the standard library as a body of code nobody
// wrote for them. By default they look at a part of it; docs/goroot.sh sets the
// flags for all.
var (
	gorootSources = flag.String("goroot.src", "container,encoding,sort,text", "folders of GOROOT/src to print again, \".\" for all")
	gorootStd     = flag.String("goroot.std", "container/...,encoding/json,sort,text/...", "standard packages to rewrite and build")
)

// TestRoundTrip takes every source file through the syntax tree that the passes
// work on, and back: what has no hooks comes out as it went in.
func TestRoundTrip(t *testing.T) {
	goroot, err := goEnv(context.Background(), "", nil, "GOROOT")
	if err != nil {
		t.Fatal(err)
	}
	changed, files := 0, 0
	for _, dir := range strings.Split(*gorootSources, ",") {
		root := filepath.Join(goroot, "src", dir)
		err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && d.Name() == "testdata" {
				return errorOr(err, fs.SkipDir)
			}
			if d.IsDir() || filepath.Ext(file) != ".go" {
				return nil
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			files++
			if diff := roundTrip(t, file, text); diff {
				changed++
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d files, %d changed", files, changed)
	if files < 100 {
		t.Errorf("only %d files", files)
	}
}

func errorOr(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

func roundTrip(t *testing.T, file string, text []byte) (changed bool) {
	want, err := format.Source(text)
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return true
	}
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, text, parser.ParseComments)
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return true
	}
	root, err := decorator.NewDecorator(fset).DecorateFile(parsed)
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return true
	}
	restorer := decorator.NewRestorer().FileRestorer()
	restored, err := restorer.RestoreFile(root)
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return true
	}
	var b bytes.Buffer
	if err := format.Node(&b, restorer.Fset, restored); err != nil {
		t.Errorf("%s: %v", file, err)
		return true
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("%s: changed", file)
		return true
	}
	return false
}

// TestStandardLibrary hooks every shared access in the standard packages and
// compiles the result, for two architectures.
func TestStandardLibrary(t *testing.T) {
	for _, arch := range []string{"amd64", "arm64"} {
		t.Run(arch, func(t *testing.T) {
			if testing.Short() && arch != runtime.GOARCH {
				t.Skip("compiles the standard library once more; TestOtherArchitecture compiles a part of it")
			}
			dir := t.TempDir()
			write(t, filepath.Join(dir, "go.mod"), "module example.com/std\n\ngo 1.26\n")
			patterns := strings.Split(*gorootStd, ",")
			env := append(os.Environ(), "GOOS=linux", "GOARCH="+arch)
			r, err := Rewrite(context.Background(), Options{
				Dir: dir, Patterns: patterns, Std: patterns, Env: env, Races: true, HealSource: os.DirFS("../heal"),
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %d packages, %d files, %d accesses hooked, %d left alone", arch, r.Hooks.Packages, r.Hooks.Files, r.Hooks.Races, len(r.Unhooked))
			if r.Hooks.Races < 500 {
				t.Errorf("only %d accesses", r.Hooks.Races)
			}
			injection, err := r.Install(filepath.Join(t.TempDir(), "cache"))
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(injection.Go, append(append([]string{"build"}, injection.Flags()...), patterns...)...)
			cmd.Dir, cmd.Env = dir, append(env, injection.Env()...)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
