package worker

import (
	"context"
	"io"
	"time"

	"roclua/luabind"
	"roclua/luabind/record"
)

// Queue runs jobs one after another in a worker process. Jobs can be sent before the results of earlier ones are
// taken, so that the worker does not wait. When the worker exits, another one gets the jobs that had not begun: every
// job runs once. A Queue belongs to one goroutine.
type Queue struct {
	pool    *Pool
	output  io.Writer
	worker  *process
	pending []*pendingJob
	holds   bool // the large reply that the pool has at once

	Second func(record.Interval) // called after each second of a workload; may be nil
}

// hold waits until no other queue has a large reply, so that the memory of the program does not grow with the number of
// workers.
func (q *Queue) hold() {
	if !q.holds {
		q.pool.large.Lock()
		q.holds = true
	}
}

// show passes on output of a case, or a second of its workload.
func (q *Queue) show(r *reply) {
	switch {
	case r.Second == nil && q.output != nil:
		q.output.Write(r.Printed)
	case r.Second != nil && q.Second != nil:
		q.Second(*r.Second)
	}
	q.release()
}

func (q *Queue) release() {
	if q.holds {
		q.holds = false
		q.pool.large.Unlock()
	}
}

// pendingJob is a job without a result.
type pendingJob struct {
	*Job
	number uint32         // of the request to the worker that has the job; 0 if none has it
	note   string         // why an earlier worker did not run it
	record *record.Record // result without a worker; nil for a job that a worker runs
}

// NewQueue returns an empty queue. output is where scripts print while they run; with nil the output is in the log
// alone.
func (p *Pool) NewQueue(output io.Writer) *Queue { return &Queue{pool: p, output: output} }

// Send gives a job to a worker, which receives it when Next is called.
func (q *Queue) Send(j *Job) {
	p := &pendingJob{Job: j}
	waiting := len(q.pending) > 0 && q.worker == nil // for Next to start a worker, which gets them in order
	q.pending = append(q.pending, p)
	if !waiting {
		q.give(p)
	}
}

// give queues a job for the worker, and starts one if there is none.
func (q *Queue) give(p *pendingJob) {
	if q.worker == nil {
		w, err := q.pool.take(p.Sandbox)
		if err != nil {
			p.record = &record.Record{End: unavailable(err)}
			return
		}
		q.worker = w
	}
	p.Live = q.output != nil
	p.number = q.worker.queue(&p.Work, p.File, p.Settings)
}

// Next waits for the result of the job that was sent first. It must be called once for each job. When ctx ends, the
// job is interrupted. Before the next call, or Close, the caller stores the parts of a large record that it keeps:
// other queues wait with theirs.
func (q *Queue) Next(ctx context.Context) *record.Record {
	q.release()
	p := q.pending[0]
	for {
		switch {
		case p.record != nil:
		case q.worker == nil && ctx.Err() != nil:
			p.record = &record.Record{End: luabind.EndOf(context.Canceled)}
		case q.worker == nil:
			q.giveAll()
			continue
		default:
			if q.run(ctx, p); p.record == nil {
				continue
			}
		}
		q.pending = q.pending[1:]
		p.record.Log = p.note + p.record.Log
		return p.record
	}
}

// giveAll sends the jobs without a result to another worker.
func (q *Queue) giveAll() {
	for _, p := range q.pending {
		if p.record == nil {
			q.give(p)
		}
	}
}

// run waits for the result of a job. There is none if its worker exited before it began with the job.
func (q *Queue) run(ctx context.Context, p *pendingJob) {
	w, started := q.worker, time.Now()
	r, err := w.receive(ctx, q)
	if err == nil && (r.Number != p.number || r.Record == nil) {
		err = errUnexpected
	}
	if err == nil {
		p.record = r.Record
		if r.Lost || ctx.Err() != nil {
			q.retire()
		}
		return
	}
	post := w.examine(err)
	q.retire()
	switch {
	case ctx.Err() != nil:
		p.record = &record.Record{End: luabind.EndOf(context.Canceled)}
	case post.number < p.number && p.note == "":
		p.note = "the worker process " + post.how +
			" before it began with the case; the case was given to another one\n"
	default:
		p.record = post.record(p.Job, time.Since(started))
	}
}

func (q *Queue) retire() {
	q.pool.retire(q.worker)
	q.worker = nil
}

// Close returns the worker to the pool. All results must have been taken.
func (q *Queue) Close() {
	q.release()
	if q.worker != nil {
		q.pool.put(q.worker)
		q.worker = nil
	}
}
