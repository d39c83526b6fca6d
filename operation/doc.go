// Package operation is the business layer above the transport: one intent, one key, any
// number of sends, and exactly one effect or an honest "nobody knows".
package operation
