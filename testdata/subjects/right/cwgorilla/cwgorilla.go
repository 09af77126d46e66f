// Package cwgorilla has a hub whose loop alone ends clients.
package cwgorilla

// A Client gets messages.
type Client struct {
	send chan []byte
	name string
}

// End ends the client. It is for the loop of the hub, which has dropped it.
func (c *Client) end() { close(c.send) }

// Messages are closed at the end.
func (c *Client) Messages() <-chan []byte { return c.send }

// Hub has clients.
type Hub struct {
	clients          map[*Client]bool
	join, leave, bye chan *Client
	messages         chan []byte
}

// New starts the loop.
func New() *Hub {
	h := &Hub{clients: map[*Client]bool{}, join: make(chan *Client), leave: make(chan *Client), bye: make(chan *Client, 1), messages: make(chan []byte)}
	go h.run()
	return h
}

// Join adds one.
func (h *Hub) Join(name string) *Client {
	c := &Client{send: make(chan []byte, 16), name: name}
	h.join <- c
	return c
}

// Leave drops one, if it is there.
func (h *Hub) Leave(c *Client) { h.leave <- c }

// Send sends to all.
func (h *Hub) Send(p []byte) { h.messages <- p }

func (h *Hub) run() {
	for {
		select {
		case c := <-h.join:
			h.clients[c] = true
		case c := <-h.leave:
			if h.clients[c] {
				delete(h.clients, c)
				c.end()
			}
		case p := <-h.messages:
			for c := range h.clients {
				select {
				case c.send <- p:
				default:
					delete(h.clients, c)
					close(c.send)
				}
			}
		}
	}
}
