// Package capture records the calls of captured streams as the nodes of graphs, and refuses the calls that HIP does not
// permit meanwhile. It does not perform any work.
package capture
