package report

import (
	"strings"
	"testing"
)

// The value around an access stands below it, in text and on the page.
func TestValue(t *testing.T) {
	for want, a := range map[string]Access{
		"":                                {Mode: "write"},
		"value before: 3":                 {Mode: "write", Before: "3"},
		"value after: 7":                  {Mode: "write", After: "7"},
		"value changed: 3 -> 7":           {Mode: "write", Before: "3", After: "7"},
		"value changed meanwhile: 3 -> 7": {Role: "first", Mode: "write", Before: "3", After: "7"},
		"value unchanged: 3":              {Mode: "read-write", Before: "3", After: "3"},
		"value: 3":                        {Mode: "read", Before: "3", After: "3"},
		"value changed: nil -> 0xc0 (the first time)": {Mode: "write", Before: "nil", After: "0xc0", Times: 2},
	} {
		if got := a.Value(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	v := broken("a", 1, 1)
	v.Accesses[1].Before, v.Accesses[1].After = "3", "7\x1b"
	v.Accesses[2].After = "4"
	l := read(lineOf(t, v))
	var b strings.Builder
	if err := l.WriteText(&b, nil); err != nil {
		t.Fatal(err)
	}
	const text = "p.free = nil (2 times)\n          value changed: 3 -> 7\uFFFD (the first time)\n  end     write"
	if !strings.Contains(b.String(), text) || !strings.Contains(b.String(), "p.free = p.free[:n-1]\n          value after: 4\n") {
		t.Errorf("got\n%s", &b)
	}
	page := render(t, l, nil)
	if n := strings.Count(page, `<br><span class="says">value `); n != 2 || !strings.Contains(page, `<span class="says">value after: 4</span></div>`) {
		t.Errorf("%d values in the page", n)
	}
}
