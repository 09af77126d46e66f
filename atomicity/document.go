package atomicity

// document is the text a Spec was read from and where its parts stand in it.
type document struct{}
