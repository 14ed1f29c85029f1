//go:build !unix

package ccompile

// checkPrivate does nothing: there are no shared libraries to compile on these systems.
func checkPrivate(string) error { return nil }
