package atomicity

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// decoder turns nodes into the exported types and collects what is wrong.
type decoder struct {
	doc  *document
	errs Errors
	ids  map[string]*yaml.Node // section id → where it was first seen

	places []where // see decoder.where
	shared int     // bytes that aliases stand for
}

// enough is how many problems are collected of one file; who has so many begins with
// the first ones.
const enough = 100

// longText is how much of a text from the file a message shows, in bytes.
const longText = 200

// where keeps places together, of which there is one for every value.
func (d *decoder) where(w where) *where {
	if len(d.places) == cap(d.places) {
		d.places = make([]where, 0, 512)
	}
	d.places = append(d.places, w)
	return &d.places[len(d.places)-1]
}

func (d *decoder) errorf(n *yaml.Node, path *where, format string, args ...any) {
	if len(d.errs) == enough {
		return
	}
	for i, a := range args { // names have no limit, lines for people have
		if text, ok := a.(string); ok && len(text) > longText {
			args[i] = strings.ToValidUTF8(text[:longText], "") + "…"
		}
	}
	d.errs = append(d.errs, d.doc.errorAt(n.Line, n.Column, path.String(), fmt.Sprintf(format, args...)))
}

// newerVersion looks at the version before anything else, since a file of a
// later format would only produce misleading errors.
func (d *decoder) newerVersion(root *yaml.Node) bool {
	if root.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if n := root.Content[i+1]; root.Content[i].Value == "version" && n.Kind == yaml.ScalarNode {
			if v, err := strconv.Atoi(n.Value); err == nil && v > Version {
				d.errorf(n, (*where)(nil).field("version"), "written by a newer atomrace (format version %d, this one reads %d); update atomrace", v, Version)
				return true
			}
		}
	}
	return false
}

// object decodes the mapping n into v, a struct described by s.
func (d *decoder) object(n *yaml.Node, path *where, s *schema, v reflect.Value) {
	var buffer [16]*yaml.Node // more than any object has fields
	values := buffer[:len(s.fields)]
	misspelt, ok := d.mapping(n, path, s, values)
	if !ok {
		return
	}
	before := len(d.errs)
	for i, f := range s.fields {
		switch value := values[i]; {
		case value != nil:
			d.field(value, d.where(where{parent: path, name: f.name}), f, f.value(v))
		case f.required && !slices.Contains(misspelt, f.name):
			d.errorf(n, path, "the field %q is missing; add %s: %s", f.name, f.name, f.example)
		}
	}
	if len(d.errs) == before {
		d.rules(n, path, v)
	}
	if v.CanAddr() {
		d.doc.nodes[v.Addr().Interface()] = n
	}
}

// mapping checks that n has the shape of an object and known fields only, and
// puts their values where they are in the schema. It returns the fields that
// were probably meant by unknown ones.
func (d *decoder) mapping(n *yaml.Node, path *where, s *schema, values []*yaml.Node) (misspelt []string, ok bool) {
	if n.Kind != yaml.MappingNode {
		d.errorf(n, path, "must have fields (%s), not be %s; write name: value", strings.Join(s.names(), ", "), kindName(n))
		return nil, false
	}
	if !d.plainNode(n, path) {
		return nil, false
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		known := slices.IndexFunc(s.fields, func(f *field) bool { return f.name == key.Value })
		switch {
		case key.Kind != yaml.ScalarNode:
			d.errorf(key, path, "a field name must be a word, not %s; the fields here are %s", kindName(key), strings.Join(s.names(), ", "))
		case key.Anchor != "" || key.Style&yaml.TaggedStyle != 0 || !d.doc.plain && d.doc.questionMark(key):
			misspelt = append(misspelt, key.Value)
			d.errorf(key, path, "the field %q is written with an anchor, a tag or a question mark; write %s: value", key.Value, key.Value)
		case known >= 0 && values[known] != nil:
			first := n.Content[keyIndex(n, key.Value)]
			d.errorf(key, path.field(key.Value), "the field %q is given twice, first in line %d; remove one", key.Value, first.Line)
		case key.Value == "<<":
			d.errorf(key, path, "merge keys (<<) are not supported; write the fields out")
		case known < 0:
			near, _ := Nearest(key.Value, s.names())
			misspelt = append(misspelt, near)
			d.errorf(key, path.field(key.Value), "unknown field %q; %s", key.Value,
				didYouMean(key.Value, s.names(), "the fields here are "+strings.Join(s.names(), ", ")))
		default:
			values[known] = value
		}
	}
	return misspelt, true
}

// plainNode refuses anchors and tags on lists and objects.
func (d *decoder) plainNode(n *yaml.Node, path *where) bool {
	switch {
	case n.Style&yaml.TaggedStyle != 0:
		d.errorf(n, path, "tags such as %s are not supported; remove it", n.Tag)
	case n.Anchor != "" && n.Kind != yaml.ScalarNode:
		d.errorf(n, path, "the anchor &%s names a list or object, which atomicity.yaml may not share; remove it", n.Anchor)
	default:
		return true
	}
	return false
}

