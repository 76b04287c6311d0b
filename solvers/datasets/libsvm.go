package datasets

import (
	"errors"
	"fmt"
	"io"
)

// ParseError says where a data file is wrong. Line and Column count from 1; Column counts
// bytes. Its text is "a8a:17:23: index 5 after 7: indices must increase".
type ParseError struct {
	File         string
	Line, Column int
	Text         string
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Text)
}

// ReadLIBSVM reads LIBSVM text.
func ReadLIBSVM(r io.Reader, name string) (*Dataset, error) {
	return nil, errors.New("datasets: LIBSVM text is not read yet")
}
