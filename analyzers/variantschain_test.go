package analyzers_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/atomrace/atomrace/internal/variant"
)

var (
	chains      = flag.Int("variants.chains", 1, "chains of transformations for each eighth subject, or for each with -variants.all")
	chainLength = flag.Int("variants.length", 3, "transformations in a chain")
)

// TestVariantChains is TestVariants with several transformations after each other, drawn
// anew for each subject, and always the same ones. Chains with a link that variants.tsv
// lists for the subject are not drawn; it lists chains, too.
func TestVariantChains(t *testing.T) {
	known := readExceptions(t, filepath.Join(subjects, "variants.tsv"))
	excepted := map[string]bool{}
	for e := range known {
		excepted[e.variant+" "+e.id] = true
	}
	loaded := loadOriginals(t)
	var made []*varied
	for _, o := range loaded.originals {
		for i := range *chains {
			h := fnv.New64a()
			fmt.Fprint(h, o.id, " ", i)
			if !*allVariants && h.Sum64()%8 != 0 {
				continue
			}
			if v := loaded.chain(t, o, rand.New(rand.NewPCG(h.Sum64(), 0)), excepted); v != nil {
				made = append(made, v)
			}
		}
	}
	t.Logf("%d chains", len(made))
	for _, e := range compare(t, made, nil) {
		if known[e] == "" {
			t.Errorf("%s: %s after %s", e.id, e.what, e.variant)
		}
		delete(known, e)
	}
	for e := range known {
		if slices.ContainsFunc(made, func(v *varied) bool { return v.by == e.variant && v.original.id == e.id }) {
			t.Errorf("%s after %s: variants.tsv says that it is %s, and it is not", e.id, e.variant, e.what)
		}
	}
}

// chain applies transformations to the subject, and returns nil where too few fit.
func (l *originals) chain(t *testing.T, o *original, draw *rand.Rand, excepted map[string]bool) *varied {
	t.Helper()
	all := variant.All()
	v := &varied{original: o, pkg: o.pkg}
	var names []string
	for range 6 * *chainLength {
		if len(names) == *chainLength {
			break
		}
		by := all[draw.IntN(len(all))]
		if excepted[by.Name+" "+o.id] {
			continue
		}
		r, err := by.Apply(l.fset, v.pkg.Syntax[0], v.pkg.TypesInfo, v.pkg.Types)
		if err != nil {
			t.Fatal(err)
		}
		if r == nil {
			continue
		}
		from := maps.Clone(v.from)
		if from == nil {
			from = map[string]string{}
		}
		for f, of := range r.From {
			if first := from[of]; first != "" {
				of = first
			}
			from[f] = of
		}
		r.From = from
		on := *o
		on.pkg = v.pkg
		if next := l.check(&on, r); next != nil {
			next.original = o
			v, names = next, append(names, by.Name)
		}
	}
	if len(names) < *chainLength {
		return nil
	}
	v.by = strings.Join(names, "+")
	return v
}
