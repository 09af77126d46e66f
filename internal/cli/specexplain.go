package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/curate"
)

var specExplainCommand = command{
	name:    "spec explain",
	usage:   "[-f file] [-code=false] [-json] id...",
	summary: "say in words what sections mean and what happens to them",
	help: `Explain says in words what a section is about, where its code is now, what would
break it, what atomrace does about it, and what a person can say. Ids may be
globs.

	-f file       look into this file instead of the nearest atomicity.yaml
	-code=false   do not load the code; the lines are those of the last infer
	-json         print each section as show does, with its places and the sentences`,
	run: specRun(runSpecExplain),
}

func runSpecExplain(ctx context.Context, env *environment, args []string) error {
	f := newSpecFlags("explain").withFile().withJSON()
	look := f.Bool("code", true, "")
	spec, places, err := f.named(env, args)
	if err != nil {
		return err
	}
	var code *curate.Code
	if *look {
		loaded, err := specCode(ctx, selected(places), spec.File())
		if err != nil {
			return fmt.Errorf("%w; -code=false explains without the code", err)
		}
		code = &loaded
	}
	if f.json {
		list := []explainedJSON{}
		for _, p := range places {
			list = append(list, explained(spec, p, code))
		}
		return printJSON(env.stdout, list)
	}
	for i, p := range places {
		if i > 0 {
			fmt.Fprintln(env.stdout)
		}
		explain(env.stdout, spec, p, code)
	}
	return nil
}

// selected is a spec with the packages of the places, to load their code.
func selected(places []atomicity.Place) *atomicity.Spec {
	spec := atomicity.New()
	for _, p := range places {
		if spec.Package(p.Package.Path) == nil {
			spec.Packages = append(spec.Packages, p.Package)
		}
	}
	return spec
}

func explain(w io.Writer, spec *atomicity.Spec, p atomicity.Place, code *curate.Code) {
	s := p.Section
	fmt.Fprintf(w, "%s\n%s: %s, %s, from %s\n\n", s.ID, spec.Position(s, ""), s.Pattern, s.Status, s.Origin)
	explainAccesses(w, p, code)
	if len(s.With) == 0 {
		fmt.Fprintf(w, "\nIn between, %s is one goroutine's. What breaks the section:\n", p.Variable.Name)
	} else {
		fmt.Fprintf(w, "\nIn between, %s are one goroutine's together. What breaks the section:\n", enumeration(s.Set(p.Variable.Name), "and"))
	}
	for _, e := range s.Ends {
		for _, line := range breaks(p, e) {
			fmt.Fprintf(w, "  %s\n", line)
		}
	}
	fmt.Fprintf(w, "\n%s\n", meaning(s))
	if from, as := spec.Judged(s); from != spec {
		if near, _ := spec.Source(s); near != from {
			fmt.Fprintf(w, "That is said in %s, which is in force here too.\n", from.Position(as, "status"))
		}
	}
	switch s.Stale {
	case atomicity.Gone:
		fmt.Fprintln(w, "The last infer did not find its code.")
	case atomicity.NotInferred:
		fmt.Fprintln(w, "The last infer found its code and nothing to report: it is protected, or stays with one goroutine.")
	}
	if e := s.Evidence; e.Runs > 0 {
		fmt.Fprintf(w, "In %d runs of refine, of which %d were correct, it was broken in %d, %d of them correct.\n", e.Runs, e.Correct, e.Broken, e.Harmless)
	}
	if s.Note != "" {
		fmt.Fprintf(w, "Note: %s\n", oneLine(s.Note))
	}
}

// explainedJSON is a section as explain -json prints it.
type explainedJSON struct {
	sectionJSON
	Begins  string   `json:"begins"`  // file:line:column, or gone
	EndsAt  []string `json:"ends_at"` // the same of each end
	Breaks  []string `json:"breaks"`
	Meaning string   `json:"meaning"`
}

func explained(spec *atomicity.Spec, p atomicity.Place, code *curate.Code) explainedJSON {
	s, where := p.Section, placeOf(p, code)
	j := explainedJSON{sectionJSON: newSectionJSON(spec, p), Begins: where(s.Entry, -1), Meaning: strings.ReplaceAll(meaning(s), "\n", " ")}
	for i, e := range s.Ends {
		j.EndsAt = append(j.EndsAt, where(e.Location, i))
		j.Breaks = append(j.Breaks, breaks(p, e)...)
	}
	return j
}

// placeOf says where the entry (-1) and the ends of a section are, in the code if that
// is at hand.
func placeOf(p atomicity.Place, code *curate.Code) func(l atomicity.Location, i int) string {
	where := func(l atomicity.Location, i int) string {
		if l.Line == 0 {
			return "?"
		}
		return fmt.Sprintf("line %d", l.Line)
	}
	if code != nil {
		where = func(_ atomicity.Location, i int) string { return "gone" }
		for _, pkg := range code.Packages[p.Package.Path] {
			entry, ends, _ := curate.Locate(pkg, p)
			where = func(_ atomicity.Location, i int) string {
				at := entry
				if i >= 0 {
					at = ends[i]
				}
				if at == nil {
					return "gone"
				}
				return shortPosition(pkg.Fset.Position(at.Pos()).String())
			}
		}
	}
	return where
}

