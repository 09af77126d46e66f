package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/callers"
	"github.com/atomrace/atomrace/analyzers/shared"
)

// callersKey is set in the environment of a go vet that runs for check: to askCallers where it
// is to say who calls what (see package callers), else to the file that says so.
const (
	callersKey = "ATOMRACE_CALLERS"
	askCallers = "ask"
)

// takeCalls takes out of the findings what packages say of who calls what, by package.
func (f findings) takeCalls() map[string]*shared.Calls {
	all := map[string]*shared.Calls{}
	for id, byAnalyzer := range f {
		data, ok := byAnalyzer[callers.Analyzer.Name]
		delete(byAnalyzer, callers.Analyzer.Name)
		if len(byAnalyzer) == 0 {
			delete(f, id)
		}
		var said []finding
		var calls shared.Calls
		if !ok || json.Unmarshal(data, &said) != nil || len(said) != 1 || json.Unmarshal([]byte(said[0].Message), &calls) != nil {
			continue
		}
		all[pathOf(id)] = &calls
	}
	return all
}

// pathOf is the import path of a package that go vet has a name for.
func pathOf(id string) string {
	path, _, _ := strings.Cut(id, " ")
	return path
}

// A secondLook looks at packages again; file is the value of the flag callers.
type secondLook func(file string, packages []string) (findings, map[string]*shared.Calls, error)

// knowing has the packages of a program in which something was found looked at again, by one
// who knows the callers of their functions, and leaves out what is not found any more. The flags are
// those of the go command that say what belongs to packages.
func (f findings) knowing(ctx context.Context, flags []string, calls map[string]*shared.Calls, doubtful bool, look secondLook) error {
	if len(f) == 0 || len(calls) < 2 {
		return nil
	}
	p, ok := listProgram(ctx, flags, calls)
	if !ok {
		return ctx.Err()
	}
	known := p.known()
	var again []string
	for id := range f {
		if path := pathOf(id); len(known[path]) > 0 && !slices.Contains(again, path) {
			again = append(again, path)
		}
	}
	if len(again) == 0 {
		return nil
	}
	slices.Sort(again)
	dir, err := os.MkdirTemp("", "atomrace-check-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "callers.json")
	data, err := json.Marshal(known)
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	if err != nil {
		return err
	}
	if second, of, err := look(file, again); err == nil {
		f.keep(second, of, doubtful)
	}
	return ctx.Err()
}

// listProgram lists the packages of the main module, with what they say; it is not ok where there is
// none, or are several.
func listProgram(ctx context.Context, flags []string, calls map[string]*shared.Calls) (p *callGraph, ok bool) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m").Output()
	module := strings.TrimSpace(string(out))
	if err != nil || module == "" || strings.Contains(module, "\n") {
		return nil, false
	}
	const fields = `{{.ImportPath}} {{.Name}} {{join .Imports " "}}`
	out, err = exec.CommandContext(ctx, "go", slices.Concat([]string{"list", "-e", "-f", fields}, flags, []string{"--", module + "/..."})...).Output()
	if err != nil {
		return nil, false
	}
	p = &callGraph{module: module, packages: map[string]*listedPackage{}, calls: calls}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		p.packages[words[0]] = &listedPackage{name: words[1], imports: words[2:]}
	}
	return p, true
}

// keep leaves out what was not found in the packages that were looked at again, unless goroutines meet there of
// which each is started once: of those who come many times alone it is known that they are told of. What is
// doubtful stays, if that is asked for.
func (f findings) keep(second findings, calls map[string]*shared.Calls, doubtful bool) {
	for id, byAnalyzer := range f {
		of := calls[pathOf(id)]
		if of == nil {
			continue // it was not looked at again
		}
		for name, data := range byAnalyzer {
			var before, after []json.RawMessage
			if json.Unmarshal(data, &before) != nil {
				continue // it failed
			}
			if data, ok := second[id][name]; ok && json.Unmarshal(data, &after) != nil {
				continue // likewise
			}
			again := map[string]json.RawMessage{} // by position
			still := map[string]bool{}
			for _, d := range after {
				places := placesOf(d)
				again[places[0]] = d
				for _, at := range places {
					still[at] = true
				}
			}
			var kept []json.RawMessage
			for _, d := range before {
				switch at := placesOf(d)[0]; {
				case again[at] != nil:
					kept = append(kept, again[at]) // which may be doubtful now
				case still[at], severalRun(of.Spans, placesOf(d)[:min(3, len(placesOf(d)))]): // of the two ends, not of what these call
					kept = append(kept, d)
				case doubtful:
					kept = append(kept, doubted(d))
				}
			}
			if len(kept) == 0 {
				delete(byAnalyzer, name)
			} else if data, err := json.Marshal(kept); err == nil {
				byAnalyzer[name] = data
			}
		}
		if len(byAnalyzer) == 0 {
			delete(f, id)
		}
	}
}

// doubted is the finding with the reason for doubt.
func doubted(data json.RawMessage) json.RawMessage {
	var d map[string]any
	if json.Unmarshal(data, &d) != nil {
		return data
	}
	d["message"] = fmt.Sprint(d["message"], " (doubtful: no two goroutines of the program come here)")
	if with, err := json.Marshal(d); err == nil {
		return with
	}
	return data
}

// severalRun says whether several goroutines that are known, and started once, come to the positions.
func severalRun(spans []shared.Span, positions []string) bool {
	by := map[int]bool{}
	for _, at := range positions {
		file, line, _ := splitPosition(at)
		in := shared.Span{End: math.MaxInt}
		for _, s := range spans {
			if s.File == file && s.Begin <= line && line <= s.End && s.End-s.Begin <= in.End-in.Begin {
				in = s // the innermost
			}
		}
		for _, goroutine := range in.RunBy {
			by[goroutine] = true
		}
	}
	return len(by) > 1
}

// placesOf are the position of a finding and those that it points at.
func placesOf(data json.RawMessage) []string {
	var d finding
	_ = json.Unmarshal(data, &d)
	places := []string{d.Posn}
	for _, r := range d.Related {
		places = append(places, r.Posn)
	}
	return places
}
