package lualib

// Options configure a Library. The zero value is the sandbox "project" without folders and arguments.
type Options struct {
	Sandbox      string   // one of bounds.Sandboxes; "" is the default
	LibraryPaths []string // folders of Lua files, for require and dofile; the first is the script's own
	Args         []string // elements of the global table arg
	Seed         uint64   // of math.random

	// Suggest returns the end of the error message about an unknown name, such as `, did you mean "hip"?`.
	// It may be nil.
	Suggest func(name string, known []string) string
}
