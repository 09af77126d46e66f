package fine

import "github.com/bwmarrin/discordgo"

// Doorman is set up by the one who opens the session.
type Doorman struct {
	doors int
}

func (d *Doorman) register(s *discordgo.Session, doors int) error {
	d.doors += doors
	return nil
}

// Open registers.
func (d *Doorman) Open(s *discordgo.Session) error { return d.register(s, 1) }
