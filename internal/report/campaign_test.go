package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/atomrace/atomrace/internal/fuzz"
	"github.com/atomrace/atomrace/sched"
)

// campaign is a report with a section that was broken in every run, under which a test
// failed in some, with its interleaving; text stands wherever there may be any.
func campaign(text string) *fuzz.Report {
	c := fuzz.NewReport()
	c.Package, c.Command, c.Strategy = "example.com/p", " .", fuzz.StrategyAtomicity
	at := func(line string) sched.Side { return sched.Side{Location: "p.go:" + line + text} }
	steps := []fuzz.Step{
		{Decision: 1, Goroutine: 4, Location: "p.go:3" + text, Operation: "start" + text},
		{Decision: 2, Goroutine: 4, Location: "p.go:7", Operation: "read example.com/p.n", Role: "entry", Code: "n := p.n" + text},
		{Decision: 3, Goroutine: 2, Location: "p.go:9", Operation: "write p.n", Role: "foreign", Preempts: true},
		{Decision: 4, Goroutine: 4, Location: "p.go:8", Operation: "write p.n", Role: "end"},
		{Decision: 5, Goroutine: 4, Location: "p.go:8", Operation: "lock mutex 1"},
	}
	c.Targets = []*fuzz.Target{{
		Test: "TestP" + text, Plain: "odd" + text,
		Sections: []*fuzz.Section{
			{Name: "example.com/p.s" + text, Pattern: "user" + text, Tally: &fuzz.Tally{
				Runs: 10, Broken: 10,
				Breaches: []*fuzz.Breach{{Section: "example.com/p.s", Before: at("7:1"), Foreign: at("9:1"), After: at("8:1"), Runs: 10, Seed: fuzz.Seed{Seed: 1}}},
				Findings: []*fuzz.Finding{{Kind: "test failed" + text, Message: "p_test.go:5: wrong" + text, Runs: 4, Seeds: []fuzz.Seed{{Seed: 3}},
					Interleaving: &fuzz.Interleaving{Schedule: "1:4x2.2.4x2", Outcome: "failed" + text, Decisions: 5, Preemptions: 1, Before: 6, Steps: steps, Note: text}}},
			}},
			{Name: "example.com/p.t", Tally: &fuzz.Tally{Runs: 10}},
		},
	}}
	return c
}

func readCampaign(t *testing.T, c *fuzz.Report, more ...string) *Log {
	t.Helper()
	var b bytes.Buffer
	if err := c.JSON(&b); err != nil {
		t.Fatal(err)
	}
	l := read(more...)
	l.Problems = nil
	l.Read("fuzz.json", &b)
	if len(l.Problems) > 0 || len(l.Campaigns) != 1 {
		t.Fatalf("%d campaigns, problems %v", len(l.Campaigns), l.Problems)
	}
	return l
}

// The interleaving is a table: a column for each goroutine, a row for each turn.
func TestHTMLOfCampaign(t *testing.T) {
	page := render(t, readCampaign(t, campaign("")), nil)
	for _, want := range []string{
		"1 finding of atomrace fuzz in 1 test",
		`<option value="test failed">test failed (1)</option>`, `title="runs in which it was seen, of all">4 of 10<`,
		"<code>section s</code> (user), which was broken", "p.go:7:1 → p.go:9:1 → p.go:8:1",
		"atomrace replay -seed 3@- -section s . -run TestP", "atomrace replay -schedule 1:4x2.2.4x2 -section s . -run",
		"5 decisions, 1 preemption (6 in the run that was found)",
		`<th>goroutine 2</th><th>goroutine 4<br><span class="dim">started at p.go:3</span></th>`,
		`<td class="dim">1 – 2</td><td colspan="1"></td><td class="turn">`,
		`<div class="entry"><span class="dim">p.go:7</span> read n<u>entry</u><br><code>n := p.n</code></div>`,
		`<td class="dim">3</td><td class="turn preempts"><span class="says">takes the turn from goroutine 4</span>`,
		`<div class="foreign"><span class="dim">p.go:9</span> write p.n<u>foreign</u></div>` + "\n" + `</td><td colspan="1"></td></tr>`,
		`<td class="dim">4 – 5</td>`, "TestP: section t: not broken in 10 runs", "TestP: fails without the scheduler, too: odd",
	} {
		if !strings.Contains(strings.ReplaceAll(page, "&#39;^TestP$&#39;", "TestP"), want) {
			t.Errorf("no %s in the page", want)
		}
	}
	if strings.Contains(page, "Nothing was reported") {
		t.Error("nothing?")
	}
}

// Violations and findings stand on one page, numbered through.
func TestHTMLOfBoth(t *testing.T) {
	page := render(t, readCampaign(t, campaign(""), lineOf(t, broken("a", 1, 3))), nil)
	for _, want := range []string{`id="v1"`, `id="v2" data-number="2" data-count="4"`, "seen 3 times; 1 finding of atomrace fuzz"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in the page", want)
		}
	}
}

// Nothing in a campaign becomes markup.
func TestHTMLOfCampaignEscapes(t *testing.T) {
	page := render(t, readCampaign(t, campaign(attack)), nil)
	for _, bad := range []string{"<img", "alert(2)</script>", "'><"} {
		if strings.Contains(page, bad) {
			t.Errorf("%q stands in the page", bad)
		}
	}
	if n := strings.Count(strings.ToLower(page), "<script"); n != 1 {
		t.Errorf("%d scripts", n)
	}
	if n := strings.Count(page, "&lt;img src=x"); n < 12 {
		t.Errorf("the text itself is there %d times only", n)
	}
}

// What is no report of this version is named, and costs the others nothing.
func TestDamagedCampaign(t *testing.T) {
	for text, want := range map[string]string{
		"{\n\t\"format\": \"atomrace fuzz 1\",\n":                                                          "unexpected end of JSON input",
		"{\n\t\"format\": \"atomrace fuzz 99\"\n}":                                                         "of this version",
		"{\n\t\"format\": \"atomrace fuzz 1\",\"runs\":\"x\"}":                                             "cannot unmarshal",
		`{	"format": "atomrace fuzz 1", "targets": [{"sections": [{"section": "x"}]}]}`:                    "something is missing",
		`{	"format": "atomrace fuzz 1", "targets": [null]}`:                                                "something is missing",
		`{	"format": "atomrace fuzz 1", "targets": [{"tally": {"findings": [{"kind": "x", "runs": 0}]}}]}`: "something is missing",
	} {
		var l Log
		l.Read("f.json", strings.NewReader(text))
		if len(l.Problems) != 1 || !strings.Contains(l.Problems[0].Text, want) || len(l.Campaigns) != 0 {
			t.Errorf("%s: %v", text, l.Problems)
		}
	}
}
