package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayImport is who may import whom, besides the standard library: the path itself, and
// with a trailing slash everything below it. A package that is not here follows the row of
// the folder above it, and where there is none may not exist.
var mayImport = map[string][]string{
	".":                 {"redial/internal/cli"},
	"ledger":            {},
	"transport":         {"redial/ledger", "golang.org/x/"},
	"transport/digest":  {},
	"transport/policy":  {"redial/ledger", "redial/transport", "redial/internal/settings"},
	"recorder":          {"redial/ledger", "github.com/andybalholm/brotli", "github.com/andybalholm/brotli/matchfinder", "github.com/klauspost/compress/zstd", "golang.org/x/"},
	"operation":         {"redial/ledger", "redial/transport", "golang.org/x/"},
	"operation/books":   {"redial/ledger", "golang.org/x/"},
	"db":                {"redial/ledger", "modernc.org/sqlite", "modernc.org/sqlite/lib", "github.com/adrg/xdg", "golang.org/x/"},
	"tui":               {"redial/ledger", "redial/tui/", "charm.land/", "github.com/charmbracelet/", "golang.org/x/"},
	"tui/curl":          {"redial/ledger"},
	"tui/unpack":        {"redial/ledger", "github.com/andybalholm/brotli", "github.com/klauspost/compress/zstd"},
	"tui/visible":       {},
	"internal/demo":     {"redial/ledger", "redial/transport", "redial/transport/digest", "redial/operation", "redial/recorder", "redial/db", "golang.org/x/"},
	"internal/settings": {"redial/ledger", "github.com/BurntSushi/toml"},
	"internal/cli":      {"redial/", "github.com/spf13/", "github.com/charmbracelet/x/", "golang.org/x/"},
	"screenshots":       {"redial/ledger", "redial/db", "github.com/charmbracelet/", "github.com/creack/pty", "golang.org/x/"},
}

// onlyTests are packages that are for tests and stay out of the product.
var onlyTests = []string{"testing", "testing/", "redial/tui/visible/hostile", "redial/operation/books", "github.com/rogpeppe/", "github.com/mccutchen/"}

// banned are the version 1 lines of libraries that are imported as charm.land/…/v2.
var banned = []string{
	"github.com/charmbracelet/bubbletea",
	"github.com/charmbracelet/lipgloss",
	"github.com/charmbracelet/bubbles",
}

// onlyIn are libraries and packages that one place alone may import, its tests included.
var onlyIn = map[string]string{
	"modernc.org/":           "db",
	"charm.land/":            "tui",
	"redial/internal/cli":    ".",
	"github.com/spf13/cobra": "internal/cli",
	"github.com/BurntSushi/": "internal/settings",
}

func TestPackagesImportOnlyWhatTheyMay(t *testing.T) {
	for file, imports := range goFiles(t) {
		isTest := strings.HasSuffix(file, "_test.go")
		allowed, ok := row(path.Dir(file))
		if !ok {
			t.Errorf("%s is in a package that the import table does not know", file)
		}
		for _, imp := range imports {
			checkEverywhere(t, file, imp)
			if isTest || !ok {
				continue
			}
			if within(imp, onlyTests) {
				t.Errorf("%s imports %s, which is for tests", file, imp)
			} else if !standard(imp) && !within(imp, allowed) {
				t.Errorf("%s imports %s, which the import table does not allow", file, imp)
			}
		}
	}
}

// row returns the row of the table that a folder follows.
func row(dir string) (allowed []string, ok bool) {
	for top := dir; ; dir = path.Dir(dir) {
		if allowed, ok = mayImport[dir]; ok && (dir != "." || top == ".") {
			return allowed, true
		}
		if dir == "." {
			return nil, false
		}
	}
}

// checkEverywhere checks the rules that hold for tests as well.
func checkEverywhere(t *testing.T, file, imp string) {
	t.Helper()
	for _, b := range banned {
		if within(imp, []string{b, b + "/"}) {
			t.Errorf("%s imports %s: since version 2 it is imported as charm.land/…/v2", file, imp)
		}
	}
	dir := path.Dir(file)
	for lib, home := range onlyIn {
		own := imp == "redial/"+dir // A test outside of its package imports it.
		if within(imp, []string{lib}) && !own && dir != home && !strings.HasPrefix(dir, home+"/") {
			t.Errorf("%s imports %s, which only %s may", file, imp, home)
		}
	}
}

func TestNoPackageHasANameThatSaysNothing(t *testing.T) {
	empty := []string{"util", "utils", "common", "types", "models", "helpers"}
	for file := range goFiles(t) {
		if name := path.Base(path.Dir(file)); slices.Contains(empty, name) {
			t.Errorf("%s: a package called %s does not say what it is for", file, name)
		}
	}
}

func TestEveryPackageOfTheTableExists(t *testing.T) {
	files := goFiles(t)
	for dir := range mayImport {
		found := false
		for file := range files {
			found = found || path.Dir(file) == dir && !strings.HasSuffix(file, "_test.go")
		}
		if !found {
			t.Errorf("the import table has %s, and there is no such package", dir)
		}
	}
}

// goFiles returns the Go files of this module, whatever their build tags, with their imports.
func goFiles(t *testing.T) map[string][]string {
	t.Helper()
	files := map[string][]string{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (d.Name()[0] == '.' || d.Name() == "testdata" || ownModule(name)):
			return filepath.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, ".go"):
			files[filepath.ToSlash(name)] = importsOf(t, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 10 {
		t.Fatalf("found only %d Go files: the test does not look where it should", len(files))
	}
	return files
}

func importsOf(t *testing.T, name string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var imports []string
	for _, spec := range parsed.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		imports = append(imports, p)
	}
	return imports
}

// ownModule reports whether a folder is a module of its own, as bench is.
func ownModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// standard reports whether imp belongs to the standard library: its paths have no dot in
// the first element, and redial is ours.
func standard(imp string) bool {
	first, _, _ := strings.Cut(imp, "/")
	return !strings.Contains(first, ".") && first != "redial"
}

// within reports whether imp is one of paths, or below one that ends in a slash.
func within(imp string, paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool {
		return imp == p || strings.HasSuffix(p, "/") && strings.HasPrefix(imp, p)
	})
}
