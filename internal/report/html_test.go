package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// attack is text that does harm where it is not escaped.
const attack = `"'><img src=x onerror=alert(1)></script></style><script>alert(2)</script>{{.}}` + "`${alert(3)}"

func render(t *testing.T, l *Log, source *Source) string {
	t.Helper()
	var b strings.Builder
	if err := l.WriteHTML(&b, source); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Nothing in a log or in the source becomes markup.
func TestHTMLEscapes(t *testing.T) {
	v := broken(attack, 1, 1)
	v.Program, v.Kind, v.Package, v.Variable, v.Type, v.Instance, v.Key = attack, attack, attack, attack, attack, attack, attack
	v.Section, v.Pattern, v.Healing, v.Suggestion, v.Allow = attack, attack, attack, attack, []string{attack}
	for i := range v.Accesses {
		a := &v.Accesses[i]
		a.Mode, a.File, a.Function, a.Code, a.Role = attack, attack, attack, attack, attack
		a.Before, a.After = attack, attack+"2"
		a.Stack, a.Created = []Place{{attack, attack, 1, 0}}, &Place{attack, attack, 1, 0}
	}
	l := read(lineOf(t, v)+lineOf(t, map[string]any{"schema": "atomrace.notice/1", "msg": attack}), attack)
	page := render(t, l, nil)
	for _, bad := range []string{"<img", "alert(2)</script>", "'><"} {
		if strings.Contains(page, bad) {
			t.Errorf("%q stands in the page", bad)
		}
	}
	if n := strings.Count(strings.ToLower(page), "<script"); n != 1 {
		t.Errorf("%d scripts", n)
	}
	if n := strings.Count(page, "&lt;img src=x"); n < 30 {
		t.Errorf("the text itself is there %d times only", n)
	}
}

// The page asks nobody for anything, and its policy allows its own style and
// script alone.
func TestHTMLIsSelfContained(t *testing.T) {
	page := render(t, read(lineOf(t, broken("a", 1, 3))+lineOf(t, raced("b"))), sourceTree(t))
	if m := regexp.MustCompile(`(?i)\b(src|href|action|srcset|poster|background)\s*=|url\(|@import|https?://|\bfetch\(|XMLHttp|\bimport\b|style="|\bon[a-z]+="`).FindString(page); m != "" {
		t.Errorf("%q stands in the page", m)
	}
	between := func(begin, end string) string {
		_, rest, _ := strings.Cut(page, begin)
		text, _, ok := strings.Cut(rest, end)
		if !ok || text == "" {
			t.Fatalf("nothing between %s and %s", begin, end)
		}
		return text
	}
	policy := strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(between(`http-equiv="Content-Security-Policy" content="`, `"`))
	for _, want := range []string{"default-src 'none'", "style-src '" + digest(between("<style>", "</style>")) + "'", "script-src '" + digest(between("<script>", "</script>")) + "'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("policy %s lacks %s", policy, want)
		}
	}
	for _, want := range []string{
		`<b>goroutine 7</b>`, `<div class="lane intruder c2"><b>goroutine 9</b><br><span class="dim">started at main.go:3 in main.main</span>`,
		`<div class="step owner c1 r2"><span class="says">section begins</span>`, `<div class="step intruder c2 r3"><span class="says">breaks in (2 times)</span>`,
		`<div class="step owner c1 r4"><span class="says">section ends; it allows {read}</span>`,
		`<div class="step intruder c2 r2"><span class="says">at the same time</span>`,
		`<span class="entry ">    5      n := len(p.free)<u>entry</u></span>`, `<option value="data race">data race (1)</option>`,
		`<option value="load-and-store">load-and-store (1)</option>`, "status: confirmed",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in the page", want)
		}
	}
}

// Ten thousand violations are a page, too, of which each is one card.
func TestHTMLOfMany(t *testing.T) {
	const n = 10000
	var b strings.Builder
	for i := range n {
		v := broken(fmt.Sprintf("%04x", i), i%7, 1)
		v.Package = fmt.Sprintf("example.com/p%d", i%50)
		b.WriteString(lineOf(t, v))
	}
	page := render(t, read(b.String()), sourceTree(t))
	if got := strings.Count(page, `<details class="card"`); got != n {
		t.Errorf("%d cards", got)
	}
	if got := len(page) / n; got > 8<<10 {
		t.Errorf("%d bytes a violation", got)
	}
	if !strings.Contains(page, "10000 distinct violations in 7 processes, seen 10000 times") {
		t.Error("the sum is wrong")
	}
}

// Without violations there is a page that says so.
func TestHTMLOfNone(t *testing.T) {
	if page := render(t, read(), nil); !strings.Contains(page, "Nothing was reported.") || strings.Contains(page, "<form") {
		t.Error(page)
	}
}
