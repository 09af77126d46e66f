package broken

// ChatRooms are joined again whenever the connection was lost.
type ChatRooms struct {
	rooms map[string]bool
}

func (c *ChatRooms) Connect(next func() string) error {
	for {
		go c.setup()
		if next() == "" {
			return nil
		}
	}
}

func (c *ChatRooms) Join(r string)  { c.rooms[r] = true }
func (c *ChatRooms) Leave(r string) { delete(c.rooms, r) }

func (c *ChatRooms) setup() {
	for r := range c.rooms { // want `ChatRooms.rooms\[\] is looked into by a goroutine here, while others add to it and take from it, as \(\*ChatRooms\).Leave does, and no lock is held`
		println(r)
	}
}
