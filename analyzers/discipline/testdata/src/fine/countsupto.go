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

// Skipper skips rows.
type Skipper interface{ Skip(rows int) (int, error) }

// Gridrows is read one row after the other, from where it was told to go.
type Gridrows struct {
	from        Skipper
	row, target int
}

func (r *Gridrows) Close() (err error) {
	r.row = -1
	r.target = 0
	return nil
}

func (r *Gridrows) Skip(rows int) (int, error) {
	if r.row < 0 {
		return 0, nil
	}
	for r.row < r.target {
		n, err := r.from.Skip(r.target - r.row)
		if err != nil {
			return 0, err
		}
		rows -= n
		r.row += n
	}
	n, err := r.from.Skip(rows)
	r.row += n
	return n, err
}

func (r *Gridrows) To(row int) {
	if row >= r.row {
		r.target = row
	}
}
