package heal

import "fmt"

// MarshalJSON returns x as one JSON object, in the schema of the lines that
// log_format=json writes, without their first members.
func (x Violation) MarshalJSON() ([]byte, error) {
	var e encoder
	e.object("", func() { x.members(&e) })
	return e.buf, nil
}

// members writes what belongs to the violation itself.
func (x *Violation) members(e *encoder) {
	v := x.Variable
	e.text("id", x.ID)
	e.number("count", uint64(x.Count))
	e.text("kind", x.Kind)
	e.text("package", v.Package)
	e.text("variable", v.Name)
	e.text("type", v.Type)
	e.text("instance", fmt.Sprintf("%#x", x.Instance))
	e.text("key", x.Key)
	if x.Section != nil {
		e.text("section", x.Section.ID)
		e.text("pattern", x.Section.Pattern)
		e.list("allow", func() { e.modes(x.Allow) })
		if len(x.Also) > 0 {
			e.list("also", func() {
				for _, m := range x.Also {
					e.text("", m.String())
				}
			})
		}
	}
	e.list("accesses", func() {
		if x.Section == nil {
			e.access("first", x.End)
			e.access("second", x.Foreign[0])
			return
		}
		e.access("entry", x.Entry)
		for _, a := range x.Foreign {
			e.access("foreign", a)
		}
		e.access("end", x.End)
	})
	e.truth("more", x.More)
	e.text("doubt", x.doubt())
	e.text("healing", x.Healing)
	e.text("suggestion", x.Suggestion())
}

func (e *encoder) modes(m Mode) {
	for _, one := range []Mode{Read, Write} {
		if m&one != 0 {
			e.text("", one.String())
		}
	}
}

func (e *encoder) access(role string, a Access) {
	l := a.Location
	e.object("", func() {
		e.text("role", role)
		e.text("mode", a.Mode.String())
		if l.of() != nil {
			e.text("variable", l.of().Name)
		}
		e.text("file", l.File)
		e.number("line", uint64(l.Line))
		e.number("column", uint64(l.Column))
		e.text("function", l.Func)
		e.text("code", l.Code())
		e.number("goroutine", a.Goroutine)
		if a.Times > 1 {
			e.number("times", uint64(a.Times))
		}
		e.truth("several", a.several)
		e.text("before", a.ValueBefore())
		e.text("after", a.ValueAfter())
		if stack := a.Stack(); len(stack) > 0 {
			e.list("stack", func() {
				for _, f := range stack {
					e.object("", func() { e.place(f.Function, f.File, f.Line) })
				}
			})
		}
		if c := a.created; c != nil {
			e.object("created", func() {
				e.place(c.Function, c.File, c.Line)
				e.number("goroutine", c.Goroutine)
			})
		}
	})
}

func (e *encoder) place(function, file string, line int) {
	e.text("function", function)
	e.text("file", shorten(file))
	e.number("line", uint64(line))
}
