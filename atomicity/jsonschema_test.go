package atomicity

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

const schemaFile = "../docs/atomicity.schema.json"

// TestJSONSchema keeps docs/atomicity.schema.json equal to the types, as
// TestReference does docs/atomicity-yaml.md. After a change of them:
//
//	go test ./atomicity -run 'TestReference|TestJSONSchema' -update
func TestJSONSchema(t *testing.T) {
	var want bytes.Buffer
	enc := json.NewEncoder(&want)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(jsonSchema(t)); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(schemaFile, want.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s differs from the types; run go test ./atomicity -run TestJSONSchema -update\n%s", schemaFile, difference(string(got), want.String()))
	}
}

type object = map[string]any

// jsonSchema is the format as a JSON Schema of draft 7, which editors know.
func jsonSchema(t *testing.T) object {
	docs := sourceDocs(t)
	definitions := object{}
	s := objectSchema(docs, specSchema, definitions)
	s["$schema"] = "http://json-schema.org/draft-07/schema#"
	s["$id"] = schemaURL
	s["title"] = "atomicity.yaml"
	s["definitions"] = definitions
	return s
}

// ordered is an object whose members stay in order: editors offer them in that one.
type ordered []member

type member struct {
	name  string
	value any
}

func (o ordered) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	separator := "{"
	for _, m := range o {
		b.WriteString(separator)
		if err := enc.Encode(m.name); err != nil {
			return nil, err
		}
		b.WriteString(":")
		if err := enc.Encode(m.value); err != nil {
			return nil, err
		}
		separator = ","
	}
	b.WriteString("}")
	return b.Bytes(), nil
}

// snippets are what an editor writes for a person who begins an element of a list. One
// has no way to write [], so that packages and variables have none.
var snippets = map[reflect.Type]object{
	reflect.TypeFor[Section](): snippet("section", "A section that a person writes", ordered{
		{"id", "${1:name}"}, {"pattern", "user"}, {"function", "${2:(*T).Method}"},
		{"entry", ordered{{"access", "${3|read,write|}"}, {"code", "${4:statement}"}}},
		{"ends", []any{ordered{{"access", "${5|write,read|}"}, {"code", "${6:statement}"}, {"allow", []any{"${7:read}"}}}}},
		{"origin", "user"}, {"status", "confirmed"}, {"note", "${8:why}"},
	}),
	reflect.TypeFor[End](): snippet("end", "An access that ends the section", ordered{
		{"access", "${1|write,read|}"}, {"code", "${2:statement}"}, {"allow", []any{"${3:read}"}},
	}),
}

func snippet(label, description string, body ordered) object {
	return object{"label": label, "description": description, "body": body}
}

func objectSchema(docs map[string]string, s *schema, definitions object) object {
	var properties ordered
	var required []string
	for _, f := range s.fields {
		properties = append(properties, member{f.name, fieldSchema(docs, s, f, definitions)})
		if f.required {
			required = append(required, f.name)
		}
	}
	o := object{
		"description":          plain(docs[s.typ.Name()]),
		"type":                 "object",
		"properties":           properties,
		"required":             required,
		"additionalProperties": false,
	}
	if text := snippets[s.typ]; text != nil {
		o["defaultSnippets"] = []object{text}
	}
	// The rules of decoder.rules.
	switch s.typ {
	case reflect.TypeFor[Section]():
		o["if"] = object{"properties": object{"status": object{"enum": []string{string(Rejected)}}}, "required": []string{"status"}}
		o["then"] = object{"required": []string{"reason"}}
	case reflect.TypeFor[Location](), reflect.TypeFor[End]():
		o["anyOf"] = []object{{"required": []string{"code"}}, {"required": []string{"ordinal"}}}
	}
	return o
}

