package atomicity

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/atomrace/atomrace/internal/pattern"
)

// scalar follows an alias and checks that the value is a single one.
func (d *decoder) scalar(n *yaml.Node, path *where, f *field) *yaml.Node {
	var want string
	switch f.kind {
	case textKind:
		want = "text"
	case numberKind:
		want = "a whole number"
	default:
		want = f.oneOf
	}
	place := n
	if n.Kind == yaml.AliasNode {
		n = n.Alias
		if d.shared < maxSize { // else it was said
			if d.shared += len(n.Value); d.shared >= maxSize {
				d.errorf(place, path, "with all that it stands for, the file is larger than %d MiB; let aliases stand for less", maxSize>>20)
			}
		}
	}
	if place != n {
		// What is wrong with a shared value is wrong where it is used.
		at := *n
		at.Line, at.Column = place.Line, place.Column
		n = &at
	}
	if n.Kind != yaml.ScalarNode || tagOf(n) == "!!null" {
		d.wrongKind(n, path, f, want)
		return nil
	}
	if !d.plainNode(n, path) {
		return nil
	}
	return n
}

// tagOf is the ShortTag of a scalar. The library takes its time over texts,
// which are most of a file.
func tagOf(n *yaml.Node) string {
	if n.Tag == "" && (n.Style&(quotes|yaml.LiteralStyle|yaml.FoldedStyle) != 0 || surelyText(n.Value)) {
		return "!!str"
	}
	return n.ShortTag()
}

// surelyText reports whether a text without quotes cannot be a number, date,
// truth value or nothing: by its first letter, or because it is longer than the
// longest such word.
func surelyText(text string) bool {
	if text == "" {
		return false
	}
	c := text[0]
	return c == '(' || (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') && (len(text) > len("false") || strings.IndexByte("yYnNtTfFoO", c) < 0)
}

var wholeNumber = pattern.New(`^[1-9][0-9]{0,8}$`)

// word decodes the scalar n.
func (d *decoder) word(n *yaml.Node, path *where, f *field, v reflect.Value) {
	switch f.kind {
	case numberKind:
		if !wholeNumber.MatchString(n.Value) || tagOf(n) != "!!int" {
			usage := f.usage()
			if meant := strings.TrimLeft(n.Value, "0"); wholeNumber.MatchString(meant) { // "4" or 04
				usage = fmt.Sprintf("%s: %s, without quotes or zeros in front", f.name, meant)
			}
			d.errorf(n, path, "%s must be a whole number from 1 to 999999999, not %s; write %s", f.name, shown(n), usage)
			return
		}
		number, _ := strconv.Atoi(n.Value)
		v.SetInt(int64(number))
	case textKind:
		switch {
		case tagOf(n) != "!!str":
			d.errorf(n, path, "%s must be text, but YAML takes %s for %s; put it in quotes", f.name, n.Value, kindName(n))
		case strings.TrimSpace(n.Value) == "":
			d.errorf(n, path, "%s is blank; write %s%s", f.name, f.usage(), orRemove(f))
		case f.oneLine && strings.ContainsAny(n.Value, "\r\n"):
			d.errorf(n, path, "%s must be on one line; write %s", f.name, f.usage())
		case f.shape != nil && !f.shape.pattern.MatchString(n.Value):
			d.errorf(n, path, "%s must be %s, not %s; write %s%s", f.name, f.shape.words, shown(n), f.usage(), orRemove(f))
		default:
			v.SetString(n.Value)
		}
	default:
		for i, word := range f.enum {
			if n.Value != word || tagOf(n) != "!!str" {
				continue
			}
			if f.kind == modeKind {
				v.SetUint(1 << i)
			} else {
				v.SetString(word)
			}
			return
		}
		advice := didYouMean(n.Value, f.enum, fmt.Sprintf("write %s", f.usage()))
		if f.name == "heal" && n.Value == "priority" { // it is in the literature
			advice = "goroutines have no priorities, yield is nearest; write heal: yield"
		}
		d.errorf(n, path, "%s must be %s, not %s; %s", f.name, oneOf(f.enum), shown(n), advice)
	}
}

// usage is the field with a value, for messages.
func (f *field) usage() string {
	if f.inList {
		return f.example
	}
	return f.name + ": " + f.example
}

func orRemove(f *field) string {
	if f.required {
		return ""
	}
	return ", or remove the field"
}
