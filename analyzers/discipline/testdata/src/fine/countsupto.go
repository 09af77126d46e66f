package fine

// Gridwork pads its rows, however wide it is by then.
type Gridwork struct {
	columns int
	out     chan []string
}

// NewGridwork writes what comes out.
func NewGridwork(columns int) *Gridwork {
	g := &Gridwork{columns: columns, out: make(chan []string)}
	go func() {
		for row := range g.out {
			println(len(row))
		}
	}()
	return g
}

func (g *Gridwork) Row(cells []string) {
	for i := len(cells); i < g.columns; i++ {
		cells = append(cells, "")
	}
	g.out <- cells
}

func (g *Gridwork) Finish() { g.columns = 0 }
