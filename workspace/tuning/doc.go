// Package tuning reads the tuning files of rocBLAS and chooses the kernel of a product of matrices as the library does.
//
// The files are MessagePack. The first file of an architecture has a tree of choices: rows of devices, operations,
// types and sizes. Its leaves name the files of types, which are read when they are first needed. Those have tables of
// sizes, forests of decision trees, and solutions: kernels with conditions. A solution that splits the sum over k
// between several groups of threads may need a workspace for the partial results, and is passed over without one:
//
//	lib, err := tuning.Open(os.DirFS(dir), "gfx90a")
//	kernel, err := lib.Choose(&problem, &device)
//	bytes := kernel.Workspace(&problem)
//
// Nothing is skipped: an unknown kind of condition, table or library is an error that names it and its place. The
// package knows files and products only, neither handles nor devices.
package tuning
