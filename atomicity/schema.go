package atomicity

import (
	"reflect"
	"strings"

	"github.com/atomrace/atomrace/internal/pattern"
)

// The exported types are the one description of the file format. Their tags
// are read here, once, and drive decoding, saving and the reference in
// docs/atomicity-yaml.md alike:
//
//	yaml     the field's name in the file
//	spec     required or optional, then any of
//	           line    text that must be on one line
//	           quoted  text that is always written in double quotes
//	           flow    written as {…} on one line
//	           set     an AccessSet written as a list
//	           unique  names its object: no two alike (ids: in the whole file)
//	example  a value, shown in error messages and in the reference

// kind says how a field is written.
type kind int

const (
	textKind   kind = iota // a scalar, free text
	numberKind             // a scalar, a whole number from 1
	enumKind               // a scalar, one of a few words
	modeKind               // a scalar, read or write
	modesKind              // a list of read and write
	namesKind              // a list of texts
	objectKind             // a mapping
	listKind               // a list of mappings
)

type field struct {
	name     string
	index    []int
	kind     kind
	required bool
	oneLine  bool
	quoted   bool
	flow     bool
	unique   bool
	inList   bool   // an element of a list, which has no name in the file
	shape    *shape // nil: any
	enum     []string
	oneOf    string // the words of enum, for messages
	elem     *schema
	example  string
}

type schema struct {
	typ    reflect.Type
	fields []*field
	byName map[string]*field
}

// enums are the words a field of each type may hold.
var enums = map[reflect.Type][]string{
	reflect.TypeFor[Pattern]():   words(Patterns()),
	reflect.TypeFor[Status]():    words(Statuses()),
	reflect.TypeFor[Healing]():   words(Healings()),
	reflect.TypeFor[Staleness](): words(Stalenesses()),
}

// shapes are the texts that a field of each type may hold.
var shapes = map[reflect.Type]*shape{
	reflect.TypeFor[Assurance](): {pattern.New(`^(lock|yield, because \S[^\r\n]*)$`), "`lock` or `yield, because …`"},
}

// memberAccess is an element of also.
var memberAccess = &shape{pattern.New(`^(read|write) [^\s,\[\]{}]+$`), "`read VARIABLE` or `write VARIABLE`"}

// shape is what a text must look like.
type shape struct {
	pattern *pattern.Pattern
	words   string // for messages
}

func words[T ~string](list []T) []string {
	texts := make([]string, len(list))
	for i, word := range list {
		texts[i] = string(word)
	}
	return texts
}

// schemas has the schema of each type; specSchema describes the whole file.
var (
	schemas    = map[reflect.Type]*schema{}
	specSchema = newSchema(reflect.TypeFor[Spec]())
)

func newSchema(t reflect.Type) *schema {
	s := &schema{typ: t, byName: map[string]*field{}}
	schemas[t] = s
	s.add(t, nil)
	for _, f := range s.fields {
		s.byName[f.name] = f
	}
	return s
}

func (s *schema) add(t reflect.Type, index []int) {
	for i := range t.NumField() {
		sf := t.Field(i)
		at := append(index[:len(index):len(index)], i)
		name := sf.Tag.Get("yaml")
		switch name {
		case "":
		case ",inline":
			s.add(sf.Type, at)
		default:
			s.fields = append(s.fields, newField(name, at, sf))
		}
	}
}

func newField(name string, index []int, sf reflect.StructField) *field {
	f := &field{name: name, index: index, example: sf.Tag.Get("example"), enum: enums[sf.Type], shape: shapes[sf.Type]}
	options := map[string]bool{}
	for option := range strings.SplitSeq(sf.Tag.Get("spec"), ",") {
		options[option] = true
	}
	f.required, f.oneLine, f.quoted = options["required"], options["line"], options["quoted"]
	f.flow, f.unique = options["flow"], options["unique"]
	switch t := sf.Type; {
	case t == reflect.TypeFor[AccessSet]() && options["set"]:
		f.kind = modesKind
	case t == reflect.TypeFor[AccessSet]():
		f.kind = modeKind
		f.enum = []string{Read.Names()[0], Write.Names()[0]}
	case f.enum != nil:
		f.kind = enumKind
	case t.Kind() == reflect.Int:
		f.kind = numberKind
	case t.Kind() == reflect.Struct:
		f.kind, f.elem = objectKind, newSchema(t)
	case t == reflect.TypeFor[[]string]():
		f.kind = namesKind
		if f.name == "also" {
			f.shape = memberAccess
		}
	case t.Kind() == reflect.Slice:
		elem := t.Elem()
		if elem.Kind() == reflect.Pointer {
			elem = elem.Elem()
		}
		f.kind, f.elem = listKind, newSchema(elem)
	default:
		f.kind = textKind
	}
	f.oneOf = oneOf(f.enum)
	return f
}

// element is an element of a list of texts, as a field of its own.
func (f *field) element() *field {
	return &field{kind: textKind, name: "an element of " + f.name, oneLine: f.oneLine, required: true, inList: true, shape: f.shape, example: strings.Trim(f.example, "[]")}
}

// names lists the fields of an object, as a person would enumerate them.
func (s *schema) names() []string {
	var names []string
	for _, f := range s.fields {
		names = append(names, f.name)
	}
	return names
}

// value returns the field of object v (a struct).
func (f *field) value(v reflect.Value) reflect.Value { return v.FieldByIndex(f.index) }

// present reports whether the field of v is written to the file.
func (f *field) present(v reflect.Value) bool { return f.required || !f.value(v).IsZero() }

// item returns element i of a list as an addressable struct.
func item(list reflect.Value, i int) reflect.Value {
	v := list.Index(i)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v
}
