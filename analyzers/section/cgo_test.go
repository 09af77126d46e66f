package section

import "testing"

func TestAsWritten(t *testing.T) {
	for message, want := range map[string]string{
		"two goroutines can both read (*_Cvar_P).x before": "two goroutines can both read C.P.x before",
		"_Ctype_struct_pt.x is read here":                  "C.struct_pt.x is read here",
		"n + _Ciconst_MAX is stored, (_Cfunc_touch)()":     "n + C.MAX is stored, (C.touch)()",
		"my_Ctype_x is read here":                          "my_Ctype_x is read here",
	} {
		if got := asWritten(message); got != want {
			t.Errorf("%s: %s, want %s", message, got, want)
		}
	}
}
