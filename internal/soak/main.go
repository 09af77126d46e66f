//go:build unix

// Command soak puts a server with twenty healed sections under load, and beside it the
// same server without hooks, in turns of a quarter of a second, so that what else the
// machine does falls on both alike:
//
//	go run ./internal/soak [-for 60s] [-changes 1]    # in the repository
//
// That is 60 s of load for each. A request makes so many changes, 1 to 10, and runs
// through two sections for each of them.
//
// It compares latencies, goroutines and memory, looks whether what the sections keep
// together is right, sends SIGTERM, and exits with 1 if the healed server loses a
// change, grows, or does not end in order. The latencies are printed, for they depend on
// the machine, and decide nothing.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// clients that send requests, each one after the other.
const clients = 4

// turn is how long one server has the load.
const turn = 250 * time.Millisecond

func main() {
	load := flag.Duration("for", time.Minute, "load for each of the two servers")
	changes := flag.Int("changes", 1, "of one request, 1 to 10")
	flag.Parse()
	if *load <= 0 || *changes < 1 || *changes > 10 || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "soak: usage: soak [-for 60s] [-changes 1], a duration above 0 and 1 to 10 changes")
		os.Exit(2)
	}
	if err := soak(*load, *changes); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func soak(load time.Duration, changes int) error {
	dir, err := os.MkdirTemp("", "soak")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := build(dir); err != nil {
		return err
	}
	native, err := start(filepath.Join(dir, "native"), "")
	if err != nil {
		return err
	}
	defer native.kill()
	healed, err := start(filepath.Join(dir, "healed"), "heal=lock")
	if err != nil {
		return err
	}
	defer healed.kill()
	both := []*server{native, healed}

	for range 4 { // connections, pools and caches come into being
		for _, s := range both {
			s.load(turn, changes)
		}
	}
	for _, s := range both {
		s.latencies.reset()
		s.each = nil
		if s.before, err = s.state(); err != nil {
			return err
		}
	}
	for i, start := 0, time.Now(); time.Since(start) < 2*load; i++ {
		for k := range both { // each of them is the first one as often
			both[(i+k)%2].load(turn, changes)
		}
	}
	for _, s := range both {
		if s.after, err = s.state(); err != nil {
			return err
		}
		s.ended = s.stop()
	}
	return report(native, healed)
}

// build makes both servers, the healed one with what infer finds in it.
func build(dir string) error {
	atomrace, tree := filepath.Join(dir, "atomrace"), filepath.Join(dir, "tree")
	if err := os.CopyFS(tree, os.DirFS(filepath.Join("testdata", "workloads", "soak"))); err != nil {
		return fmt.Errorf("run this inside the repository: %w", err)
	}
	for _, c := range []struct {
		dir   string
		words []string
	}{
		{"", []string{"go", "build", "-o", atomrace, "./cmd/atomrace"}},
		{tree, []string{"go", "build", "-o", filepath.Join(dir, "native"), "."}},
		{tree, []string{atomrace, "infer", "."}},
		{tree, []string{atomrace, "build", "-o", filepath.Join(dir, "healed"), "."}},
	} {
		cmd := exec.Command(c.words[0], c.words[1:]...)
		cmd.Dir = c.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", strings.Join(c.words, " "), err, out)
		}
	}
	return nil
}

// report prints what the servers were like, and returns what went wrong.
func report(native, healed *server) error {
	fmt.Printf("%-8s %10s %12s %10s %10s %10s %8s %12s %14s %6s\n", "", "requests", "cpu/request", "p50", "p99", "p99.9", "lost", "goroutines", "heap KB", "exit")
	for _, s := range []*server{native, healed} {
		fmt.Printf("%-8s %10d %12v %10v %10v %10v %8d %12s %14s %6s\n", s.name, s.latencies.count(), s.cpu(), s.latencies.quantile(0.5), s.latencies.quantile(0.99), s.latencies.quantile(0.999),
			s.lost(), fmt.Sprintf("%d, %d", s.before.Goroutines, s.after.Goroutines), fmt.Sprintf("%d, %d", s.before.Heap>>10, s.after.Heap>>10), s.exit())
	}
	fmt.Printf("healed over native, turn by turn, quartiles of %d: p50 %s, p99 %s\n%s", len(healed.each), ratio(healed, native, 0.5), ratio(healed, native, 0.99), healed.said())
	switch {
	case healed.failed > 0 || native.failed > 0:
		return fmt.Errorf("%d requests failed, %d of them healed", healed.failed+native.failed, healed.failed)
	case healed.lost() != 0:
		return fmt.Errorf("%d changes are lost although all sections are healed", healed.lost())
	case healed.after.Goroutines > healed.before.Goroutines+2:
		return fmt.Errorf("there were %d goroutines and are %d", healed.before.Goroutines, healed.after.Goroutines)
	case healed.after.Heap > healed.before.Heap+healed.before.Heap/4+512<<10:
		return fmt.Errorf("the heap had %d bytes and has %d", healed.before.Heap, healed.after.Heap)
	case healed.ended != nil:
		return fmt.Errorf("after SIGTERM: %w", healed.ended)
	}
	return nil
}

// ratio is how much more than b's the q quantile of a's latencies is: by how many per
// cent in the median turn, and in those at the quartiles. A turn is compared with the
// one beside it, for which the machine was much the same.
func ratio(a, b *server, q float64) string {
	var all []float64
	for i := range min(len(a.each), len(b.each)) {
		if below := b.each[i].quantile(q); below > 0 {
			all = append(all, 100*(float64(a.each[i].quantile(q))/float64(below)-1))
		}
	}
	if len(all) == 0 {
		return "unknown"
	}
	slices.Sort(all)
	n := len(all)
	return fmt.Sprintf("%+.1f %% (%+.1f to %+.1f)", all[n/2], all[n/4], all[n*3/4])
}
