package main_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeShowsCodeThatCompiles holds the Go code of README.md to the body of Example,
// line by line.
func TestReadmeShowsCodeThatCompiles(t *testing.T) {
	readme := read(t, "README.md")
	example := lines(read(t, "example_test.go"))
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(readme, -1)
	if len(blocks) == 0 {
		t.Fatal("README.md shows no Go code")
	}
	for _, block := range blocks {
		for _, line := range lines(block[1]) {
			for len(example) > 0 && example[0] != line {
				example = example[1:]
			}
			if len(example) == 0 {
				t.Fatalf("README.md has a line that does not stand in Example, or not in that order: %q", line)
			}
			example = example[1:]
		}
	}
}

// TestReadmePicturesExist finds every picture and file that README.md links to.
func TestReadmePicturesExist(t *testing.T) {
	links := regexp.MustCompile(`\]\(([^):]+)\)`).FindAllStringSubmatch(read(t, "README.md"), -1)
	if len(links) == 0 {
		t.Fatal("README.md links to nothing")
	}
	for _, link := range links {
		if _, err := os.Stat(strings.SplitN(link[1], "#", 2)[0]); err != nil {
			t.Errorf("README.md links to %s: %v", link[1], err)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// lines returns the lines of text that are not blank, trimmed.
func lines(text string) []string {
	var trimmed []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			trimmed = append(trimmed, line)
		}
	}
	return trimmed
}
