// Package serve replies to requests of other programs, one JSON object on each line, for the command roclua serve.
//
//	s := serve.Server{Profile: "rocm-7.2", Arch: "gfx90a"}
//	err := s.Serve(os.Stdin, os.Stdout)
//
// Replies have the order of the requests. A request that is wrong has a reply with an error, and the next one is
// read. A line has at most MostBytes, and a request at most MostCalls calls, so the memory is bounded.
package serve
