// Package sarif holds the part of the Static Analysis Results Interchange
// Format, SARIF 2.1.0 (OASIS), that code scanning services read: one run of one
// tool, its rules, its results with related places and fixes, and what went
// wrong.
//
// [Log] is a whole file; encoding/json writes it. The names are those of the
// specification, whose sections say more: run 3.14, reportingDescriptor 3.49,
// result 3.27, location 3.28, fix 3.55, invocation 3.20. Only what atomrace
// fills in is here. The test of the command checks its output against the
// official JSON schema.
//
// The package knows nothing of analyzers, and is safe for concurrent use in
// that it has no state.
package sarif

// SchemaURI is the address of the JSON schema that a Log conforms to.
const SchemaURI = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// Log is a SARIF file.
type Log struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []*Run `json:"runs"`
}

// New returns a Log of one run.
func New(run *Run) *Log { return &Log{Schema: SchemaURI, Version: "2.1.0", Runs: []*Run{run}} }

// Run is one run of a tool. Results is never null: an empty list says that the
// tool ran and found nothing.
type Run struct {
	Tool               Tool                         `json:"tool"`
	Invocations        []*Invocation                `json:"invocations"`
	OriginalURIBaseIDs map[string]*ArtifactLocation `json:"originalUriBaseIds"`
	ColumnKind         string                       `json:"columnKind"`
	Results            []*Result                    `json:"results"`
}

// Tool is the program that ran.
type Tool struct {
	Driver Driver `json:"driver"`
}

// Driver describes the program and its rules.
type Driver struct {
	Name           string  `json:"name"`
	InformationURI string  `json:"informationUri"`
	Rules          []*Rule `json:"rules"`
}

// Rule is a reportingDescriptor: one check.
type Rule struct {
	ID                   string         `json:"id"`
	Name                 string         `json:"name"`
	ShortDescription     Message        `json:"shortDescription"`
	FullDescription      Message        `json:"fullDescription"`
	HelpURI              string         `json:"helpUri"`
	Help                 Message        `json:"help"`
	DefaultConfiguration *Configuration `json:"defaultConfiguration"`
	Properties           *Properties    `json:"properties,omitempty"`
}

// Configuration has the level of a rule: "error", "warning" or "note".
type Configuration struct {
	Level string `json:"level"`
}

// Properties is the bag in which code scanning looks for tags.
type Properties struct {
	Tags []string `json:"tags"`
}

// Message is text, with a version in Markdown where there is one.
type Message struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

// Invocation says how the run went.
type Invocation struct {
	ExecutionSuccessful        bool            `json:"executionSuccessful"`
	ToolExecutionNotifications []*Notification `json:"toolExecutionNotifications,omitempty"`
}

// Notification is something that kept the tool from its work.
type Notification struct {
	Level   string  `json:"level"`
	Message Message `json:"message"`
}

// Result is one finding.
type Result struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           int               `json:"ruleIndex"`
	Level               string            `json:"level"`
	Message             Message           `json:"message"`
	Locations           []*Location       `json:"locations"`
	RelatedLocations    []*Location       `json:"relatedLocations,omitempty"`
	PartialFingerprints map[string]string `json:"partialFingerprints,omitempty"`
	Fixes               []*Fix            `json:"fixes,omitempty"`
}

// Location is a place in a file; ID and Message are for related ones.
type Location struct {
	ID               int              `json:"id,omitempty"`
	PhysicalLocation PhysicalLocation `json:"physicalLocation"`
	Message          *Message         `json:"message,omitempty"`
}

// PhysicalLocation is a region of a file.
type PhysicalLocation struct {
	ArtifactLocation ArtifactLocation `json:"artifactLocation"`
	Region           *Region          `json:"region"`
}

// ArtifactLocation names a file by a URI, relative to a base where there is one.
type ArtifactLocation struct {
	URI         string   `json:"uri,omitempty"`
	URIBaseID   string   `json:"uriBaseId,omitempty"`
	Description *Message `json:"description,omitempty"`
}

// Region is a stretch of text. Lines and columns count from 1, columns in
// UTF-16 code units; the end column is the one behind the last character.
type Region struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"`
}

// Fix is a set of edits that belong together.
type Fix struct {
	Description     Message           `json:"description"`
	ArtifactChanges []*ArtifactChange `json:"artifactChanges"`
}

// ArtifactChange is the edits of one file.
type ArtifactChange struct {
	ArtifactLocation ArtifactLocation `json:"artifactLocation"`
	Replacements     []*Replacement   `json:"replacements"`
}

// Replacement puts text in the place of a region; without text it deletes it.
type Replacement struct {
	DeletedRegion   Region   `json:"deletedRegion"`
	InsertedContent *Content `json:"insertedContent,omitempty"`
}

// Content is a piece of a file.
type Content struct {
	Text string `json:"text"`
}
