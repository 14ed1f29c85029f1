// Package inspect checks what the operations of a simulated device read: unwritten memory, and elements of another type
// than were written. It records what each operation writes when the operation is queued.
package inspect