// field decodes the value n of field f into v.
func (d *decoder) field(n *yaml.Node, path *where, f *field, v reflect.Value) {
	switch f.kind {
	case objectKind:
		if d.notAlias(n, path) {
			d.object(n, path, f.elem, v)
		}
	case listKind:
		if d.notAlias(n, path) && d.list(n, path, f) {
			d.items(n, path, f, v)
		}
	case modesKind:
		if d.notAlias(n, path) && d.list(n, path, f) {
			d.modes(n, path, v)
		}
	case namesKind:
		if d.notAlias(n, path) && d.list(n, path, f) {
			d.names(n, path, f, v)
		}
	default:
		if n = d.scalar(n, path, f); n != nil {
			d.word(n, path, f, v)
		}
	}
}

func (d *decoder) notAlias(n *yaml.Node, path *where) bool {
	if n.Kind != yaml.AliasNode {
		return true
	}
	d.errorf(n, path, "the alias *%s stands for a list or object here; only single values may be shared: write it out", n.Value)
	return false
}

func (d *decoder) list(n *yaml.Node, path *where, f *field) bool {
	if n.Kind != yaml.SequenceNode {
		d.wrongKind(n, path, f, "a list")
		return false
	}
	return d.plainNode(n, path)
}

func (d *decoder) wrongKind(n *yaml.Node, path *where, f *field, want string) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		remedy := ""
		if !f.required {
			remedy = ", or remove the field"
		}
		d.errorf(n, path, "%s has no value; write %s%s", f.name, f.usage(), remedy)
		return
	}
	d.errorf(n, path, "%s must be %s, not %s; write %s", f.name, want, kindName(n), f.usage())
}

// items decodes a list of objects, each with a name of its own.
func (d *decoder) items(n *yaml.Node, path *where, f *field, v reflect.Value) {
	v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
	names := map[string]*yaml.Node{}
	for i, c := range n.Content {
		at := d.where(where{parent: path, index: i})
		if v.Type().Elem().Kind() == reflect.Pointer {
			v.Index(i).Set(reflect.New(v.Type().Elem().Elem()))
		}
		if d.notAlias(c, at) {
			d.object(c, at, f.elem, item(v, i))
			d.unique(c, at, f.elem, item(v, i), names)
		}
	}
	if len(n.Content) == 0 && f.name == "ends" {
		d.errorf(n, path, "ends is empty; a section needs an access that ends it: %s", f.example)
	}
}

// unique checks the field that names the object n.
func (d *decoder) unique(n *yaml.Node, path *where, s *schema, v reflect.Value, names map[string]*yaml.Node) {
	for _, f := range s.fields {
		if !f.unique {
			continue
		}
		if f.name == "id" {
			names = d.ids // one name space for the whole file
		}
		name := f.value(v).String()
		if first := names[name]; first != nil && name != "" {
			at := fieldNode(n, f.name)
			d.errorf(at, path.field(f.name), "the %s %q is given twice, first in line %d; %s", f.name, name, first.Line, onDuplicate(f.name))
		} else {
			names[name] = n
		}
	}
}

func onDuplicate(name string) string {
	if name == "id" {
		return "give this section an id of its own"
	}
	return "put everything under one"
}

// allowedMode is an element of allow.
var allowedMode = &field{kind: modeKind, name: "an allowed access", inList: true, enum: []string{"read", "write"}, oneOf: "read or write", example: "read"}

func (d *decoder) modes(n *yaml.Node, path *where, v reflect.Value) {
	var set AccessSet
	for i, c := range n.Content {
		at := &where{path, "", i}
		var one AccessSet
		if c = d.scalar(c, at, allowedMode); c == nil {
			continue
		}
		if memberAccess.pattern.MatchString(c.Value) {
			d.errorf(c, at, "what is allowed of one variable alone goes into also; write also: [%s]", c.Value)
			continue
		}
		d.word(c, at, allowedMode, reflect.ValueOf(&one).Elem())
		if one != 0 && set.Has(one) {
			d.errorf(c, at, "%s is given twice; remove one", c.Value)
		}
		set |= one
	}
	v.SetUint(uint64(set))
}

// names decodes a list of texts, each of them once.
func (d *decoder) names(n *yaml.Node, path *where, f *field, v reflect.Value) {
	element := f.element()
	list := make([]string, 0, len(n.Content))
	for i, c := range n.Content {
		at := &where{path, "", i}
		var text string
		if c = d.scalar(c, at, element); c == nil {
			continue
		}
		before := len(d.errs)
		d.word(c, at, element, reflect.ValueOf(&text).Elem())
		if slices.Contains(list, text) && len(d.errs) == before {
			d.errorf(c, at, "%s is given twice; remove one", text)
		}
		list = append(list, text)
	}
	if len(n.Content) == 0 {
		d.errorf(n, path, "%s is empty; write %s, or remove the field", f.name, f.usage())
	}
	v.Set(reflect.ValueOf(list))
}

// fieldNode returns the value of a field of the mapping n, or n itself.
func fieldNode(n *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return n
}

// kindName names what n is, for messages.
func kindName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "an object"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	switch n.ShortTag() {
	case "!!int", "!!float":
		return "a number"
	case "!!bool":
		return "true or false"
	case "!!null":
		return "nothing"
	case "!!timestamp":
		return "a date"
	}
	return "text"
}

// shown quotes a value for a message, shortened.
func shown(n *yaml.Node) string {
	text := []rune(n.Value)
	if len(text) > 40 {
		text = append(text[:40], '…')
	}
	return strconv.Quote(string(text))
}
