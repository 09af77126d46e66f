package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/atomrace/atomrace/atomicity"
)

var specListCommand = command{
	name:    "spec list",
	usage:   "[-f file] [filters] [-json] [id...]",
	summary: "list sections, one a line",
	help: `List prints a line for each section: status (with a comma, how it is stale),
pattern, healing where it is set (behind a slash, if infer has found it out, what
auto comes to), id, package and variable, and the file if there are several. Ids may be globs; without any, all sections are listed.
` + specSelectionHelp + `
	-f file        list this file instead of the nearest atomicity.yaml
	-json          print a list of objects with all the fields`,
	run: specRun(runSpecList),
}

func runSpecList(_ context.Context, env *environment, args []string) error {
	f := newSpecFlags("list").withFile().withJSON()
	var x specSelection
	x.register(f)
	var err error
	if x.ids, err = f.arguments(env, args); err != nil {
		return err
	}
	spec, err := f.loadAll()
	if err != nil {
		return err
	}
	places, err := x.places(spec)
	if err != nil {
		return err
	}
	if f.json {
		return printSections(env.stdout, spec, places)
	}
	w := tabwriter.NewWriter(env.stdout, 0, 0, 2, ' ', 0)
	for _, p := range places {
		s := p.Section
		heal := string(s.Heal)
		if heal == "" {
			heal = "-"
		}
		if s.Assurance != "" {
			heal += "/" + string(s.Assurance.Heal())
		}
		status := string(s.Status)
		if s.Stale != atomicity.NotStale {
			status += "," + string(s.Stale)
		}
		on := p.Variable.Name
		if len(s.With) > 0 {
			on = atomicity.SetName(s.Set(on))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s.%s%s\n", status, s.Pattern, heal, s.ID, p.Package.Path, on, inFile(spec, s))
	}
	return w.Flush()
}

// inFile is another column, with the file that a section comes from, where there is
// more than one.
func inFile(spec *atomicity.Spec, s *atomicity.Section) string {
	from, _ := spec.Source(s)
	if from == spec {
		return ""
	}
	file := "\t" + from.File()
	if judged, _ := spec.Judged(s); judged != from {
		file += ", status of " + judged.File()
	}
	return file
}

func printSections(w io.Writer, spec *atomicity.Spec, places []atomicity.Place) error {
	list := []sectionJSON{}
	for _, p := range places {
		list = append(list, newSectionJSON(spec, p))
	}
	return printJSON(w, list)
}

var specShowCommand = command{
	name:    "spec show",
	usage:   "[-f file] [-json] id...",
	summary: "print sections as they stand in the file",
	help: `Show prints sections with everything that the file says about them, comments
included, under the place where they stand. Ids may be globs.

	-f file   look into this file instead of the nearest atomicity.yaml
	-json     print a list of objects`,
	run: specRun(runSpecShow),
}

func runSpecShow(_ context.Context, env *environment, args []string) error {
	f := newSpecFlags("show").withFile().withJSON()
	spec, places, err := f.named(env, args)
	if err != nil {
		return err
	}
	if f.json {
		return printSections(env.stdout, spec, places)
	}
	for i, p := range places {
		if i > 0 {
			fmt.Fprintln(env.stdout)
		}
		fmt.Fprintf(env.stdout, "%s: %s of %s", spec.Position(p.Section, ""), p.Variable.Name, p.Package.Path)
		if p.Variable.Type != "" {
			fmt.Fprintf(env.stdout, ", type %s", p.Variable.Type)
		}
		fmt.Fprintf(env.stdout, "\n%s", strings.Join(indented(spec.Text(p.Section)), ""))
	}
	return nil
}

func indented(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			line = "  " + line
		}
		lines = append(lines, line)
	}
	return lines
}
