package analyzers_test

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/atomrace/atomrace/analyzers"
	"github.com/atomrace/atomrace/internal/variant"
)

var (
	onlyVariant   = flag.String("variants.only", "", "the one transformation to look at")
	writeVariants = flag.Bool("variants.write", false, "write variants.tsv anew; what is new in it has no reason yet")
	allVariants   = flag.Bool("variants.all", false, "all variants rather than every twelfth one")
	keepVariants  = flag.String("variants.keep", "", "write the variants with a loss into this directory")
)

// TestVariants shows that what is found in the subjects does not depend on how they are
// said: in each variant of a broken subject there is still a report in the function that
// is broken, or in what was taken out of it, and in each variant of a right one there is
// none. The exceptions are those of variants.tsv, each with its reason, and no others.
// And what is suggested as a fix of a variant compiles.
//
// Without -variants.all it takes one in twelve, always the same ones.
func TestVariants(t *testing.T) {
	table := filepath.Join(subjects, "variants.tsv")
	known := readExceptions(t, table)
	loaded := loadOriginals(t)
	var seen []exception
	var made []*varied
	judge := func() {
		seen = append(seen, compare(t, made, func(m *varied, d analysis.Diagnostic) { loaded.fix(t, m.by, m, d) })...)
		made = nil
	}
	for _, v := range variant.All() {
		if *onlyVariant != "" && !strings.HasPrefix(v.Name, *onlyVariant) {
			continue
		}
		changed, invalid, broken, before := 0, 0, 0, len(made)
		for _, o := range loaded.originals {
			if !drawn(v.Name, o.id) {
				continue
			}
			r, err := v.Apply(loaded.fset, o.pkg.Syntax[0], o.pkg.TypesInfo, o.pkg.Types)
			if err != nil {
				t.Fatal(err)
			}
			if r == nil {
				continue
			}
			changed++
			m := loaded.check(o, r)
			if m == nil {
				invalid++
				continue
			}
			if m.by = v.Name; !o.benign {
				broken++
			}
			made = append(made, m)
		}
		t.Logf("%-20s fits %3d, %2d of them do not compile; %3d broken ones, %3d right ones", v.Name, changed, invalid, broken, len(made)-before-broken)
		if len(made) >= atOnce {
			judge()
		}
	}
	judge()
	if *writeVariants {
		for e := range known {
			if strings.Contains(e.variant, "+") {
				seen = append(seen, e) // of TestVariantChains
			}
		}
		writeExceptions(t, table, seen, known)
		return
	}
	for _, e := range seen {
		if _, ok := known[e]; !ok {
			t.Errorf("%s of %s: %s, and variants.tsv does not say so", e.variant, e.id, e.what)
		}
		delete(known, e)
	}
	for e := range known {
		if *onlyVariant != "" && !strings.HasPrefix(e.variant, *onlyVariant) || !drawn(e.variant, e.id) || strings.Contains(e.variant, "+") {
			continue // chains are for TestVariantChains
		}
		t.Errorf("%s of %s: variants.tsv says that it is %s, and it is not", e.variant, e.id, e.what)
	}
}

// drawn says whether the variant of the subject is among those that are looked at.
func drawn(name, id string) bool {
	h := fnv.New32a()
	fmt.Fprint(h, name, " ", id)
	return *allVariants || *writeVariants || h.Sum32()%12 == 0
}

// An exception is a variant that is not judged like its original: "lost" where the
// original is broken and found, "reported" where it is right.
type exception struct{ variant, id, what string }

// An original is a subject that is judged as it should be, with its package.
type original struct {
	subject
	id  string
	pkg *packages.Package
	in  string // the function of the broken sequence, as variant.Result names it
}

// varied is a variant of a subject that compiles.
type varied struct {
	*original
	pkg    *packages.Package
	from   map[string]string
	source []byte
	by     string // the transformations
}

// originals are the subjects whose variants are looked at.
type originals struct {
	*library
	originals []*original
}

func loadOriginals(t *testing.T) *originals {
	t.Helper()
	l := &originals{library: loadLibrary(t)}
	for _, set := range []string{"first", "second", "third", "fourth"} {
		for _, s := range readSubjects(t, filepath.Join(subjects, set, "subjects.tsv")) {
			if s.found == s.benign {
				continue
			}
			o := &original{subject: s, id: set + "/" + s.id}
			if l.files[o.id] == nil {
				t.Fatalf("%s: no such package", o.id)
			}
			var err error
			if o.pkg, err = l.typed(o.id, l.files[o.id]); err != nil {
				t.Fatal(err)
			}
			for _, d := range o.pkg.Syntax[0].Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && l.line(fn.Pos()) <= s.last && s.first <= l.line(fn.End()) {
					o.in = funcKey(fn)
				}
			}
			if !o.benign && o.in == "" {
				t.Fatalf("%s: no function in lines %d to %d", o.id, s.first, s.last)
			}
			l.originals = append(l.originals, o)
		}
	}
	// What is found outside its function is left out.
	var same []*varied
	for _, o := range l.originals {
		same = append(same, &varied{original: o, pkg: o.pkg})
	}
	outside := map[string]bool{}
	for _, e := range compare(t, same, nil) {
		outside[e.id] = true
	}
	l.originals = slices.DeleteFunc(l.originals, func(o *original) bool { return outside[o.id] })
	return l
}

