package cli

import (
	"fmt"

	"redial/internal/cli/config"
)

// config returns what the user has configured. It is read once, when it is first needed, so
// that a mistake in it is in the way of nothing that does without.
func (a *app) config() (*config.Config, error) {
	if a.conf == nil {
		c, err := config.Read(a.getenv)
		if err != nil {
			return nil, err
		}
		a.conf = c
	}
	return a.conf, nil
}

// file returns the file of this run, "" for the one that everybody shares: what --db names,
// or else what $REDIAL_DB names, or else what is configured.
func (a *app) file() (string, error) {
	if a.db != "" || a.getenv("REDIAL_DB") != "" {
		return a.db, nil
	}
	c, err := a.config()
	if err != nil {
		return "", err
	}
	return c.DB, nil
}

// opening says of an error with the file of this run that the configuration names that file,
// if it does.
func (a *app) opening(err error) error {
	if a.db != "" || a.getenv("REDIAL_DB") != "" || a.conf == nil || a.conf.DB == "" {
		return err
	}
	return fmt.Errorf("db of %s:%d: %w", a.conf.Path, a.conf.Line("db"), err)
}

// credentials returns what --header gives and, beside that, what is configured.
func (a *app) credentials(headers []string) (credentials, error) {
	given, err := parseCredentials(headers, a.environ)
	if err != nil {
		return nil, err
	}
	c, err := a.config()
	if err != nil {
		return nil, err
	}
	return given.configured(c, a.environ)
}
