package racefuzzer

import "testing"

func TestFigure1(t *testing.T) {
	error1, error2 := Figure1()
	if error1 {
		t.Error("ERROR1")
	}
	if error2 {
		t.Error("ERROR2")
	}
}

func TestFigure2(t *testing.T) {
	if _, wrong := Figure2(5); wrong {
		t.Error("ERROR")
	}
}

func TestFigure2Long(t *testing.T) {
	if _, wrong := Figure2(500); wrong {
		t.Error("ERROR")
	}
}

func TestCache(t *testing.T) { Cache() }

func TestCrawler(t *testing.T) {
	if visits, done := Crawler(); visits != done {
		t.Errorf("%d visits, %d done", visits, done)
	}
}

func TestRelaxation(t *testing.T) {
	if !Relaxation() {
		t.Error("the rounds are mixed up")
	}
}

func TestCollections(t *testing.T) { Collections() }
