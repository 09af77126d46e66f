package cli

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/atomrace/atomrace/internal/fuzz"
	"github.com/atomrace/atomrace/internal/report"
)

// suspects are what -pairs wants brought about.
type suspects struct {
	pairs    [][2]string
	sections map[string]bool // by id; nil if the file is not about sections
}

// readPairs reads a file of pairs, of go test -race, or of JSON lines that instrumented
// programs have written: of these, the two accesses of each data race are a pair, and
// each section that was seen broken is one to break again.
func readPairs(env *environment, file string) (*suspects, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		pairs, err := fuzz.ParsePairs(file, string(text))
		return &suspects{pairs: pairs}, err
	}
	var log report.Log
	log.Read(file, bytes.NewReader(text))
	log.Finish()
	s := &suspects{}
	for _, v := range log.Violations {
		if !v.IsRace() {
			if s.sections == nil {
				s.sections = map[string]bool{}
			}
			s.sections[v.Section] = true
			continue
		}
		s.pairs = append(s.pairs, [2]string{location(&v.Accesses[0]), location(&v.Accesses[1])})
	}
	switch {
	case len(log.Violations) == 0 && len(log.Problems) > 0:
		return nil, fmt.Errorf("%v", log.Problems[0])
	case len(log.Violations) == 0:
		return nil, fmt.Errorf("%s: there is no data race and no broken section in it", file)
	}
	for _, p := range log.Problems {
		fmt.Fprintf(env.stderr, "atomrace fuzz: %v\n", p)
	}
	return s, nil
}

// location is the place of an access as -pair has it, within the module.
func location(a *report.Access) string {
	file := a.File
	if root := moduleAbove("."); root != "" {
		if rest, ok := strings.CutPrefix(file, root+string(os.PathSeparator)); ok {
			file = rest
		} else if rest, ok := strings.CutPrefix(file, modulePath(root)+"/"); ok { // -trimpath
			file = rest
		}
	}
	text := fmt.Sprintf("%s:%d", file, a.Line)
	if a.Column > 0 {
		text += fmt.Sprintf(":%d", a.Column)
	}
	return text
}
