package record

// LuaProfile is where a script spent its time.
type LuaProfile struct {
	Places  []Place
	Samples []Sample
}

// Place is a line of a script, or a function of the host.
type Place struct {
	File    string
	Line    int
	Defined int    // the line where the function that has the line begins; 0 for the main chunk of the file
	Host    string // the name of a function of the host, which has no file; "" for a line
}

// Sample is the time spent in one place, with its callers.
type Sample struct {
	Stack       []int // indexes of Places, the innermost first
	Nanoseconds int64
	Count       int64 // how often the time was measured
}
