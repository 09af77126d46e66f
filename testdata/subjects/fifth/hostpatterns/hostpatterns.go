package hostpatterns

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
)

var ErrPattern = errors.New("hostpatterns: bad pattern")

// Rule sends the hosts that match a pattern to a handler.
type Rule struct {
	Pattern string
	Handler http.Handler
}

// RuleSource gives the rules of a tenant, in order of precedence. They may come
// from a database and are asked for on every request.
type RuleSource interface {
	Rules(tenant string) ([]Rule, error)
}

type RuleSourceFunc func(tenant string) ([]Rule, error)

func (f RuleSourceFunc) Rules(tenant string) ([]Rule, error) { return f(tenant) }

// Matcher dispatches requests by host patterns such as "*.example.com".
type Matcher struct {
	src      RuleSource
	tenant   func(*http.Request) string
	compiled sync.Map // pattern -> *regexp.Regexp
}

func New(src RuleSource, tenant func(*http.Request) string) *Matcher {
	return &Matcher{src: src, tenant: tenant}
}

func (m *Matcher) compile(pattern string) (*regexp.Regexp, error) {
	if v, ok := m.compiled.Load(pattern); ok {
		return v.(*regexp.Regexp), nil
	}
	if pattern == "" || strings.ContainsAny(pattern, "/ ") {
		return nil, fmt.Errorf("%w: %q", ErrPattern, pattern)
	}
	expr := regexp.QuoteMeta(strings.ToLower(pattern))
	expr = strings.ReplaceAll(expr, `\*`, `[a-z0-9-]+`)
	re, err := regexp.Compile("^" + expr + "$")
	if err != nil {
		return nil, fmt.Errorf("%w: %q: %v", ErrPattern, pattern, err)
	}
	m.compiled.Store(pattern, re)
	return re, nil
}

func hostOf(r *http.Request) string {
	host := strings.ToLower(r.Host)
	if h, _, err := net.SplitHostPort(host); err == nil {
		return h
	}
	return host
}

func (m *Matcher) find(tenant, host string) (http.Handler, error) {
	rules, err := m.src.Rules(tenant)
	if err != nil {
		return nil, fmt.Errorf("rules of %s: %w", tenant, err)
	}
	for _, rule := range rules {
		re, err := m.compile(rule.Pattern)
		if err != nil {
			return nil, err
		}
		if re.MatchString(host) {
			return rule.Handler, nil
		}
	}
	return nil, nil
}

func (m *Matcher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h, err := m.find(m.tenant(r), hostOf(r))
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadGateway)
	case h == nil:
		http.Error(w, "unknown host", http.StatusMisdirectedRequest)
	default:
		h.ServeHTTP(w, r)
	}
}