func fieldSchema(docs map[string]string, s *schema, f *field, definitions object) object {
	o := object{"description": plain(docs[owner(s, f)])}
	var example any
	if err := yaml.Unmarshal([]byte(f.example), &example); err == nil && f.elem == nil {
		o["examples"] = []any{example}
	}
	switch f.kind {
	case numberKind:
		o["type"], o["minimum"], o["maximum"] = "integer", 1, 999999999
		if f.name == "version" {
			o["maximum"] = Version
		}
	case enumKind, modeKind:
		o["type"], o["enum"] = "string", f.enum
		if f.kind == enumKind {
			var texts []string
			for _, word := range f.enum {
				texts = append(texts, plain(docs[fieldType(s, f).Name()+"="+word]))
			}
			o["enumDescriptions"] = texts
		}
	case modesKind:
		o["type"], o["uniqueItems"], o["items"] = "array", true, object{"type": "string", "enum": []string{"read", "write"}}
	case namesKind:
		o["type"], o["uniqueItems"], o["minItems"] = "array", true, 1
		item := object{"type": "string", "pattern": `^[^\r\n]*\S[^\r\n]*$`}
		if f.shape != nil {
			setShape(item, f.shape)
		}
		o["items"] = item
	case objectKind, listKind:
		object := objectSchema(docs, f.elem, definitions)
		if f.kind == objectKind { // in place: draft 7 ignores a description beside $ref
			object["description"] = o["description"]
			return object
		}
		name := strings.ToLower(f.elem.typ.Name())
		definitions[name] = object
		o["type"], o["items"] = "array", map[string]any{"$ref": "#/definitions/" + name}
		if f.name == "ends" {
			o["minItems"] = 1
		}
	case textKind:
		o["type"], o["pattern"] = "string", `\S`
		if f.oneLine {
			o["pattern"] = `^[^\r\n]*\S[^\r\n]*$`
		}
		if f.shape != nil {
			setShape(o, f.shape)
		}
	}
	return o
}

// setShape says what the text must look like, for editors in words.
func setShape(o object, s *shape) {
	o["pattern"] = s.pattern.String()
	o["patternErrorMessage"] = "must be " + strings.ReplaceAll(s.words, "`", "")
}

// plain takes back what sourceDocs does for Markdown.
func plain(text string) string { return strings.ReplaceAll(text, `\*`, "*") }

