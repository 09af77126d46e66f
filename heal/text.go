package heal

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
)

const rule = "==================\n"

// String returns the report as it is printed, in the manner of the race
// detector's.
func (x Violation) String() string { return x.text(x.Foreign, true) }

// text renders x for people, with the suggestion if it is the first of its kind.
func (x *Violation) text(foreign []Access, suggest bool) string {
	var b strings.Builder
	b.WriteString(rule)
	fmt.Fprintf(&b, "WARNING: ATOMRACE: %s on %s\n", x.Kind, x.subject())
	if x.Kind == DataRace {
		fmt.Fprintf(&b, "%s of goroutine %s at %s\n", title(x.Foreign[0].Mode), x.Foreign[0].who(), x.Foreign[0].where())
		x.Foreign[0].frames(&b)
		fmt.Fprintf(&b, "while %s of goroutine %s was under way at %s\n", x.End.Mode, x.End.who(), x.End.where())
		x.End.value(&b, " meanwhile") // whoever did it
		x.End.frames(&b)
	} else {
		fmt.Fprintf(&b, "Section %s (%s) of goroutine %s\n", x.Section.ID, x.Section.Pattern, x.End.who())
		fmt.Fprintf(&b, "  began with %s at %s\n", x.Entry.act(), x.Entry.where())
		fmt.Fprintf(&b, "  ended with %s at %s, where it allows %s\n", x.End.act(), x.End.where(), x.allowed())
		x.End.value(&b, "")
		x.End.frames(&b)
		for _, a := range foreign {
			fmt.Fprintf(&b, "broken by %s of goroutine %s at %s%s\n", a.act(), a.who(), a.where(), a.times())
			a.value(&b, "")
			a.frames(&b)
		}
		if x.More {
			b.WriteString("and at further locations, beyond history\n")
		}
	}
	for _, a := range append([]Access{x.End}, foreign...) {
		if c := a.created; c != nil {
			fmt.Fprintf(&b, "goroutine %s was started at %s:%d in %s\n", a.who(), shorten(c.File), c.Line, c.Function)
		}
	}
	if why := x.doubt(); why != "" {
		fmt.Fprintf(&b, "perhaps without harm: %s; it fails nothing as long as nobody confirms the section\n", why)
	}
	fmt.Fprintf(&b, "healing: %s\n", x.Healing)
	if suggest && x.doubt() == "" { // a section with a doubt stands there already
		b.WriteString("to keep watching it, among the packages of atomicity.yaml:\n")
		for line := range strings.Lines(x.Suggestion()) {
			b.WriteString("  " + line)
		}
	}
	b.WriteString(rule)
	return b.String()
}

// subject names the variable: type and field, package, Go type, instance.
func (x *Violation) subject() string {
	v := x.Variable
	s := v.Name
	if x.Key != "" {
		s += " key " + x.Key
	}
	s += " of package " + v.Package
	if v.Type != "" {
		s += ", type " + v.Type
	}
	return s + fmt.Sprintf(", at %#x", x.Instance)
}

// allowed is what the end allows, in a set of variables to which.
func (x *Violation) allowed() string {
	s := x.Allow.set()
	for i, m := range x.Also {
		s += []string{" and ", ", "}[min(i, 1)] + m.String()
	}
	return s
}

// line describes x and its foreign access i in one line, for counts.
func (x *Violation) line(i int) string {
	f := x.Foreign[i]
	if x.Kind == DataRace {
		return fmt.Sprintf("data race on %s: %s at %s, %s at %s", x.Variable.Name,
			x.End.Mode, x.End.Location.position(), f.Mode, f.Location.position())
	}
	return fmt.Sprintf("atomicity violation on %s: section %s, %s to %s, broken by %s at %s", x.Variable.Name,
		x.Section.ID, x.Entry.Location.position(), x.End.Location.position(), f.act(), f.Location.position())
}

// act is what the access did; in a set of variables, to which one.
func (a Access) act() string {
	if a.Location.of() == nil {
		return a.Mode.String()
	}
	preposition := " of "
	if a.Mode == Write {
		preposition = " to "
	}
	return a.Mode.String() + preposition + a.Location.of().Name
}

func (a Access) who() string {
	if a.Goroutine == 0 {
		return "(unknown)"
	}
	return fmt.Sprint(a.Goroutine)
}

func (a Access) where() string {
	l := a.Location
	s := l.position()
	if l.Func != "" {
		s += " in " + l.Func
	}
	if l.Code() != "" {
		s += ": " + l.Code()
	}
	return s
}

// times says how often a happened, if more than once.
func (a Access) times() string {
	switch {
	case a.Times < 2:
		return ""
	case a.several:
		return fmt.Sprintf(" (%d times, by others, too)", a.Times)
	}
	return fmt.Sprintf(" (%d times)", a.Times)
}

// value writes what was seen of the value, in a line.
func (a Access) value(b *strings.Builder, when string) {
	if s := a.changed(when); s != "" {
		fmt.Fprintf(b, "    %s\n", s)
	}
}

// frames writes the call stack, two lines a frame.
func (a Access) frames(b *strings.Builder) {
	for _, f := range a.Stack() {
		fmt.Fprintf(b, "    %s()\n        %s:%d\n", f.Function, shorten(f.File), f.Line)
	}
}

// shorten writes the files of the standard library as $GOROOT/src/…: the
// directory that an instrumented program was built from is of no interest, and
// may be gone.
func shorten(file string) string {
	if rest, ok := strings.CutPrefix(file, goroot+"/src/"); ok && goroot != "" {
		return "$GOROOT/src/" + rest
	}
	return file
}

// goroot is $GOROOT as the compiler saw it, taken from where a function of the
// runtime is defined; empty under -trimpath, which leaves it out of all names.
var goroot = func() string {
	f := runtime.FuncForPC(reflect.ValueOf(runtime.GC).Pointer())
	if f == nil {
		return ""
	}
	file, _ := f.FileLine(f.Entry())
	if i := strings.LastIndex(file, "/src/runtime/"); i >= 0 {
		return file[:i]
	}
	return ""
}()

func title(m Mode) string {
	s := m.String()
	return strings.ToUpper(s[:1]) + s[1:]
}
