// Screenshots makes the pictures that README.md shows, from the real program: it builds
// redial, runs it on a pseudo terminal of a fixed size, mirrors what it writes in a terminal
// emulator, and draws the emulator's cells. No row, colour or character is made up here, so
// a picture cannot promise what the program does not do.
//
// The file behind the pictures, demo.db, is a recording of "redial demo" and never written by
// hand; redial opens a copy of it. How long an operation has been pending depends on when one
// looks, so there redial's clock stands still. Since the file, the clock, the size, the
// environment and the font are fixed, each run gives the same bytes, and a test tells when the committed pictures are no
// longer what the program shows.
//
//	go run ./screenshots                     makes every picture of the table in shots.go
//	go run ./screenshots --out x.png         makes one picture of any database and any screen:
//	  --db F --size 110x32 --theme light --keys 'j j enter' --until 'attempts'
//
// The font is JetBrains Mono, whose licence lies beside it in font/OFL.txt.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "screenshots:", err)
		os.Exit(1)
	}
}

// options is what the flags say.
type options struct {
	out  string // The one picture to make; "" makes all of the table.
	db   string // The database to show; "" is demo.db.
	exec string // A command line to run instead of redial.
	shot shot
}

// run makes one picture, or all of them, and prints the name of each.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if o.exec != "" {
		s := &studio{command: strings.Fields(o.exec)}
		return s.save(ctx, o.shot, o.out, stdout)
	}
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	s := &studio{root: root, db: o.db}
	if o.db == "" {
		s.db, s.copied = filepath.Join(root, "screenshots", "demo.db"), true
	}
	defer s.close()
	if o.out != "" {
		return s.save(ctx, o.shot, o.out, stdout)
	}
	for _, shot := range shots() {
		file := filepath.Join(root, "screenshots", shot.name)
		if err := s.save(ctx, shot, file, stdout); err != nil {
			return err
		}
	}
	return nil
}

// parse reads the flags. Those that describe a picture have a meaning only with --out.
func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	var size, keys, until string
	f := flag.NewFlagSet("screenshots", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.out, "out", "", "make one picture and write it to this `file`")
	f.StringVar(&o.db, "db", "", "the database `file` to show (default screenshots/demo.db)")
	f.StringVar(&o.exec, "exec", "", "show this `command` instead of redial")
	f.StringVar(&size, "size", "110x32", "columns `x` rows of the terminal")
	f.StringVar(&o.shot.theme, "theme", "dark", "the terminal's colours, light or dark")
	f.StringVar(&keys, "keys", "", "`keys` to press, with blanks between them: 'j enter / status:5xx enter'")
	f.StringVar(&until, "until", "", "wait for this `text` after the last key")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("%q is not a flag; see --help", f.Arg(0))
	}
	if _, err := fmt.Sscanf(size, "%dx%d", &o.shot.cols, &o.shot.rows); err != nil || o.shot.cols < 1 || o.shot.rows < 1 {
		return o, fmt.Errorf("--size %q is not columns x rows, such as 110x32", size)
	}
	if o.shot.theme != "dark" && o.shot.theme != "light" {
		return o, fmt.Errorf("--theme %q is neither light nor dark", o.shot.theme)
	}
	if o.exec != "" && o.out == "" {
		return o, errors.New("--exec needs --out")
	}
	o.shot.name = filepath.Base(o.out)
	o.shot.live = true
	for _, key := range strings.Fields(keys) {
		o.shot.steps = append(o.shot.steps, step{keys: key})
	}
	o.shot.steps = append(o.shot.steps, step{until: until})
	return o, nil
}
