//go:build !linux

package db

// networkFS returns the name of the network file system that the folder of path lies on.
// Here it cannot be told.
func networkFS(string) string { return "" }
