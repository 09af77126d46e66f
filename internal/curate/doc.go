// Package curate is what the commands that look after an atomicity.yaml do with
// its Specs: [Check] compares one with the code it speaks of, [Compare] two
// versions of it, and [Merge] brings what several people did to one together.
//
// Package atomicity knows the file and package access the code; this one has
// both in hand. Nothing here prints, saves or runs the go command: package cli
// loads packages and files, calls, and shows the results. Nothing keeps state
// between calls, and a Spec or Package that is handed over is only read.
package curate
