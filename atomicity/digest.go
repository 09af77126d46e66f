package atomicity

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Digest returns 64 hexadecimal digits that stand for the meaning of the Spec:
// two Specs with equal digests make every tool behave the same. Comments,
// layout, order, the line hints, the evidence, the assurance and the marks of
// stale sections do not count; all other fields do, notes included, since reports show them.
func (s *Spec) Digest() string {
	var entries []string
	for _, p := range s.Packages {
		for _, v := range p.Variables {
			// A variable without sections is watched for data races.
			entries = append(entries, encodeFields(p.Path, v.Name, v.Type))
			for _, sec := range v.Sections {
				entries = append(entries, encodeFields(p.Path, v.Name, sectionMeaning(sec)))
			}
		}
	}
	slices.Sort(entries)
	sum := sha256.Sum256([]byte(strings.Join(entries, "\n")))
	return hex.EncodeToString(sum[:])
}

// sectionMeaning writes a section in the one canonical form.
func sectionMeaning(sec *Section) string {
	c := sec.Clone()
	c.Entry.Line, c.Evidence, c.Assurance, c.Stale = 0, Evidence{}, "", NotStale
	for i := range c.Ends {
		c.Ends[i].Line = 0
	}
	ends := make([]string, len(c.Ends))
	for i := range c.Ends {
		ends[i] = encodeValue(&c.Ends[i])
	}
	slices.Sort(ends)
	c.Ends = nil
	return encodeValue(c) + strings.Join(ends, " ")
}
