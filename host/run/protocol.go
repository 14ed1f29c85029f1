package run

import (
	"encoding/gob"

	"roclua/luabind"
)

// The program sends jobs to a worker process, and the worker replies to each with a record, as gob.

func init() { // the types that a metric's value or a parameter may have
	for _, v := range []any{int64(0), float64(0), "", false} {
		gob.Register(v)
	}
}

// reply is what a worker sends for a job.
type reply struct {
	Record luabind.Record
	Lost   bool // the device is unusable for the rest of the process, and the worker exits
}
