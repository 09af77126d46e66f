// Package directive defines an Analyzer that reports //atomrace:ignore comments
// which do not say what they should, and an atomicity.yaml that cannot be read.
//
// # Analyzer directive
//
// directive: report directives that are wrong or useless
//
// A directive that silences a finding must say why, must name checks that
// exist, and must silence something: one that has outlived its finding would
// hide the next one. What people write in atomicity.yaml counts only while the
// file can be read.
//
// ## ignore-reason
//
// The directive does not say why. It silences nothing until it does: whoever
// comes next cannot tell whether it was a judgement or a way out.
//
//	//atomrace:ignore load-and-store
//	s.hits++
//
// Add the reason behind the check.
//
//	//atomrace:ignore load-and-store the figure is only shown to people
//	s.hits++
//
// Since 0.2, severity: warning.
//
// ## ignore-unknown
//
// The directive names no check, or one that does not exist.
//
//	//atomrace:ignore lost-update the figure is only shown to people
//	s.hits++
//
// Use the id of the check, which the list of checks and the reports of
// atomrace check -json give.
//
//	//atomrace:ignore load-and-store the figure is only shown to people
//	s.hits++
//
// Since 0.2, severity: warning.
//
// ## ignore-unused
//
// The directive silences nothing. The check does not report anything on this
// line, or not any more.
//
//	//atomrace:ignore load-and-store the figure is only shown to people
//	s.hits.Add(1)
//
// Delete it, or put it on the line of the report, or alone on the line above.
//
//	s.hits.Add(1)
//
// Since 0.2, severity: warning.
//
// ## spec-unreadable
//
// The atomicity.yaml in force cannot be read. Until it is mended, sections that
// it rejects are reported.
//
//	// atomicity.yaml:19: status: reject
//	s.hits++
//
// Mend the line that the message names.
//
//	// atomicity.yaml:19: status: rejected
//	s.hits++
//
// Since 0.2, severity: error.
package directive

import _ "embed"

//go:embed doc.go
var doc string
