package report

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// FuzzRead takes any log for one: what it holds is shown in every form, or named
// as a problem.
func FuzzRead(f *testing.F) {
	good, err := json.Marshal(broken("a", 1, 1))
	if err != nil {
		f.Fatal(err)
	}
	race, err := json.Marshal(raced("b"))
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{"", "\n", "{", "{}", string(good), string(good[:200]), string(race) + "\n" + string(good) + "\n",
		`{"schema":"atomrace.summary/1","counts":[{"id":"a","count":-1}]}`, `{"schema":"atomrace.count/1","id":"x","count":1e3}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l := read(text)
		if len(l.Violations) == 0 && len(l.Problems) == 0 && len(l.runs) == 0 {
			t.Error("nothing was read, and nothing said")
		}
		for _, v := range l.Violations {
			if v.Count < 1 || len(v.Processes) == 0 {
				t.Errorf("%s is seen %d times by %v", v.ID, v.Count, v.Processes)
			}
		}
		var page strings.Builder
		if err := l.WriteHTML(&page, nil); err != nil || strings.Count(page.String(), `<details class="card"`) != len(l.Violations) {
			t.Errorf("page: %v", err)
		}
		for _, err := range []error{l.WriteText(io.Discard, nil), l.WriteJSON(io.Discard), l.WriteSpec(io.Discard)} {
			if err != nil {
				t.Error(err)
			}
		}
	})
}
