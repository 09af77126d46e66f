package broken

import (
	"github.com/bwmarrin/discordgo"
	"github.com/gliderlabs/ssh"
	"github.com/sirupsen/logrus"
)

// Concierge is asked by everybody at once.
type Concierge struct {
	asked int
}

func (c *Concierge) message(s *discordgo.Session, m *discordgo.MessageCreate) {
	c.asked++ // want `two goroutines can both read c.asked before either stores it, and one update is lost`
}

// Handlers are what a session is given.
func (c *Concierge) Handlers() []any { return []any{c.message} }

// Beadle counts the entries of a log.
type Beadle struct {
	fired int
}

func (b *Beadle) Levels() []logrus.Level { return nil }

func (b *Beadle) Fire(e *logrus.Entry) error {
	b.fired++ // want `two goroutines can both read b.fired before either stores it, and one update is lost`
	return nil
}

// Doorman lets in whoever has a key, each with a goroutine of its own.
type Doorman struct {
	came int
}

func (d *Doorman) admit(s ssh.Session) {
	d.came++ // want `two goroutines can both read d.came before either stores it, and one update is lost`
}

// Open sets the handler.
func (d *Doorman) Open() { ssh.Handle(d.admit) }
