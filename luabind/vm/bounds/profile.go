package bounds

// Profile is where a run spent its time.
type Profile struct {
	Places  []Place
	Samples []Sample
}

// Place is a line of a script, or a function of the host.
type Place struct {
	File    string
	Line    int
	Defined int    // the line on which the function of the line begins; 0 for the main chunk of the file
	Host    string // the name of a function of the host, which has no file; "" for a line
}

// Sample is the time that was spent in one place, called from others.
type Sample struct {
	Stack       []int // indexes of Places, the innermost first
	Nanoseconds int64
	Count       int64 // how often the time was measured
}
