// Sample makes the tables of modules of docs/evaluation-log.md ("Samples"), and the figures of "False alarms" in docs/evaluation.md:
// it runs atomrace check on modules that others wrote, counts its reports and
// their lines of code, and draws some of the reports at random for a person to
// judge.
//
//	go run ./internal/sample                  # the modules of modules.txt
//	go run ./internal/sample MODULE@VERSION …
//
// Modules are downloaded with the go command and analyzed under their own
// go.mod in a temporary directory. The draw depends on the reports and on -seed
// alone. Atomrace is built from the source around.
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

//go:embed modules.txt
var modules string

// options are the command's flags.
type options struct {
	seed uint64 // of the draw
	n    int    // reports to draw
	all  bool   // print every report
	std  bool   // the standard library rather than modules
	tool string // an atomrace that is built already
	keep string // where to keep the modules, for reading and further runs
}

func main() {
	var o options
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the draw")
	flag.IntVar(&o.n, "n", 60, "how many reports to draw")
	flag.BoolVar(&o.all, "all", false, "print all reports instead")
	flag.BoolVar(&o.std, "std", false, "analyze the standard library")
	flag.StringVar(&o.tool, "tool", "", "use this atomrace instead of building one")
	flag.StringVar(&o.keep, "keep", "", "copy the modules into this directory and leave them there")
	flag.Parse()
	if err := run(o, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "sample:", err)
		os.Exit(1)
	}
}

func run(o options, wanted []string) error {
	if len(wanted) == 0 {
		wanted = strings.Fields(modules)
	}
	tmp, err := os.MkdirTemp("", "sample")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if o.keep == "" {
		o.keep = tmp
	}
	if o.keep, err = filepath.Abs(o.keep); err != nil {
		return err
	}
	if o.tool == "" {
		o.tool = filepath.Join(tmp, "atomrace")
		if out, err := exec.Command("go", "build", "-o", o.tool, "github.com/atomrace/atomrace/cmd/atomrace").CombinedOutput(); err != nil {
			return fmt.Errorf("building atomrace: %w\n%s", err, out)
		}
	}
	fmt.Println("| module | packages | lines | reports | per 10,000 lines | seconds | peak MiB |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|")
	var total row
	var reports []report
	failed := false
	if o.std {
		wanted = []string{"std"}
	}
	for _, m := range wanted {
		r, found, err := look(o, m)
		if err != nil {
			fmt.Fprintf(os.Stderr, "sample: %s: %v\n", m, err)
			failed = true
			continue
		}
		fmt.Println(r)
		total.add(r)
		reports = append(reports, found...)
	}
	fmt.Println(total)
	if !o.all {
		reports = draw(reports, o.n, o.seed)
	}
	fmt.Println()
	for _, r := range reports {
		fmt.Println(r)
	}
	if failed {
		return errors.New("some modules could not be analyzed")
	}
	return nil
}

// look downloads and analyzes one module.
func look(o options, module string) (row, []report, error) {
	dir, err := fetch(o, module)
	if err != nil {
		return row{}, nil, err
	}
	return analyze(o.tool, module, dir)
}

// draw takes n of the reports by the seed, in their order.
func draw(reports []report, n int, seed uint64) []report {
	chosen := map[int]bool{}
	for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(len(reports))[:min(n, len(reports))] {
		chosen[i] = true
	}
	var drawn []report
	for i, r := range reports {
		if chosen[i] {
			drawn = append(drawn, r)
		}
	}
	return drawn
}

// fetch copies a module out of the module cache, where go commands that write
// go.sum would be refused.
func fetch(o options, module string) (string, error) {
	if module == "std" {
		root, err := exec.Command("go", "env", "GOROOT").Output()
		return filepath.Join(strings.TrimSpace(string(root)), "src"), err
	}
	path, _, ok := strings.Cut(module, "@")
	if !ok {
		return "", fmt.Errorf("no version is given: write MODULE@VERSION")
	}
	dir := filepath.Join(o.keep, strings.NewReplacer("/", "-").Replace(module))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir = os.TempDir() // not the module around, whose versions would count
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("downloading: %w\n%s", err, out)
	}
	var got struct{ Dir string }
	if err := json.Unmarshal(out, &got); err != nil {
		return "", err
	}
	if err := os.CopyFS(dir, os.DirFS(got.Dir)); err != nil {
		return "", err
	}
	if err := exec.Command("chmod", "-R", "u+w", dir).Run(); err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		for _, args := range [][]string{{"mod", "init", path}, {"mod", "tidy", "-e"}} {
			cmd := exec.Command("go", args...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
			}
		}
	}
	return dir, dropReplaced(dir)
}

// dropReplaced removes the replacements by neighbouring directories, which are
// not part of the module.
func dropReplaced(dir string) error {
	cmd := exec.Command("go", "mod", "edit", "-json")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go mod edit: %w", err)
	}
	var mod struct {
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		return err
	}
	for _, r := range mod.Replace {
		if r.New.Version == "" {
			cmd := exec.Command("go", "mod", "edit", "-dropreplace="+r.Old.Path)
			cmd.Dir = dir
			if err := cmd.Run(); err != nil {
				return fmt.Errorf("go mod edit: %w", err)
			}
		}
	}
	return nil
}

// analyze runs the tool over all packages in dir.
func analyze(tool, module, dir string) (row, []report, error) {
	pattern := "./..."
	if module == "std" {
		pattern = "std"
	}
	r := row{module: module}
	files, packages, err := sources(dir, pattern)
	if err != nil {
		return r, nil, err
	}
	r.packages = packages
	for _, f := range files {
		n, err := lines(f)
		if err != nil {
			return r, nil, err
		}
		r.lines += n
	}
	cmd := exec.Command(tool, "check", "-json", "-test=false", pattern)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false", "GOWORK=off")
	if module == "std" {
		cmd.Env = os.Environ()
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	from := time.Now()
	err = cmd.Run()
	if cmd.ProcessState == nil {
		return r, nil, err
	}
	r.seconds = time.Since(from).Seconds()
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.peak = u.Maxrss >> 10
	}
	if bytes.Contains(stderr.Bytes(), []byte("goroutine ")) {
		return r, nil, fmt.Errorf("atomrace panicked:\n%s", &stderr)
	}
	found, parseErr := parse(stdout.Bytes(), dir, module)
	if parseErr != nil {
		return r, nil, fmt.Errorf("%v: %w\n%s", err, parseErr, &stderr)
	}
	r.broken = bytes.Count(stderr.Bytes(), []byte("\n"))
	r.reports = len(found)
	return r, found, nil
}
