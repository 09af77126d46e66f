// Package shared defines an Analyzer that computes which code runs in which
// goroutines, and which objects more than one of them can reach.
//
// # Analyzer shared
//
// shared: compute which variables more than one goroutine can reach
//
// The analyzer reports nothing by itself. Its result, [*Result], answers two
// questions about an access. Who runs it: the [Root]s of the body, that is the
// goroutines, handlers and outside callers from which it is called. And whose
// object it is: a [Reach] says whether the object at the root of the access is
// private to one goroutine (freshly made, or handed to one goroutine of many),
// shared (package-level, captured by goroutines that a loop starts, or the
// receiver of a type made for concurrent use), or unknown.
//
// A handler is called by a server, in a goroutine for each request; a type of which
// each request has an object made for it is no shared one. A goroutine that a
// CompareAndSwap decides upon runs once at a time, however many requests come to where it is
// started. Functions that a server or client of the standard library calls for each connection or request, such as
// GetCertificate of a tls.Config, and methods of a service of gRPC are such handlers; see askedFields and served.
// Methods of interfaces whose documentation asks for concurrent use (contracts) can be called so.
//
// A type is made for concurrent use when it holds a mutex, an atomic or a
// sync.Map, or when its comment says so; less surely, when objects with a mutex are
// kept in its own alone. An object with a mutex that comes from a channel may still be
// in the hands of who has sent it. Roots and reaches are propagated over
// the static calls of the package until nothing changes.
//
// Who calls exported functions is not seen in the package. In a program [Result.Calls] of all its packages
// tells it, and the flag callers is the file that has the conclusions ([Known]): a function that main alone calls,
// or a goroutine which is started once, or everybody with one and the same lock held, has a root of which there is one. What is
// called only of objects that their callers have just made has none, and goroutines that a loop starts and waits for meet at no object that each has for itself.
// Objects of a struct that the package keeps in locals and parameters alone belong to the calls that make them (see findFramed). A type whose comment says that several goroutines may use it keeps its promise.
package shared

import _ "embed"

//go:embed doc.go
var doc string
