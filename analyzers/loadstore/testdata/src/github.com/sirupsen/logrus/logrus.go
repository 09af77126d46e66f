// Package logrus stands for the module of that name.
package logrus

type Level int

type Entry struct{ Message string }

type Hook interface {
	Levels() []Level
	Fire(*Entry) error
}
