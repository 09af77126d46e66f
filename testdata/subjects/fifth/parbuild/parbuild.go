// Package parbuild compiles the units of a package tree side by side.
package parbuild

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

type Unit struct {
	Name    string
	Sources []string
	Flags   []string
}

type Result struct {
	Unit   string
	Object string
	Cached bool
	Took   time.Duration
}

type Failure struct {
	Unit   string
	Output string
	Err    error
}

func (f *Failure) Error() string { return fmt.Sprintf("%s: %v\n%s", f.Unit, f.Err, f.Output) }
func (f *Failure) Unwrap() error { return f.Err }

type Builder struct {
	Compiler string
	OutDir   string
	Parallel int
	KeepOn   bool // go on after a failure
}

func (b *Builder) objectName(u Unit) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00", u.Name)
	for _, src := range u.Sources {
		raw, err := os.ReadFile(src)
		if err != nil {
			return "", err
		}
		h.Write(raw)
	}
	for _, f := range u.Flags {
		h.Write([]byte(f))
	}
	return filepath.Join(b.OutDir, hex.EncodeToString(h.Sum(nil)[:12])+".o"), nil
}

func (b *Builder) compile(ctx context.Context, u Unit) (Result, error) {
	start := time.Now()
	obj, err := b.objectName(u)
	if err != nil {
		return Result{}, &Failure{Unit: u.Name, Err: err}
	}
	if _, err := os.Stat(obj); err == nil {
		return Result{Unit: u.Name, Object: obj, Cached: true, Took: time.Since(start)}, nil
	}
	args := append([]string{"-c", "-o", obj}, u.Flags...)
	out, err := exec.CommandContext(ctx, b.Compiler, append(args, u.Sources...)...).CombinedOutput()
	if err != nil {
		return Result{}, &Failure{Unit: u.Name, Output: string(out), Err: err}
	}
	return Result{Unit: u.Name, Object: obj, Took: time.Since(start)}, nil
}

// Build compiles all units. The results come in the order of the units; failed ones are zero.
func (b *Builder) Build(ctx context.Context, units []Unit) ([]Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make([]Result, len(units))
	slots := make(chan struct{}, max(1, b.Parallel))
	var (
		wg   sync.WaitGroup
		errs []error
	)
	for i, u := range units {
		slots <- struct{}{}
		if ctx.Err() != nil {
			<-slots
			break
		}
		wg.Add(1)
		go func() {
			defer func() { <-slots; wg.Done() }()
			res, err := b.compile(ctx, u)
			if err != nil {
				errs = append(errs, err)
				if !b.KeepOn {
					cancel()
				}
				return
			}
			results[i] = res
		}()
	}
	wg.Wait()
	return results, errors.Join(errs...)
}
