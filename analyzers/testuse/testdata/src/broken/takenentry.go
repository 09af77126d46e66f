package broken

import "sync"

// Shelves keeps the books of each reader, and what has been written about each subject.
type Shelves struct {
	readersMu sync.Mutex
	readers   map[string]*bookList
	subjectMu sync.RWMutex
	subjects  map[string]*noteList
	last      string
	count     int
}

type bookList struct{ subjects []string }

type noteList struct {
	mu    sync.Mutex
	notes []string
}

func (l *noteList) empty() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.notes) == 0
}

// Leave takes the list of one reader, which keeps nobody with another one from the subjects.
func (s *Shelves) Leave(reader string) {
	s.readersMu.Lock()
	books, ok := s.readers[reader]
	if ok {
		delete(s.readers, reader)
	}
	s.readersMu.Unlock()
	if !ok {
		return
	}
	for _, subject := range books.subjects {
		s.subjectMu.RLock()
		notes, found := s.subjects[subject] // want `two goroutines can both pass the test of s.subjects\[subject\] and both delete it`
		s.subjectMu.RUnlock()
		if found && notes.empty() {
			s.subjectMu.Lock()
			delete(s.subjects, subject)
			s.subjectMu.Unlock()
		}
	}
}

func (s *Shelves) Note(subject, text string) {
	s.subjectMu.Lock()
	notes, ok := s.subjects[subject]
	if !ok {
		notes = &noteList{}
		s.subjects[subject] = notes
	}
	s.subjectMu.Unlock()
	notes.mu.Lock()
	notes.notes = append(notes.notes, text)
	notes.mu.Unlock()
}
