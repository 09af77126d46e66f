package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/atomrace/atomrace/atomicity"
)

var specStatsCommand = command{
	name:    "spec stats",
	usage:   "[-f file] [-json]",
	summary: "count the sections by package, pattern, origin, healing and assurance",
	help: `Stats counts the sections of every package, pattern, origin, healing policy and
assurance (what heal: auto comes to for them), with how many of them are candidates, confirmed and rejected. Of several files each
section counts once.

	-f file   count in this file instead of the nearest atomicity.yaml
	-json     print an object with the lists packages, patterns, origins, healing
	          and assurance`,
	run: specRun(runSpecStats),
}

// statsRow counts the sections that have something in common.
type statsRow struct {
	Name      string `json:"name"`
	Sections  int    `json:"sections"`
	Candidate int    `json:"candidate"`
	Confirmed int    `json:"confirmed"`
	Rejected  int    `json:"rejected"`
}

// statsTable has a row for each name, in the order in which they were counted.
type statsTable []*statsRow

func (t *statsTable) count(name string, status atomicity.Status) {
	i := slices.IndexFunc(*t, func(r *statsRow) bool { return r.Name == name })
	if i < 0 {
		i = len(*t)
		*t = append(*t, &statsRow{Name: name})
	}
	r := (*t)[i]
	r.Sections++
	switch status {
	case atomicity.Candidate:
		r.Candidate++
	case atomicity.Confirmed:
		r.Confirmed++
	case atomicity.Rejected:
		r.Rejected++
	}
}

// specStats is what spec stats prints.
type specStats struct {
	Variables int        `json:"variables"`
	Total     *statsRow  `json:"total"`
	Packages  statsTable `json:"packages"`
	Patterns  statsTable `json:"patterns"`
	Origins   statsTable `json:"origins"`
	Healing   statsTable `json:"healing"`
	Assurance statsTable `json:"assurance"`
}

func newSpecStats(spec *atomicity.Spec) *specStats {
	st := &specStats{Packages: statsTable{}, Patterns: statsTable{}, Origins: statsTable{}, Healing: statsTable{}, Assurance: statsTable{}}
	var all statsTable
	for _, p := range spec.Packages {
		st.Variables += len(p.Variables)
	}
	for p := range spec.All() {
		s := p.Section
		heal := string(s.Heal)
		if s.Heal == atomicity.HealDefault {
			heal = "as ATOMRACE says"
		}
		assured := string(s.Assurance.Heal())
		if assured == "" {
			assured = "not known"
		}
		all.count("total", s.Status)
		st.Packages.count(p.Package.Path, s.Status)
		st.Patterns.count(string(s.Pattern), s.Status)
		st.Origins.count(s.Origin, s.Status)
		st.Healing.count(heal, s.Status)
		st.Assurance.count(assured, s.Status)
	}
	st.Total = &statsRow{Name: "total"}
	if len(all) > 0 {
		st.Total = all[0]
	}
	for _, t := range []statsTable{st.Patterns, st.Origins, st.Healing, st.Assurance} {
		slices.SortFunc(t, func(a, b *statsRow) int { return strings.Compare(a.Name, b.Name) })
	}
	return st
}

func runSpecStats(_ context.Context, env *environment, args []string) error {
	f := newSpecFlags("stats").withFile().withJSON()
	rest, err := f.arguments(env, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return usagef("%s: stats counts a whole file; name it with -f", rest[0])
	}
	spec, err := f.loadAll()
	if err != nil {
		return err
	}
	st := newSpecStats(spec)
	if f.json {
		return printJSON(env.stdout, st)
	}
	w := tabwriter.NewWriter(env.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	for i, part := range []struct {
		title string
		rows  statsTable
	}{
		{"packages", st.Packages}, {"patterns", st.Patterns}, {"origins", st.Origins}, {"healing", st.Healing}, {"assurance", st.Assurance},
		{fmt.Sprintf("%d variables", st.Variables), statsTable{st.Total}},
	} {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "sections\tcandidate\tconfirmed\trejected\t  %s\n", part.title)
		for _, r := range part.rows {
			fmt.Fprintf(w, "%d\t%d\t%d\t%d\t  %s\n", r.Sections, r.Candidate, r.Confirmed, r.Rejected, r.Name)
		}
	}
	return w.Flush()
}
