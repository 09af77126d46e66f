package rewrite

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// coverProxy is the program that takes the place of the cover tool in a shadow
// GOROOT. It is compiled there with the user's toolchain.
//
//go:embed coverproxy/main.go coverproxy/merge.go
var coverProxy embed.FS

var proxyFiles = []string{"main.go", "merge.go"}

func proxySource(name string) []byte {
	text, err := coverProxy.ReadFile("coverproxy/" + name)
	if err != nil {
		panic(err) // it is compiled in
	}
	return text
}

// proxyDigest changes with the proxy.
func proxyDigest() string {
	h := sha256.New()
	for _, name := range proxyFiles {
		h.Write(proxySource(name))
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// fillTools links the toolchain's tools into the shadow's pkg directory, with
// the proxy for cover.
func fillTools(ctx context.Context, dir, goroot string, env []string) error {
	out, err := commandOutput(ctx, filepath.Join(goroot, "bin", "go"), "", append(env, "GOROOT="+goroot, "GOTOOLCHAIN=local"), "env", "GOTOOLDIR")
	if err != nil {
		return err
	}
	toolDir := strings.TrimSpace(string(out))
	rel, err := filepath.Rel(filepath.Join(goroot, "pkg", "tool"), toolDir)
	if err != nil || strings.HasPrefix(rel, "..") {
		return fmt.Errorf("the tools are in %s, outside of GOROOT", toolDir)
	}
	pkg := filepath.Join(dir, "pkg")
	tools := filepath.Join(pkg, "tool", rel)
	if err := os.MkdirAll(tools, 0o777); err != nil {
		return err
	}
	if err := linkAll(pkg, filepath.Join(goroot, "pkg"), "tool"); err != nil {
		return err
	}
	exe := ""
	if strings.HasSuffix(filepath.Base(coverName(toolDir)), ".exe") {
		exe = ".exe"
	}
	if err := linkAll(tools, toolDir, "cover"+exe); err != nil {
		return err
	}
	real := filepath.Join(tools, "real") // a folder, since tools print the name they are called by
	if err := os.Mkdir(real, 0o777); err != nil {
		return err
	}
	if err := os.Symlink(filepath.Join(toolDir, "cover"+exe), filepath.Join(real, "cover"+exe)); err != nil {
		return err
	}
	source := filepath.Join(dir, "atomrace-cover")
	if err := os.Mkdir(source, 0o777); err != nil {
		return err
	}
	for _, name := range proxyFiles {
		if err := os.WriteFile(filepath.Join(source, name), proxySource(name), 0o666); err != nil {
			return err
		}
	}
	env = append(env, "GOROOT="+goroot, "GOTOOLCHAIN=local", "GOFLAGS=", "GO111MODULE=off", "GOOS=", "GOARCH=", "CGO_ENABLED=0", "GOWORK=off")
	args := append([]string{"build", "-ldflags=-X main.digest=" + proxyDigest(), "-o", filepath.Join(tools, "cover"+exe)}, proxyFiles...)
	// That of goroot: the first one in PATH hands over to it where go.mod or GOTOOLCHAIN
	// want so, and is of another version.
	_, err = commandOutput(ctx, filepath.Join(goroot, "bin", "go"), source, env, args...)
	return err
}

func coverName(toolDir string) string {
	if name := filepath.Join(toolDir, "cover.exe"); exists(name) {
		return name
	}
	return filepath.Join(toolDir, "cover")
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
