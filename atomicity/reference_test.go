package atomicity

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/atomicity-yaml.md anew")

// TestReference keeps docs/atomicity-yaml.md equal to the types: the text is
// their doc comments and tags. After a change of either:
//
//	go test ./atomicity -run TestReference -update
func TestReference(t *testing.T) {
	const file = "../docs/atomicity-yaml.md"
	want := reference(t)
	if *update {
		if err := os.MkdirAll("../docs", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s differs from the types; run go test ./atomicity -run TestReference -update\n%s", file, difference(string(got), want))
	}
}

// ofSet is the example of a section over a set.
const ofSet = `- variable: Config.host
  sections:
    - id: set
      pattern: user
      function: (*Config).Set
      with: [Config.port]
      entry: {access: write, code: "c.host = host"}
      ends:
        - {variable: Config.port, access: write, code: "c.port = port", allow: []}
      origin: user
      status: confirmed
`

// The example at the head of the reference is a valid file, and every example
// of a field fits the field.
func TestReferenceExamples(t *testing.T) {
	if _, err := Parse("example", []byte(valid)); err != nil {
		t.Error(err)
	}
	if _, err := Parse("example", []byte("version: 1\npackages:\n  - package: x\n    variables:\n"+regexp.MustCompile("(?m)^").ReplaceAllString(strings.TrimSpace(ofSet), "      ")+"\n")); err != nil {
		t.Error(err)
	}
	for _, s := range schemas {
		for _, f := range s.fields {
			if f.example == "" {
				t.Errorf("%s.%s has no example", s.typ.Name(), f.name)
			}
		}
	}
	for _, name := range []string{"reason", "heal", "assurance", "doubt", "note"} {
		f := schemas[reflect.TypeFor[Section]()].byName[name]
		text := strings.Replace(valid, "candidate", "candidate\n            "+name+": "+f.example, 1)
		if _, err := Parse("example", []byte(text)); err != nil {
			t.Errorf("the example of %s: %v", name, err)
		}
	}
}

func reference(t *testing.T) string {
	docs := sourceDocs(t)
	var b strings.Builder
	b.WriteString(`# atomicity.yaml, field by field

<!-- Generated from the types of package atomicity; edit their doc comments and
run go test ./atomicity -run TestReference -update -->

The file says which parts of a module are meant to be atomic. ` + "`atomrace infer`" + `
proposes, a person curates, and the other commands obey. It stands at the root of
the module; there may be [several](#several-files). A small one, complete:

` + "```yaml\n" + valid + "```" + `

Loading is strict: an unknown or misspelt field is an error that names line and
column. Comments, order, quoting and blank lines are yours: atomrace changes a
value where it stands and leaves every other byte alone. One YAML document, in
UTF-8, of at most ` + strconv.Itoa(maxSize>>20) + ` MiB and ` + strconv.Itoa(maxLine) + ` characters a line. A single value may be shared by anchor and alias
(` + "`reason: &startup …`, `reason: *startup`" + `); lists, objects, tags and merge keys
may not.

Editors complete and check the file by [a JSON Schema](#in-an-editor).

There has been one version of the format. A file with a higher ` + "`version`" + ` is refused, with
the advice to update atomrace, rather than read by halves; a new version will come with
an atomrace that reads this one.

## In an editor

[A JSON Schema](atomicity.schema.json) is made from the same types. An editor with
yaml-language-server finds it by a comment, with which ` + "`infer`" + ` begins a new file:

    # yaml-language-server: $schema=` + schemaURL + `

It then completes fields and the words that they may hold, with what each of them means;
shows that on hover; underlines what is unknown, misspelt or missing; and writes, for
*section* behind a new dash, all that a section of one's own needs. Within ` + "`{…}`" + ` it completes
from the first letter on.

Without network, or to keep to the schema of one version, the comment can name a file,
relative to the one it stands in:

    atomrace spec schema >.atomicity.schema.json
    # yaml-language-server: $schema=.atomicity.schema.json

It was tried with yaml-language-server 1.25 (` + "`npm install -g yaml-language-server`" + `), alone and
in Vim 9 with the plugin [lsp](https://github.com/yegappan/lsp), by these lines of .vimrc;
completion is Ctrl-X Ctrl-O, hover ` + "`:LspHover`, and `:LspDiag show`" + ` lists the mistakes:

    autocmd User LspSetup call LspOptionsSet(#{omniComplete: v:true, autoComplete: v:false})
    autocmd User LspSetup call LspAddServer([#{name: 'yaml', filetype: ['yaml'],
        \ path: 'yaml-language-server', args: ['--stdio'],
        \ workspaceConfig: #{yaml: #{validate: v:true, hover: v:true, completion: v:true}}}])

The schema cannot see everything: that ids are unique, that variables belong together, or how
YAML writes a value, is checked when the file is loaded, and whether the code is there by
` + "`atomrace spec lint`" + `.

## Several variables that belong together

An address and its port, a balance and its version, a list and its length: each access may
be locked, each variable be written and read once, and yet another goroutine can see the new
one with the old other. No section over a single variable notices. A section with ` + "`with`" + ` is
over a set of them:

` + "```yaml\n" + ofSet + "```" + `

It begins with an access to the variable it stands under and ends with an access to any of
the set, which ` + "`variable`" + ` names where it is another one. In between the whole set is one
goroutine's: a foreign access to any of them that the end does not allow breaks the section.
That is the *atomic set* of Vaziri, Tip and Dolby (POPL 2006), said of one piece of code;
violations of that kind are the multi-variable ones that MUVI (Lu et al., SOSP 2007) looks for.

` + "`allow`" + ` is for the set as a whole, ` + "`also`" + ` for one variable of it. Who reads the port alone
cannot see that the host does not belong to it; who reads the host, or writes one of them, can
do harm:

    ends:
      - {variable: Config.port, access: write, code: "c.port = port", allow: [], also: [read Config.port]}

Infer proposes such a section where one step handles two variables in two critical sections
and all others handle both in one; ` + "`atomrace check`" + ` reports some more torn pairs
(multi-variable), and keeps to what a section over both says about them, rejected or
confirmed. Everything else works as for one variable: lint finds the code of each end, infer
follows it and writes the assurance, runs watch it and name both variables, fuzz breaks it,
and healing covers the set. All variables of a set have one healing lock, and so have sets
that overlap, so that none can be taken before the other in one place and after it in another.

The variables must have one place in common that the runtime can know them by: they are
fields of one struct type, or package-level variables, of the package under which the
section stands. Contents (` + "`[]`" + `), captured locals, fields of generic types and of several
types cannot be in one; what tells is an error when the file is loaded or, where it takes
the types to tell, one of lint and of the build.

## Several files

A file counts for the packages in its directory and below it. A module, or a package,
may have a file of its own beneath that of the repository; what is in force for a
package are all files from its directory up to the root of the repository (the first
directory with a ` + "`.git`" + `; without one, the topmost with a ` + "`go.work` or `go.mod`" + `).

- A section that only one file has counts as it stands there.
- Of a section that several have (the same ` + "`id`" + ` under the same variable, or the same
  code), the nearest gives the code and what the ends allow, and what a person has
  said counts from the nearest file that says it, each for itself: ` + "`status`" + ` with
  ` + "`reason`" + `, ` + "`heal`" + `, and ` + "`note`" + `. ` + "`candidate`" + ` and an absent field say nothing. So a file
  nearer by can confirm what one above rejects, and cannot take a section away.
- Where two files give one id to sections of different packages, the later one goes by
  the path of its package and that id.

Not inherited are ` + "`assurance`, `doubt`, `evidence` and `stale`" + `, which are of the file; what a file above the
module says of packages of other modules, dependencies included; and anything at all by
a command that is told which file to use with ` + "`-spec`, `-f` or `-o`" + `. A file below a
directory says nothing of packages elsewhere.

` + "`atomrace test`, `build`, `run` and `rewrite`, `check` and `go vet`" + ` take them all
together, and so do ` + "`spec list`, `show`, `explain` and `stats`" + `, which say what comes from
which file. ` + "`spec promote` and `reject`" + ` change the file that has the section; with ` + "`-f`" + `
they put what a person says into a nearer one. ` + "`infer`" + ` adds what is new to the nearest
file in the module, and looks after the others where they stand. ` + "`spec lint`" + ` goes through
all that are above and below; ` + "`refine`, `spec prune`, `fmt`, `merge` and `diff`" + ` work on
one file.
`)
	writeObject(&b, docs, "The file", specSchema)
	return b.String()
}

// writeObject describes the fields of a type and then the types of these.
func writeObject(b *strings.Builder, docs map[string]string, title string, s *schema) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n| field | | value | example |\n|---|---|---|---|\n", title, docs[s.typ.Name()])
	for _, f := range s.fields {
		required := "optional"
		if f.required {
			required = "required"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | `%s` |\n", f.name, required, describe(f), f.example)
	}
	for _, f := range s.fields {
		if len(f.index) > 1 {
			continue // described with the type it comes from
		}
		fmt.Fprintf(b, "\n**`%s`** — %s\n", f.name, docs[owner(s, f)])
		if f.kind == enumKind {
			b.WriteString("\n")
			for _, word := range f.enum {
				fmt.Fprintf(b, "- `%s`: %s\n", word, docs[fieldType(s, f).Name()+"="+word])
			}
		}
	}
	for _, f := range s.fields {
		if f.elem != nil {
			writeObject(b, docs, elementTitle(s, f), f.elem)
		}
	}
}

func elementTitle(s *schema, f *field) string {
	if f.kind == listKind {
		return fmt.Sprintf("An element of `%s`", f.name)
	}
	return fmt.Sprintf("`%s`", f.name)
}

func fieldType(s *schema, f *field) reflect.Type { return s.typ.FieldByIndex(f.index).Type }

// owner names the field in Go: the type that declares it and its name.
func owner(s *schema, f *field) string {
	t := s.typ
	for _, i := range f.index[:len(f.index)-1] {
		t = t.Field(i).Type
	}
	return t.Name() + "." + t.Field(f.index[len(f.index)-1]).Name
}

func describe(f *field) string {
	switch f.kind {
	case numberKind:
		return "number from 1"
	case enumKind, modeKind:
		return "`" + strings.Join(f.enum, "`, `") + "`"
	case modesKind:
		return "list of `read`, `write`"
	case namesKind:
		if f.shape != nil {
			return "list of " + strings.Replace(f.shape.words, " or ", ", ", 1)
		}
		return "list of texts on one line"
	case objectKind:
		return "object"
	case listKind:
		return "list of objects"
	}
	text := "text"
	if f.shape != nil {
		return f.shape.words
	}
	if f.oneLine {
		text += " on one line"
	}
	if f.unique {
		text += ", unique"
	}
	return text
}

// sourceDocs returns the doc comments of this package's types ("Section"),
// fields ("Section.ID") and words ("Status=rejected"), on one line each.
func sourceDocs(t *testing.T) map[string]string {
	docs := map[string]string{}
	for _, file := range []string{"spec.go", "section.go"} {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range tree.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range gen.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					// What follows the first paragraph is for Go programmers.
					docs[spec.Name.Name] = oneLine(&ast.CommentGroup{List: firstParagraph(gen.Doc.List)})
					if st, ok := spec.Type.(*ast.StructType); ok {
						for _, f := range st.Fields.List {
							for _, name := range f.Names {
								docs[spec.Name.Name+"."+name.Name] = sentence(f.Doc, name.Name)
							}
						}
					}
				case *ast.ValueSpec:
					if typ, ok := spec.Type.(*ast.Ident); ok && len(spec.Values) == 1 {
						word, _ := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
						docs[typ.Name+"="+word] = sentence(spec.Doc, spec.Names[0].Name)
					}
				}
			}
		}
	}
	return docs
}

func firstParagraph(lines []*ast.Comment) []*ast.Comment {
	for i, c := range lines {
		if c.Text == "//" {
			return lines[:i]
		}
	}
	return lines
}

// oneLine also keeps the asterisks of Go names from becoming emphasis.
func oneLine(doc *ast.CommentGroup) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(doc.Text()), " "), "*", `\*`)
}

// sentence turns the Go name and verb that a doc comment begins with into a
// sentence of its own: "ID names the section" becomes "Names the section", and
// "Entry is the access" becomes "The access".
func sentence(doc *ast.CommentGroup, name string) string {
	text := strings.TrimPrefix(oneLine(doc), name+" ")
	for _, verb := range []string{"is ", "are "} {
		text = strings.TrimPrefix(text, verb)
	}
	if text == "" { // not a field of the file
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
