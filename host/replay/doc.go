// Package replay makes the calls of a recording on simulated devices and modelled handles, whose kernels claim memory
// and do not compute. The devices find what they find for scripts: uses that nothing orders, memory that is used after
// it was freed, captures, graphs, and how much memory there is. It compares the statuses, the bytes of size queries and
// the growths with the recorded ones.
//
// One goroutine makes all calls, in the order in which they took effect. Each recorded thread has its own current
// device, last error and mode of captures; what one has waited for, all have, because a recording does not show how
// threads wait for one another. Each call of rocBLAS and rocSOLVER that another library or the program made has a
// number, from 1.
package replay