// What an editor writes for a section loads as it stands.
func TestSnippets(t *testing.T) {
	fill := regexp.MustCompile(`\$\{\d+[:|]([^,|}]*)[^}]*\}`)
	body, err := json.Marshal(snippets[reflect.TypeFor[Section]()]["body"])
	if err != nil {
		t.Fatal(err)
	}
	text := "version: 1\npackages: [{package: p, variables: [{variable: v, sections: [" + fill.ReplaceAllString(string(body), "$1") + "]}]}]\n"
	spec, err := Parse("f.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	s := spec.Section("name")
	if s == nil || s.Status != Confirmed || s.Entry.Access != Read || s.Ends[0].Access != Write || s.Ends[0].Allow != Read {
		t.Errorf("%+v", s)
	}
}

// beyondSchema are mistakes that only atomrace itself sees: they concern YAML
// rather than the values it stands for, or compare several objects.
var beyondSchema = []string{
	"id twice", "package twice", "variable twice", "line in hexadecimal", "shared object", "tag", "merge key", "question mark", "two documents",
	"the variable with itself", "fields of two types", "a field with a variable", "contents in a set", "an end on something else", "an end on another field", "an end on a third field", "an end on a misspelt variable",
	"also without a set", "also something else",
}

// The schema accepts the files that load and refuses those that do not, but for
// beyondSchema.
func TestJSONSchemaAgrees(t *testing.T) {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var root object
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	check := func(text string) (errs []string, readable bool) {
		var value any
		if err := yaml.Unmarshal([]byte(text), &value); err != nil {
			return []string{"not YAML: " + err.Error()}, false
		}
		return validate(root, root, value, ""), true
	}
	curated, err := os.ReadFile("testdata/curated.yaml")
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("../atomicity.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{valid, string(curated), string(own), "version: 1\npackages: []\n", strings.Replace(valid, "candidate", "rejected\n            reason: |\n              two\n              lines", 1)} {
		if errs, _ := check(text); errs != nil {
			t.Errorf("refused: %v\n%s", errs, text)
		}
	}
	refused := 0
	for _, tt := range spoilt {
		errs, readable := check(spoil(t, tt.old, tt.new))
		switch beyond := slices.Contains(beyondSchema, tt.name); {
		case beyond && errs != nil && readable:
			t.Errorf("%s: the schema refuses it after all: %v", tt.name, errs)
		case !beyond && errs == nil:
			t.Errorf("%s: the schema accepts it", tt.name)
		case readable && errs != nil:
			refused++
		}
	}
	if refused < 25 {
		t.Errorf("only %d files were refused for their values", refused)
	}
}

// validate checks a value against the keywords that our schema uses.
func validate(root, s object, v any, path string) (errs []string) {
	fail := func(format string, args ...any) { errs = append(errs, path+": "+fmt.Sprintf(format, args...)) }
	for keyword, want := range s {
		switch keyword {
		case "$schema", "$id", "title", "description", "definitions", "examples", "enumDescriptions", "patternErrorMessage", "defaultSnippets", "then":
		case "$ref":
			name := strings.TrimPrefix(want.(string), "#/definitions/")
			errs = append(errs, validate(root, root["definitions"].(object)[name].(object), v, path)...)
		case "anyOf":
			if !slices.ContainsFunc(want.([]any), func(sub any) bool { return validate(root, sub.(object), v, path) == nil }) {
				fail("none of anyOf")
			}
		case "if":
			if validate(root, want.(object), v, path) == nil {
				errs = append(errs, validate(root, s["then"].(object), v, path)...)
			}
		case "type":
			if got := jsonType(v); got != want {
				fail("%s, not %s", got, want)
			}
		case "enum":
			if !slices.Contains(want.([]any), v) {
				fail("%v is not of %v", v, want)
			}
		case "minimum":
			if n, ok := v.(int); ok && float64(n) < want.(float64) {
				fail("%d is too small", n)
			}
		case "maximum":
			if n, ok := v.(int); ok && float64(n) > want.(float64) {
				fail("%d is too large", n)
			}
		case "pattern":
			if text, ok := v.(string); ok && !regexp.MustCompile(want.(string)).MatchString(text) {
				fail("%q does not match", text)
			}
		case "required":
			for _, name := range want.([]any) {
				o, ok := v.(object)
				if _, has := o[name.(string)]; ok && !has {
					fail("no %s", name)
				}
			}
		case "properties":
			for name, sub := range want.(object) {
				o, _ := v.(object)
				if _, has := o[name]; has {
					errs = append(errs, validate(root, sub.(object), o[name], path+"."+name)...)
				}
			}
		case "additionalProperties":
			if o, ok := v.(object); ok {
				for name := range o {
					if s["properties"].(object)[name] == nil {
						fail("%s is unknown", name)
					}
				}
			}
		case "items":
			if list, ok := v.([]any); ok {
				for i, item := range list {
					errs = append(errs, validate(root, want.(object), item, fmt.Sprintf("%s[%d]", path, i))...)
				}
			}
		case "minItems":
			if list, ok := v.([]any); ok && float64(len(list)) < want.(float64) {
				fail("too few")
			}
		case "uniqueItems":
			if list, ok := v.([]any); ok && len(list) == 2 && list[0] == list[1] {
				fail("twice the same")
			}
		default:
			fail("the test does not know the keyword %s", keyword)
		}
	}
	return errs
}

func jsonType(v any) string {
	switch v.(type) {
	case object:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case int:
		return "integer"
	}
	return fmt.Sprintf("%T", v)
}
