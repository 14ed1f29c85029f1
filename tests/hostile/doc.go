// Package hostile tests that no script can end the program or exceed its limits by more than 2 seconds and 25 %.
//
// Each attack is a script that tries to use too much memory, time or output, or to end the process. It runs in the
// built program, and Run measures its process tree from outside. The next case must pass, and its result must be in the
// report. "make hostile" runs all attacks and prints a table of them.
package hostile
