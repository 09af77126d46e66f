package cli

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/refine"
	"github.com/atomrace/atomrace/rewrite"
)

// runLog keeps the runs of an unfinished refinement in the cache, one JSON line a
// run, so that an interrupted one goes on where it was. Its name stands for what
// is refined and how it is judged: runs of other code are never mixed in. Beside
// it are the coverage counters of these runs.
type runLog struct{ file, coverage string }

// newRunLog names the log of a refinement.
func newRunLog(ctx context.Context, spec *atomicity.Spec, o *refineOptions, packages []string) (*runLog, error) {
	cache, err := cacheDir()
	if err != nil {
		return nil, err
	}
	what := rewrite.Options{Patterns: packages, Tests: o.oracle == "", BuildFlags: o.load()}
	selected, err := rewrite.Select(ctx, what)
	if err != nil {
		return nil, cmp.Or(tooOldHere(""), firstLine(err))
	}
	code, err := selected.Code(what)
	if err != nil {
		return nil, err
	}
	file, err := filepath.Abs(spec.File())
	if err != nil {
		return nil, err
	}
	key := []any{file, code, o.oracle, packages, o.goTestFlags.build, o.test}
	for p := range spec.All() {
		if p.Section.Status != atomicity.Candidate {
			continue
		}
		j := newSectionJSON(spec, p)
		j.Note, j.Heal, j.Position = "", "", atomicity.Position{}
		key = append(key, j)
	}
	text, err := json.Marshal(key)
	if err != nil {
		return nil, err
	}
	name := filepath.Join(cache, "refine", fmt.Sprintf("%x", sha256.Sum256(text)))
	return &runLog{name + ".jsonl", name + ".cover"}, os.MkdirAll(name+".cover", 0o777)
}

// read returns the runs so far. A last line that was cut off is left out, with
// the run it was about.
func (l *runLog) read() ([]refine.Run, error) {
	f, err := os.Open(l.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var runs []refine.Run
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var run refine.Run
		if json.Unmarshal(lines.Bytes(), &run) == nil {
			runs = append(runs, run)
		}
	}
	return runs, lines.Err()
}

// add appends a run.
func (l *runLog) add(run refine.Run) error {
	text, err := json.Marshal(run)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(l.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	// A line that was cut off before must not take this one with it.
	_, err = f.Write(slices.Concat([]byte("\n"), text, []byte("\n")))
	return errors.Join(err, f.Close())
}

// remove forgets a refinement that is finished.
func (l *runLog) remove() {
	_ = os.Remove(l.file)
	_ = os.RemoveAll(l.coverage)
}
