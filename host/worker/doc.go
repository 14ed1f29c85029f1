// Package worker runs cases and describes scripts in other processes of this program, so that no script and no C
// library can end the program, and bounds their time and memory from outside.
//
//	pool := worker.NewPool(nil)
//	defer pool.Close()
//	description, err := pool.Describe(ctx, &worker.Script{File: worker.File{Script: "solve.lua", Source: source}})
//	queue := pool.NewQueue(nil)
//	queue.Send(job)
//	record := queue.Next(ctx)
//
// The program starts its own executable with the hidden command "worker", which must call Serve. It sends requests
// through a pipe and reads the replies from another one. The worker shares a page of memory with the program, where
// it writes which request is in progress, its limits, how far it got, and the line of the script; the program reads it
// when the worker hangs or has died. A Queue sends the next requests before it has the reply to the first one, so that
// the worker does not wait. A supervisor samples the time of the request and the memory of the process, and kills a
// worker over its bounds.
package worker
