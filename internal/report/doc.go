// Package report reads the JSON lines that instrumented programs write with
// log_format=json, merges what several processes have seen, and renders it: as
// text, as JSON lines again, as one HTML page, or as an atomicity.yaml.
//
// The schema is described in docs/reports.md; package heal writes it. A [Log]
// collects files with [Log.Read]; what cannot be read becomes a [Problem] and
// keeps nothing else from being read. The log is not trusted: source excerpts come
// from files beneath one directory alone ([Source]), and all text is escaped.
package report
