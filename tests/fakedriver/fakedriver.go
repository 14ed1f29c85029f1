// Package fakedriver registers the platform "fake" for tests, whose device computes nothing.
package fakedriver

import (
	"roclua/hip"
	"roclua/hip/inert"
)

// Driver opens the devices of the platform.
type Driver = inert.Driver

func init() { hip.Register("fake", Driver{}) }