func (l *originals) line(p token.Pos) int { return l.fset.Position(p).Line }

// check type-checks a variant.
func (l *originals) check(o *original, r *variant.Result) *varied {
	file, err := parser.ParseFile(l.fset, l.file(o.id), r.Source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	pkg, err := l.typed(o.id, file)
	if err != nil {
		if *keepVariants != "" {
			fmt.Fprintln(os.Stderr, err)
		}
		return nil
	}
	return &varied{original: o, pkg: pkg, from: r.From, source: r.Source}
}

// atOnce is how many variants are analyzed together, or a few more: what they import is analyzed
// with them each time.
const atOnce = 500

// compare lists the exceptions among the variants, and calls each, unless it is nil, with what
// is reported of them.
func compare(t *testing.T, list []*varied, each func(*varied, analysis.Diagnostic)) []exception {
	t.Helper()
	if len(list) == 0 {
		return nil
	}
	var pkgs []*packages.Package
	byPkg := map[*packages.Package]*varied{}
	for _, v := range list {
		pkgs, byPkg[v.pkg] = append(pkgs, v.pkg), v
	}
	graph, err := checker.Analyze(analyzers.All(), pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	hit := map[*varied]string{}
	for _, act := range graph.Roots {
		if act.Err != nil {
			t.Fatalf("%s of %s: %v", byPkg[act.Package].by, act.Package.ID, act.Err)
		}
		v := byPkg[act.Package]
		for _, d := range act.Diagnostics {
			if each != nil {
				each(v, d)
			}
			at := []token.Pos{d.Pos}
			for _, r := range d.Related {
				at = append(at, r.Pos)
			}
			if v.benign || slices.ContainsFunc(at, func(p token.Pos) bool { return v.function(p) == v.in }) {
				hit[v] = fmt.Sprintf("%s: %s", act.Package.Fset.Position(d.Pos), d.Message)
			}
		}
	}
	var lost []exception
	for _, v := range list {
		switch {
		case v.benign && hit[v] != "":
			lost = append(lost, exception{v.by, v.original.id, "reported"})
		case !v.benign && hit[v] == "":
			lost = append(lost, exception{v.by, v.original.id, "lost"})
		default:
			continue
		}
		if *keepVariants != "" && v.by != "" {
			keep(t, filepath.Join(*keepVariants, v.by, strings.ReplaceAll(v.original.id, "/", "-")), v, hit[v])
		}
	}
	return lost
}

// function is the function of the original that p lies in.
func (v *varied) function(p token.Pos) string {
	for _, d := range v.pkg.Syntax[0].Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Pos() <= p && p <= fn.End() {
			name := funcKey(fn)
			for v.from[name] != "" && v.from[name] != name {
				name = v.from[name]
			}
			return name
		}
	}
	return ""
}

// funcKey names fn as variant.Result does.
func funcKey(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	t := fn.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	switch generic := t.(type) {
	case *ast.IndexExpr:
		t = generic.X
	case *ast.IndexListExpr:
		t = generic.X
	}
	return t.(*ast.Ident).Name + "." + fn.Name.Name
}

const header = "variant\tsubject\twhat\treason\n"

func readExceptions(t *testing.T, file string) map[exception]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil && !*writeVariants {
		t.Fatal(err)
	}
	known := map[exception]string{}
	for line := range strings.Lines(strings.TrimPrefix(string(text), header)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 4 || fields[3] == "" {
			if *writeVariants {
				continue
			}
			t.Fatalf("%s: %q is not of four fields, the last one a reason", file, line)
		}
		known[exception{fields[0], fields[1], fields[2]}] = fields[3]
	}
	return known
}

func writeExceptions(t *testing.T, file string, seen []exception, known map[exception]string) {
	t.Helper()
	slices.SortFunc(seen, func(a, b exception) int {
		return cmp.Or(cmp.Compare(a.variant, b.variant), cmp.Compare(a.what, b.what), cmp.Compare(a.id, b.id))
	})
	var out strings.Builder
	out.WriteString(header)
	for _, e := range seen {
		fmt.Fprintf(&out, "%s\t%s\t%s\t%s\n", e.variant, e.id, e.what, cmp.Or(known[e], "open"))
	}
	if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
