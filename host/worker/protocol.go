package worker

import "roclua/luabind/record"

// The program sends requests to a worker process, and the worker replies to them in the same order.

// request is a message to a worker: a case, or without one to describe the script.
type request struct {
	Number   uint32 // of the request, from 1
	Work     *Work
	File     File
	Settings Settings
}

// reply is a message from a worker.
type reply struct {
	Number      uint32           // of the request
	Record      *record.Record   // result of a case
	Lost        bool             // the device is unusable for the rest of the process, and the worker exits
	Description *Description     // declarations of a script
	Second      *record.Interval // a second of a workload; the result follows in another message
	Printed     []byte           // output of a script; the result follows in another message
}
