//go:build !unix

package worker

func limitProcess() {}
