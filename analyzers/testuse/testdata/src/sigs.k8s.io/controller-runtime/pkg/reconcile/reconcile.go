// Package reconcile stands for that of controller-runtime.
package reconcile

// A Request names an object.
type Request struct{ Namespace, Name string }

// A Result says when to ask again.
type Result struct{ Requeue bool }
