//go:build linux

// Command macro measures what hooks cost the programs of testdata/workloads:
// it builds each of them in several ways, runs these in turn, and prints lines
// for benchstat, with the processor time and the peak memory of each run.
//
//	macro [-n 10] [-only variant,...] [-keep dir] [workload ...]
package main

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/atomrace/atomrace/atomicity"
)

// A variant is one way to build a program. The go command or atomrace comes
// before args.
type variant struct {
	name     string
	atomrace bool
	args     []string
	spec     string // atomicity.yaml; empty: sections are inferred
	drawn    int    // so many of the inferred sections, drawn at random, or all where there are fewer
}

const noSections = "version: 1\npackages: []\n"

var variants = []variant{
	{name: "native", args: []string{"build"}},
	{name: "races", atomrace: true, args: []string{"build", "-races", "-deps=all"}, spec: noSections},
	{name: "races-all", atomrace: true, args: []string{"build", "-races", "-deps=all", "-budget=none"}, spec: noSections},
	{name: "races+sections", atomrace: true, args: []string{"build", "-races", "-deps=all"}},
	{name: "50-sections", atomrace: true, args: []string{"build", "-deps=all"}, drawn: 50},
	{name: "50-sections-10%", atomrace: true, args: []string{"build", "-deps=all", "-budget=10%"}, drawn: 50},
	{name: "50-sections-all", atomrace: true, args: []string{"build", "-deps=all", "-budget=none"}, drawn: 50},
	{name: "race-detector", args: []string{"build", "-race"}},
}

func main() {
	n := flag.Int("n", 10, "`runs` of each program")
	only := flag.String("only", "", "`variants` to measure, separated by commas (default: all)")
	keep := flag.String("keep", "", "build the programs in this `directory` and leave them there, as WORKLOAD-VARIANT")
	flag.Parse()
	if *only != "" {
		wanted := strings.Split(*only, ",")
		variants = slices.DeleteFunc(variants, func(v variant) bool { return !slices.Contains(wanted, v.name) })
	}
	if err := measure(*n, *keep, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "macro:", err)
		os.Exit(1)
	}
}

func measure(n int, keep string, workloads []string) error {
	if len(workloads) == 0 {
		workloads = []string{"lru", "buntdb", "leveldb", "http", "zstd"}
	}
	dir, err := workDir(keep)
	if err != nil {
		return err
	}
	if keep == "" {
		defer os.RemoveAll(dir)
	}
	atomrace := filepath.Join(dir, "atomrace")
	if err := run("", "go", "build", "-o", atomrace, "./cmd/atomrace"); err != nil {
		return err
	}
	for _, w := range workloads {
		tree := filepath.Join(dir, w)
		if err := os.RemoveAll(tree); err != nil { // of an earlier run, with -keep
			return err
		}
		if err := os.CopyFS(tree, os.DirFS(filepath.Join("testdata", "workloads", w))); err != nil {
			return fmt.Errorf("no such workload: %w", err)
		}
		for _, v := range variants {
			if err := v.build(atomrace, tree); err != nil {
				return fmt.Errorf("%s, %s: %w", w, v.name, err)
			}
		}
	}
	for range n {
		for _, w := range workloads {
			for _, v := range variants {
				if err := v.run(dir, w); err != nil {
					return fmt.Errorf("%s, %s: %w", w, v.name, err)
				}
			}
		}
	}
	return nil
}

// workDir is where the programs are built: keep, or a new directory if that is empty.
func workDir(keep string) (string, error) {
	if keep == "" {
		return os.MkdirTemp("", "macro")
	}
	dir, err := filepath.Abs(keep)
	if err != nil {
		return "", err
	}
	return dir, os.MkdirAll(dir, 0o777)
}

func (v variant) build(atomrace, tree string) error {
	spec := filepath.Join(tree, "atomicity.yaml")
	defer os.Remove(spec)
	if v.spec != "" {
		if err := os.WriteFile(spec, []byte(v.spec), 0o666); err != nil {
			return err
		}
	}
	if v.drawn > 0 {
		if err := draw(atomrace, tree, spec, v.drawn); err != nil {
			return err
		}
	}
	tool := "go"
	if v.atomrace {
		tool = atomrace
	}
	return run(tree, tool, append(v.args, "-o", tree+"-"+v.name, ".")...)
}

// draw writes a spec of n of the sections that infer finds in the program and the
// modules it uses: the same ones each time.
func draw(atomrace, tree, file string, n int) error {
	list := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".")
	list.Dir = tree
	packages, err := list.Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	if err := run(tree, atomrace, append([]string{"infer", "-o", file}, strings.Fields(string(packages))...)...); err != nil {
		return err
	}
	spec, err := atomicity.Load(file)
	if err != nil {
		return err
	}
	var all []*atomicity.Section
	for _, p := range spec.Packages {
		for _, v := range p.Variables {
			all = append(all, v.Sections...)
		}
	}
	random := rand.New(rand.NewPCG(50, 1))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	fmt.Fprintf(os.Stderr, "%s: %d of %d sections\n", filepath.Base(tree), min(n, len(all)), len(all))
	kept := map[*atomicity.Section]bool{}
	for _, s := range all[:min(n, len(all))] {
		kept[s] = true
	}
	for _, p := range spec.Packages {
		for _, v := range p.Variables {
			v.Sections = slices.DeleteFunc(v.Sections, func(s *atomicity.Section) bool { return !kept[s] })
		}
		p.Variables = slices.DeleteFunc(p.Variables, func(v *atomicity.Variable) bool { return len(v.Sections) == 0 })
	}
	if err := os.Remove(file); err != nil {
		return err
	}
	return spec.Save(file)
}

func run(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// run runs the workload once and prints what it took. Reports of the hooks are
// passed on.
func (v variant) run(dir, workload string) error {
	cmd := exec.Command(filepath.Join(dir, workload+"-"+v.name))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	ended, peak := make(chan bool), make(chan int64)
	go watch(cmd.Process.Pid, ended, peak)
	err := cmd.Wait()
	close(ended)
	if err != nil || out.Len() > 0 {
		return fmt.Errorf("it went wrong: %v\n%s", err, &out)
	}
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	fmt.Printf("BenchmarkWorkload/%s/variant=%s 1 %d cpu-ns/op %d peak-B/op\n", workload, v.name, cpu.Nanoseconds(), <-peak)
	return nil
}

// watch looks at the peak memory of a process until it has ended, and tells the last that
// it saw. What the kernel says of the process afterwards counts the memory of the one
// that has started it, too, which is more than that of a small program.
func watch(pid int, ended <-chan bool, peak chan<- int64) {
	last := int64(0)
	for {
		if status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err == nil {
			if _, after, ok := strings.Cut(string(status), "VmHWM:"); ok {
				var kilobytes int64
				if _, err := fmt.Sscan(after, &kilobytes); err == nil {
					last = max(last, kilobytes<<10)
				}
			}
		}
		select {
		case <-ended:
			peak <- last
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}
