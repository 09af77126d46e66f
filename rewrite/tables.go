package rewrite

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
)

// tables are the static descriptions of variables, sections and locations
// that the hooks of a package refer to. They are emitted as package-level
// variables with constant initialisers, so no code runs for them and they can
// be used before any init function.
type tables struct {
	suffix    string
	variables []variable
	sections  []sectionEntry
	locations []location
	members   []location // of accesses to sets of variables, to which those of locations refer
	byName    map[[2]string]int
	noTrue    bool // the package has made something else of the name true
}

// truth is what true means everywhere.
func (t *tables) truth() string {
	if t.noTrue {
		return "0 == 0"
	}
	return "true"
}

type variable struct {
	pkg, name, typ string
	kind           string // of its memory: the runtime's name; empty is not known
	policy         atomicity.Healing
	members        []string // of a set
	guard          string   // of a set, and of a member
	offset         string   // of a member in its struct; empty is 0
	global         bool     // package-level variables
}

type sectionEntry struct {
	id, pattern string
	circular    bool
	apart       bool
	assured     bool
	assurance   string              // why, or why not
	doubt       string              // why a violation does no harm, of a candidate
	tolerated   atomicity.AccessSet // by every end
	policy      atomicity.Healing
	variable    ref
	offset      string   // for the scheduler, of the variable in its struct; empty is 0
	members     []member // and the others of a set
}

// member is a variable of a set, for the scheduler.
type member struct {
	name         string
	offset, size string // of a field; empty for a package-level variable
}

type location struct {
	variable       ref
	of             ref   // the member, in an access to a set
	sets           []int // rows of members that are accesses to sets
	mode           atomicity.AccessSet
	race, full     bool
	call           bool
	file           string
	line, column   int
	ordinal        int
	function, code string
	entry          []ref
	ends           []endEntry
}

type endEntry struct {
	section ref
	allow   atomicity.AccessSet
	also    []memberAccess
}

// memberAccess is what an end allows of one variable of a set.
type memberAccess struct {
	variable string
	mode     atomicity.AccessSet
}

// ref is one row of a table.
type ref struct {
	table *tables
	index int
}

func (t *tables) findVariable(pkg, name string) (int, bool) {
	i, ok := t.byName[[2]string{pkg, name}]
	return i, ok
}

func (t *tables) addVariable(v variable) int {
	if t.byName == nil {
		t.byName = map[[2]string]int{}
	}
	t.variables = append(t.variables, v)
	t.byName[[2]string{v.pkg, v.name}] = len(t.variables) - 1
	return len(t.variables) - 1
}

func (t *tables) addSection(s sectionEntry) int {
	t.sections = append(t.sections, s)
	return len(t.sections) - 1
}

func (t *tables) addLocation(l location) int {
	t.locations = append(t.locations, l)
	return len(t.locations) - 1
}

func (t *tables) empty() bool { return len(t.locations) == 0 }

// source is the Go text of the tables; heal is the name of the runtime's
// import.
func (t *tables) source() string {
	var b strings.Builder
	if len(t.variables) > 0 {
		fmt.Fprintf(&b, "var _ar_vars%s = [...]%s.Variable{\n", t.suffix, healName)
		for _, v := range t.variables {
			fmt.Fprintf(&b, "\t{Package: %q, Name: %q, Type: %q%s%s%s},\n", v.pkg, v.name, v.typ, policySource(v.policy), v.kindSource(), t.setSource(&v))
		}
		b.WriteString("}\n\n")
	}
	if len(t.sections) > 0 {
		fmt.Fprintf(&b, "var _ar_sections%s = [...]%s.Section{\n", t.suffix, healName)
		for _, s := range t.sections {
			fmt.Fprintf(&b, "\t{ID: %q, Pattern: %q, Var: %s%s", s.id, s.pattern, s.variable.source("vars"), policySource(s.policy))
			if s.circular {
				b.WriteString(", Circular: " + t.truth())
			}
			if s.apart {
				b.WriteString(", Apart: " + t.truth())
			}
			if s.assured {
				b.WriteString(", Assured: " + t.truth())
			}
			fmt.Fprintf(&b, ", Assurance: %q", s.assurance)
			if s.doubt != "" {
				fmt.Fprintf(&b, ", Doubt: %q", s.doubt)
			}
			b.WriteString("},\n")
		}
		b.WriteString("}\n\n")
	}
	t.writeLocations(&b)
	return b.String()
}

// usesUnsafe says whether the text of the tables refers to package unsafe.
func (t *tables) usesUnsafe() bool {
	isUnsafe := func(text string) bool { return strings.HasPrefix(text, unsafeName) }
	return slices.ContainsFunc(t.variables, func(v variable) bool { return isUnsafe(v.offset) }) ||
		slices.ContainsFunc(t.sections, func(s sectionEntry) bool {
			return slices.ContainsFunc(s.members, func(m member) bool { return isUnsafe(m.offset) })
		})
}

// setSource is what the runtime must know of a set and its members.
func (t *tables) setSource(v *variable) string {
	text := ""
	if v.guard != "" {
		text += fmt.Sprintf(", Guard: %q", v.guard)
	}
	if v.global {
		text += ", Global: " + t.truth()
	}
	if v.offset != "" {
		text += ", Offset: " + v.offset
	}
	if len(v.members) > 0 {
		text += fmt.Sprintf(", Members: []string{%s}", quoted(v.members))
	}
	return text
}

func quoted(list []string) string {
	texts := make([]string, len(list))
	for i, text := range list {
		texts[i] = strconv.Quote(text)
	}
	return strings.Join(texts, ", ")
}

// of is the variable that the row is about.
func (r ref) of() *variable { return &r.table.variables[r.index] }

func (r ref) source(kind string) string {
	return "&_ar_" + kind + r.table.suffix + "[" + strconv.Itoa(r.index) + "]"
}

// policyOrder ranks the healing policies by how far they go.
var policyOrder = []atomicity.Healing{atomicity.HealDefault, atomicity.HealOff, atomicity.HealAuto, atomicity.HealYield, atomicity.HealLock}

func stronger(a, b atomicity.Healing) atomicity.Healing {
	if slices.Index(policyOrder, b) > slices.Index(policyOrder, a) {
		return b
	}
	return a
}

// heals says whether the policy is one that may heal whatever ATOMRACE says.
func heals(h atomicity.Healing) bool {
	return stronger(h, atomicity.HealOff) != atomicity.HealOff
}

// healed says whether the variable of the hook, or a set that it is in, has a section
// that the spec heals.
func (h *hook) healed() bool {
	return heals(h.table.locations[h.index].variable.of().policy) ||
		slices.ContainsFunc(h.sets, func(x setHook) bool { return heals(h.table.members[x.index].variable.of().policy) })
}

func policySource(h atomicity.Healing) string {
	switch h {
	case atomicity.HealOff:
		return ", Policy: " + healName + ".PolicyOff"
	case atomicity.HealAuto:
		return ", Policy: " + healName + ".PolicyAuto"
	case atomicity.HealYield:
		return ", Policy: " + healName + ".PolicyYield"
	case atomicity.HealLock:
		return ", Policy: " + healName + ".PolicyLock"
	}
	return ""
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
