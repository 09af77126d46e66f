package section

import (
	"go/ast"
	"go/types"
	"strings"
)

// atCalls puts the two ends of what was found, where they lie in parts of one function, into
// that one: at the calls that lead to them.
func (s *search) atCalls() {
	for _, c := range s.found {
		s.atAccessors(c)
		if c.Via != nil || c.EndVia != nil {
			continue
		}
		first, then := s.pkg.Apart(c.Pos, c.EndPos)
		if first != nil {
			c.Via, c.Within, c.Pos = first, c.Pos, first.Pos()
			if c.Entry != nil {
				name := types.ExprString(c.Entry.Cell)
				c.Message = toldOf(c.Message, name, first)
			}
		}
		if then != nil {
			c.EndVia, c.EndWithin, c.EndPos = then, c.EndPos, then.Pos()
		}
	}
}

// atAccessors says of what accessors do, of which something was found in the place of their calls, that they do it.
func (s *search) atAccessors(c *Candidate) {
	if c.Entry != nil && c.Via == nil {
		if call, at := s.pkg.Put(c.Entry.Expr); call != nil && c.Pos == c.Entry.Pos() {
			c.Via, c.Within, c.Pos = call, at, call.Pos()
			name := types.ExprString(c.Entry.Cell)
			if c.Entry.Key != nil {
				if whole := name + "[" + types.ExprString(c.Entry.Key) + "]"; strings.Contains(c.Message, whole) {
					name = whole
				}
			}
			c.Message = toldOf(c.Message, name, call)
			c.Fixes = nil
		}
	}
	for _, e := range c.Ends {
		if call, at := s.pkg.Put(e.Expr); call != nil {
			if c.Fixes = nil; c.EndVia == nil && c.EndPos == e.Pos() {
				c.EndVia, c.EndWithin, c.EndPos = call, at, call.Pos()
			}
		}
	}
}

// toldOf says in the message, behind the name where it stands first, which call makes the access.
func toldOf(message, name string, call *ast.CallExpr) string {
	for from := 0; ; {
		i := strings.Index(message[from:], name)
		if i < 0 {
			return message
		}
		from += i + len(name)
		if from == len(message) || !isWordByte(message[from]) {
			if strings.HasPrefix(message[from:], ")") && strings.HasSuffix(message[:from-len(name)], "len(") {
				from++
			}
			return message[:from] + " (in " + types.ExprString(call.Fun) + ")" + message[from:]
		}
	}
}

func isWordByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}
