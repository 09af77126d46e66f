package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/atomrace/atomrace/internal/bank"
)

// healing runs each program with noise unhealed and under each policy, by turns.
// Under lock nothing may go wrong where all sections are assured, and under auto
// nothing may be broken that was healed already; what is, progress gets with the story
// of the first run.
func healing(ctx context.Context, c *config, w *workshop, programs []bank.Program, out, progress io.Writer) error {
	fmt.Fprintf(out, "| program | assured sections | plain: wrong | unhealed: wrong | yield: wrong | lock: wrong | lock: broken although healed | auto: wrong | auto: broken although healed |\n")
	fmt.Fprintf(out, "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	missed := 0
	for _, p := range programs {
		sections, assured, err := w.assured(ctx, p)
		if err != nil {
			return err
		}
		plain, err := w.build(ctx, p, "plain", "go", "build", "-o", "{out}", "{package}")
		if err != nil {
			return err
		}
		binary, err := w.build(ctx, p, "sections", "{tool}", "build", "-spec", "{spec}", "-o", "{out}", "{package}")
		if err != nil {
			return err
		}
		contenders := []bank.Contender{{Binary: plain}}
		for _, policy := range []string{"off", "yield", "lock", "auto"} {
			contenders = append(contenders, bank.Contender{Binary: binary, Env: func(round int) []string {
				return []string{fmt.Sprintf("ATOMRACE=noise=%s heal=%s seed=%d", c.noise, policy, round+1)}
			}})
		}
		row, err := bank.Alternate(ctx, p, contenders, c.options)
		os.Remove(plain)
		os.Remove(binary)
		if err != nil {
			return err
		}
		lock, auto := row[3], row[4]
		fmt.Fprintf(out, "| %s | %d of %d | %d | %d | %d | %d | %d | %d | %d |\n", p, assured, sections,
			bad(row[0]), bad(row[1]), bad(row[2]), bad(lock), lock.Escaped, bad(auto), auto.Escaped)
		// At once: the table takes hours, and may be interrupted.
		if sections > 0 && assured == sections && bad(lock) > 0 {
			missed++
			fmt.Fprintf(progress, "detect: %s: all sections are assured, and %d of %d runs healed by lock went wrong:\n%s\n", p, bad(lock), lock.Runs, story(lock))
		}
		if auto.Escaped > 0 {
			missed++
			fmt.Fprintf(progress, "detect: %s: in %d of %d runs under auto a section was broken although it was healed\n", p, auto.Escaped, auto.Runs)
		}
	}
	if missed > 0 {
		return fmt.Errorf("%d bars are missed", missed)
	}
	return nil
}

// story is what the first run that went wrong had to say.
func story(t bank.Tally) string {
	for _, o := range []bank.Outcome{bank.Wrong, bank.Crash, bank.Timeout} {
		if r, ok := t.First[o]; ok {
			return r.Detail + "\n" + r.Stderr
		}
	}
	return ""
}

var sectionEntry = regexp.MustCompile(`(?m)^\+\t\{ID: .*$`)

// assured counts the sections of the program, and those of them that the rewriter is
// sure may be healed by the lock.
func (w *workshop) assured(ctx context.Context, p bank.Program) (sections, assured int, err error) {
	diff, err := exec.CommandContext(ctx, w.tool, "rewrite", "-spec", w.spec, "-d", p.Package()).Output()
	if err != nil {
		return 0, 0, fmt.Errorf("%s rewrite -d %s: %w", w.tool, p.Package(), err)
	}
	for _, entry := range sectionEntry.FindAllString(string(diff), -1) {
		sections++
		if strings.Contains(entry, "Assured: true") {
			assured++
		}
	}
	return sections, assured, nil
}
