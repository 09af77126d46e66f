package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"runtime/pprof"
	"os"
	"time"

	"github.com/atomrace/atomrace/analyzers"
	"github.com/atomrace/atomrace/analyzers/section"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

type rel struct {
	Posn    string `json:"posn"`
	Message string `json:"message"`
}
type diag struct {
	Posn     string `json:"posn"`
	Message  string `json:"message"`
	Category string `json:"category"`
	Related  []rel  `json:"related,omitempty"`
}

func main() {
	dir := flag.String("C", ".", "")
	js := flag.Bool("json", false, "")
	cand := flag.Bool("cand", false, "")
	tests := flag.Bool("test", false, "")
	flag.Parse()
	t0 := time.Now()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: *dir, Tests: *tests}, flag.Args()...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	t1 := time.Now()
	if f := os.Getenv("CPUPROF"); f != "" {
		w, _ := os.Create(f)
		pprof.StartCPUProfile(w)
		defer pprof.StopCPUProfile()
	}
	var as []*analysis.Analyzer = analyzers.All()
	g, err := checker.Analyze(as, pkgs, nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	out := map[string]map[string][]diag{}
	n, nc := 0, 0
	for _, act := range g.Roots {
		if act.Err != nil {
			fmt.Fprintln(os.Stderr, act, act.Err)
			continue
		}
		fset := act.Package.Fset
		for _, d := range act.Diagnostics {
			n++
			dd := diag{Posn: fset.Position(d.Pos).String(), Message: d.Message, Category: d.Category}
			for _, r := range d.Related {
				dd.Related = append(dd.Related, rel{fset.Position(r.Pos).String(), r.Message})
			}
			if out[act.Package.ID] == nil {
				out[act.Package.ID] = map[string][]diag{}
			}
			out[act.Package.ID][act.Analyzer.Name] = append(out[act.Package.ID][act.Analyzer.Name], dd)
			if !*js {
				fmt.Printf("%s: [%s] %s", dd.Posn, d.Category, d.Message)
				if len(dd.Related) > 1 {
					fmt.Printf("  -> %s", dd.Related[1].Posn[len(dd.Related[1].Posn)-8:])
				}
				fmt.Println()
			}
		}
		if cs, ok := act.Result.([]*section.Candidate); ok {
			nc += len(cs)
			if *cand {
				for _, c := range cs {
					fmt.Printf("   C %s %s sure=%v %s ev=%q -> line %d\n", fset.Position(c.Pos), c.Name, c.Sure, c.Category, c.Evidence, fset.Position(c.EndPos).Line)
				}
			}
		}
	}
	if *js {
		json.NewEncoder(os.Stdout).Encode(out)
	}
	fmt.Fprintf(os.Stderr, "%d pkgs, load %.1fs, analyze %.1fs, %d diagnostics, %d candidates\n", len(pkgs), t1.Sub(t0).Seconds(), time.Since(t1).Seconds(), n, nc)
}
