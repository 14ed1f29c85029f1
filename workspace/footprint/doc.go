// Package footprint tells how many bytes of a handle's memory a sequence of calls needs, on any release and architecture,
// without a handle or a device. A planner writes calls as text, "dgetrf m=1024 n=1024"; what is not said takes the same
// defaults as named arguments in a script.
package footprint
