package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// benign are the words by which people say that a race is known.
var benign = pattern.New(`(?i)\b(benign|harmless|race detector|idempotent|racy|don't care|doesn't matter|does not matter|no harm|ok to race|possible to race|race (is|here is) (ok|fine)|best[- ]effort|redundantly|approximate|eventually consistent|(during|in case of|despite) (a |the )?races?|races? (between|may|can|could|might)|multiple goroutines may|may be (called|computed|created|done) (twice|more than once)|no need to (check|test|look)[^.]*again|(double[- ]|re-?)check(ed|ing)?)\b`)

// suspected are the words by which people say that something may be wrong.
var suspected = pattern.New(`(?i)\b(TODO|FIXME|XXX|BUG)\b[^.]*\b(looks|seems|is|may be|might be|could be|potentially|possibly) (racy|a race|wrong|unsafe|broken)\b`)

// idempotently are the words by which people say of a method that ends something that it
// is meant to be called again: that tells what close is not.
var idempotently = pattern.New(`(?i)idempoten(t|tly|ce|cy)|\bmay be called (twice|more than once)|multiple goroutines may (call|close|stop)\b`)

// lookedTwice are the words by which people say that they look again with the lock held.
var lookedTwice = pattern.New(`(?i)\b(double[- ]|re-?)check(ed|ing)?\b`)

// serial are the words by which people say that one goroutine at a time comes
// here, or that a field belongs to one.
var serial = pattern.New(`(?i)\b(thread-unsafe|(not|never|n't) (be )?(thread[- ]?safe|goroutine[- ]?safe|safe for concurrent|concurrent|(called|used|run|invoked|accessed) (concurrently|in parallel|from (multiple|different|several)))|single[- ]threaded|single[- ]goroutine|(only|exactly) (one|a single) (goroutine|thread|caller|writer)|^single[- ](consumer|producer|writer|reader)|(only|exclusively) (be )?(called|used|run|modified|written|accessed|touched|read|set|updated) (by|from|in|on|within|inside) |(called|used|run|runs|modified|written|accessed|touched|read|set|updated|owned) (by|from|in|on) (the |a |one |its |this )?(\w+ ){0,2}(loop|goroutine|thread|worker)\b|no (lock|locking|mutex|synchroni[sz]ation) (is |are )?(needed|required|necessary)|(not|n't) (need|require) (a |any |to )?(lock|mutex|synchroni)|without (a |any )?(lock|locking) because|external(ly)? synchroni[sz]|no need (to|for) (protect|guard|lock|synchroni|hold)|(once|when|after) (all|every|no) (\w+ ){0,4}(is|are|have|has) (finished|done|gone|stopped|returned|ended)\b|read-only)`)

// excused says whether a comment says that the race is known or that there is
// none: between the two positions, above the function, or at the declaration of
// the field.
func (f *finding) excused(c *Candidate) bool {
	fn := f.body.Fn
	from, to := c.Pos, c.EndPos
	if !f.body.Encloses(to) {
		to = from // in another function
	}
	if from > to {
		from, to = to, from
	}
	tf := f.pkg.Fset.File(from)
	if tf == nil {
		return false
	}
	if d := f.body.At(c.Pos).Decl; d != nil && d.Doc != nil && c.Protected == "" && c.Category != "mixed-atomic-plain" && slices.ContainsFunc(d.Doc.List, func(l *ast.Comment) bool { return l.Text == "//go:norace" }) {
		return true // the race detector is told not to look
	}
	if f.saysSerial(f.body.Outermost(), 0) {
		return true
	}
	if text := f.fieldComment(f.entry.Var); serial.MatchString(plainWords.Replace(text)) || benign.MatchString(text) {
		return true
	}
	first, last := tf.Line(from)-4, tf.Line(to)+1
	for _, group := range fn.File.Comments {
		if tf.Line(group.End()) < first || tf.Line(group.Pos()) > last {
			continue
		}
		inside := f.body.Encloses(group.Pos())
		text := group.Text()
		if c.Category == "double-close" || f.closesWhatItEnds() {
			text = idempotently.Regexp().ReplaceAllString(text, "") // that is what it is meant to be
		}
		if c.Category == "unlock-relock" && f.body.Encloses(c.Pos) && group.End() < c.Pos && tf.Line(group.End()) >= tf.Line(c.Pos)-2 {
			text = lookedTwice.Regexp().ReplaceAllString(text, "") // the second look is this one, and the lock is given up after it
		}
		if benign.MatchString(text) && !suspected.MatchString(text) || inside && serial.MatchString(plainWords.Replace(text)) {
			return true
		}
	}
	return false
}

// closesWhatItEnds says whether the body is of a method by which something ends, and closes
// a channel.
func (s *search) closesWhatItEnds() bool {
	return s.body.Func != nil && endings.MatchString(s.body.Func.Name()) && len(s.closeCalls()) > 0
}

// saysSerial says whether the comment above the function, or above each function
// that calls it if only this package can, says that one goroutine at a time comes
// here.
func (s *search) saysSerial(b *accesses.Body, depth int) bool {
	for _, f := range b.Functions() {
		if d := f.Decl; d != nil && d.Doc != nil && serial.MatchString(plainWords.Replace(d.Doc.Text())) {
			return true
		}
	}
	if b.Func == nil || depth > 2 || s.pkg.Exported(b.Func) {
		return false
	}
	callers := s.callersOf(b.Func)
	for _, c := range callers {
		if !s.saysSerial(c.Outermost(), depth+1) {
			return false
		}
	}
	return len(callers) > 0
}

// plainWords takes the emphasis out of a comment; one goroutine per connection is many.
var plainWords = strings.NewReplacer("*", "", "_", " ", "`", "", "goroutine per ", "goroutines per ", "goroutine for each ", "goroutines for each ")

// callersOf are the bodies outside tests that call the function of this package.
func (s *search) callersOf(fn *types.Func) []*accesses.Body {
	if s.callers == nil {
		s.callers = map[*types.Func][]*accesses.Body{}
		for _, b := range s.pkg.Bodies {
			for _, events := range b.Events {
				for _, ev := range events {
					if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall {
						if to := s.locks.Callee(call); to != nil && s.pkg.ByFunc[to] != nil {
							s.callers[to] = append(s.callers[to], b)
						}
					}
				}
			}
		}
	}
	return s.callers[fn]
}

// fieldComment is what is written at the declaration of a field of this
// package.
func (s *search) fieldComment(v access.Var) string {
	if s.fieldDocs == nil {
		s.fieldDocs = map[token.Pos]string{}
		for _, file := range s.pkg.Files {
			ast.Inspect(file, func(n ast.Node) bool {
				field, ok := n.(*ast.Field)
				if !ok {
					return true
				}
				if text := strings.Join(strings.Fields(field.Doc.Text()+field.Comment.Text()), " "); text != "" {
					for _, id := range field.Names {
						s.fieldDocs[id.Pos()] = text
					}
				}
				return true
			})
		}
	}
	return s.fieldDocs[v.Obj.Pos()]
}
