package atomicity

// Recognise returns, for each of the sections that were inferred for this
// variable, the section of the file that it is, or nil. It goes by the rules of
// [Spec.Merge]: by code where that stayed the same and by ordinal where it did
// not, never by line. No section of the file is returned twice. It changes
// nothing and may be called concurrently.
func (v *Variable) Recognise(inferred []*Section) []*Section {
	return matchSections(v.Sections, inferred)
}
