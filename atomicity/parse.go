package atomicity

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/atomrace/atomrace/internal/pattern"
)

// maxSize is the largest file that is read, in bytes: fifty times a spec of
// 1,000 sections. More is a mistake or an attack.
const maxSize = 16 << 20

// Load reads and checks the file. What is not understood is an error: unknown
// or misspelt fields, missing ones, wrong kinds, duplicates, a format version
// this package does not know. The error is an *Error, or Errors when several
// things are wrong; both print one line a problem, with line and column.
// A file that does not exist satisfies errors.Is(err, fs.ErrNotExist).
func Load(file string) (*Spec, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, fileError(file, "cannot be read", err)
	}
	if !info.Mode().IsRegular() {
		return nil, &Error{File: file, Msg: "is not a regular file; name the atomicity.yaml itself"}
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fileError(file, "cannot be read", err)
	}
	defer f.Close()
	// The limit holds also for a file that grows after Stat.
	data, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return nil, fileError(file, "cannot be read", err)
	}
	return Parse(file, data)
}

// Parse is Load for a text already in memory; file is used in errors only.
// The Spec keeps data, which must not change afterwards.
func Parse(file string, data []byte) (*Spec, error) {
	if len(data) > maxSize {
		return nil, &Error{File: file, Msg: fmt.Sprintf("is larger than %d MiB; that cannot be an atomicity spec", maxSize>>20)}
	}
	doc, err := newDocument(file, data)
	if err != nil {
		return nil, err
	}
	spec := &Spec{doc: doc}
	d := &decoder{doc: doc, ids: map[string]*yaml.Node{}}
	if !d.newerVersion(doc.root) {
		d.object(doc.root, nil, specSchema, reflect.ValueOf(spec).Elem())
	}
	sort.SliceStable(d.errs, func(i, j int) bool {
		a, b := d.errs[i], d.errs[j]
		return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
	})
	if err := d.errs.err(); err != nil {
		return nil, err
	}
	return spec, nil
}

// newDocument splits data into lines and parses it into nodes.
func newDocument(file string, data []byte) (*document, error) {
	doc := &document{file: file, data: data, nodes: map[any]*yaml.Node{}, aliases: map[*yaml.Node][]*yaml.Node{}}
	if len(bytes.TrimSpace(bytes.TrimPrefix(data, []byte(byteOrderMark)))) == 0 {
		return nil, doc.errorAt(1, 1, "", "is empty; an empty spec is written \"version: 1\" and \"packages: []\"")
	}
	if err := doc.scan(); err != nil {
		return nil, err
	}
	if doc.root = parsePlain(data); doc.root != nil {
		doc.plain = true
		return doc, nil // it has no aliases
	}
	dec := yaml.NewDecoder(bytes.NewReader(data[doc.start:]))
	var root, second yaml.Node
	if err := decodeNode(dec, &root); err == io.EOF {
		return nil, doc.errorAt(1, 1, "", "holds only comments; an empty spec is written \"version: 1\" and \"packages: []\"")
	} else if err != nil {
		return nil, doc.syntaxError(err)
	}
	if err := decodeNode(dec, &second); err == nil {
		return nil, doc.errorAt(max(second.Line, 1), max(second.Column, 1), "", "a second YAML document starts here; keep everything in one")
	} else if err != io.EOF {
		return nil, doc.syntaxError(err)
	}
	doc.root = root.Content[0]
	doc.collectAliases(doc.root)
	return doc, nil
}

// decodeNode keeps a panic of the YAML library, of which there have been some,
// from the user.
func decodeNode(dec *yaml.Decoder, n *yaml.Node) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: the text cannot be parsed (%v)", r)
		}
	}()
	return dec.Decode(n)
}

var (
	yamlError     = pattern.New(`^yaml: (?:line (\d+): )?(.*)`)
	unknownAnchor = pattern.New(`^unknown anchor '(.*)' referenced$`)
)

// advice says what to do about the YAML library's commonest messages.
var advice = []struct{ has, fix string }{
	{"mapping values are not allowed", "put text that contains \": \" in quotes, and check the indentation"},
	{"could not find expected ':'", "write name: value, and check the indentation"},
	{"did not find expected key", "check the indentation and the quotes of the lines around"},
	{"did not find expected '-' indicator", "check the indentation of the list"},
	{"did not find expected ',' or", "check the brackets, and put text with special characters in quotes"},
	{"found unexpected end of stream", "close the quotes"},
	{"cannot start any token", "put text that starts with this character in quotes"},
	{"unknown escape character", "use single quotes, or \\\\ for a backslash"},
	{"found incompatible YAML document", "remove the line that begins with %YAML"},
	{"exceeded max depth", "an atomicity spec is never nested so deeply"},
}

// syntaxError gives the YAML library's error a place and an advice. The
// library tells only the line, and for errors of its parser (not its scanner)
// one too few.
func (doc *document) syntaxError(err error) *Error {
	for i := range doc.lines {
		if strings.HasPrefix(doc.line(i+1), "<<<<<<< ") {
			return doc.errorAt(i+1, 1, "", "an unresolved conflict of git; decide, and take out the lines with <<<<<<<, ======= and >>>>>>>")
		}
	}
	match := yamlError.Regexp().FindStringSubmatch(err.Error())
	if match == nil {
		return doc.errorAt(1, 1, "", "not valid YAML: "+err.Error())
	}
	line, _ := strconv.Atoi(match[1])
	msg := match[2]
	if anchor := unknownAnchor.Regexp().FindStringSubmatch(msg); anchor != nil {
		if at := bytes.Index(doc.data, []byte("*"+anchor[1])); at >= 0 {
			line = 1 + bytes.Count(doc.data[:at], []byte("\n"))
			column := 1 + utf8.RuneCount(doc.data[doc.lines[line-1]:at])
			return doc.errorAt(line, column, "", fmt.Sprintf("the alias *%s has no anchor &%s above it; write the value out", anchor[1], anchor[1]))
		}
	}
	if strings.HasPrefix(msg, "did not find expected") {
		line++
	}
	line = min(max(line, 1), len(doc.lines))
	if tabLine, column := doc.tabIndent(line); tabLine > 0 {
		return doc.errorAt(tabLine, column, "", "not valid YAML: a tab in the indentation; use spaces")
	}
	for _, a := range advice {
		if strings.Contains(msg, a.has) {
			msg += "; " + a.fix
			break
		}
	}
	text := doc.line(line)
	return doc.errorAt(line, len(text)-len(strings.TrimLeft(text, " "))+1, "", "not valid YAML: "+msg)
}