// explainAccesses shows where the section begins and ends.
func explainAccesses(w io.Writer, p atomicity.Place, code *curate.Code) {
	s, where := p.Section, placeOf(p, code)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	of := func(variable string) string {
		if len(s.With) == 0 {
			return ""
		}
		return " of " + variable
	}
	fmt.Fprintf(t, "  begins\t%s\t%s%s\t%s\n", where(s.Entry, -1), s.Entry.Access.Names()[0], of(p.Variable.Name), s.Entry.Code)
	for i, e := range s.Ends {
		fmt.Fprintf(t, "  ends\t%s\t%s%s\t%s\n", where(e.Location, i), e.Access.Names()[0], of(e.On(p.Variable.Name)), e.Code)
	}
	t.Flush()
	typ := ""
	if p.Variable.Type != "" {
		typ = ", type " + p.Variable.Type
	}
	on := p.Variable.Name + typ
	if len(s.With) > 0 {
		on = enumeration(s.Set(p.Variable.Name), "and")
	}
	fmt.Fprintf(w, "  on %s, in %s of package %s\n", on, s.Function, p.Package.Path)
}

// harm says what an access of another goroutine does between two of one's own
// (papers/001 section 4.2, table 1); key is entry, foreign and end.
var harm = map[[3]atomicity.AccessSet]string{
	{atomicity.Read, atomicity.Write, atomicity.Read}:  "the second read sees another value than the first",
	{atomicity.Write, atomicity.Write, atomicity.Read}: "the read does not get what the write has stored",
	{atomicity.Write, atomicity.Read, atomicity.Write}: "the other one sees a value that was not meant to be seen",
	{atomicity.Read, atomicity.Write, atomicity.Write}: "what the other one stored is lost: it is overwritten by a value that was computed before",
}

// enumeration is a list as a person says it.
func enumeration(list []string, word string) string {
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " " + word + " " + list[last]
}

// breaks says which foreign accesses break the section at one of its ends.
func breaks(p atomicity.Place, e atomicity.End) []string {
	entry := p.Section.Entry.Access
	var lines []string
	for _, foreign := range []atomicity.AccessSet{atomicity.Read, atomicity.Write} {
		set := slices.DeleteFunc(p.Section.Set(p.Variable.Name), func(v string) bool { return e.Allows(v).Has(foreign) })
		if len(set) == 0 {
			continue
		}
		line := fmt.Sprintf("a %s by another goroutine, before the %s at the end", foreign.Names()[0], e.Access.Names()[0])
		if len(p.Section.With) > 0 {
			line = fmt.Sprintf("a %s of %s by another goroutine, before the %s of %s at the end", foreign.Names()[0], enumeration(set, "or"), e.Access.Names()[0], e.On(p.Variable.Name))
		} else if why := harm[[3]atomicity.AccessSet{entry, foreign, e.Access}]; why != "" {
			line += ": " + why
		}
		lines = append(lines, line)
	}
	if lines == nil {
		lines = append(lines, fmt.Sprintf("nothing, when it ends with the %s in `%s`: that end allows read and write", e.Access.Names()[0], e.Code))
	}
	return lines
}

// assurance says what infer has found out about healing the section.
func assurance(s *atomicity.Section) string {
	switch s.Assurance.Heal() {
	case atomicity.HealLock:
		return "\nHealing by the lock is assured: nothing in it can wait for somebody who waits for that lock.\nSo heal: auto comes to the lock."
	case atomicity.HealYield:
		return fmt.Sprintf("\nHealing by the lock is not assured, because %s.\nSo heal: auto comes to yield.", s.Assurance.Because())
	}
	return ""
}

// meaning says what atomrace does with a section of this status.
func meaning(s *atomicity.Section) string {
	var b strings.Builder
	switch s.Status {
	case atomicity.Rejected:
		fmt.Fprintf(&b, "A person has rejected it: %s\n", oneLine(s.Reason))
		b.WriteString("It is not watched, check and go vet are silent about it, and infer does not propose it again.")
		return b.String()
	case atomicity.Confirmed:
		b.WriteString("A person says that it must be atomic. Runs watch it, check and go vet report it as long as\nnothing protects it, and lint fails when its code is gone.")
		if s.Reason != "" {
			fmt.Fprintf(&b, " Reason: %s", oneLine(s.Reason))
		}
	default:
		fmt.Fprintf(&b, "Nobody has judged it yet. Runs watch it. 'atomrace spec promote' says that it must be\natomic, 'atomrace spec reject -reason' that it need not be.")
	}
	switch s.Heal {
	case atomicity.HealDefault:
		b.WriteString("\nWhether a violation is healed is for the heal key of ATOMRACE to say.")
	case atomicity.HealOff:
		b.WriteString("\nA violation is reported and not healed, whatever ATOMRACE says.")
	case atomicity.HealAuto:
		b.WriteString("\nIt is healed from when it was first seen broken, by a lock where the build found that safe.")
	case atomicity.HealYield:
		b.WriteString("\nOthers give way while it is open, whatever ATOMRACE says.")
	case atomicity.HealLock:
		b.WriteString("\nA healing lock keeps others out while it is open, whatever ATOMRACE says.")
	}
	if why := s.Doubted(); why != "" {
		fmt.Fprintf(&b, "\nAs far as infer can see a violation does no harm: %s.\nSo one is told of and fails no run and no test, unless somebody confirms the section.", why)
	}
	b.WriteString(assurance(s))
	return b.String()
}
