package datasets

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// WriteLIBSVM writes d as LIBSVM text: labels as in the file that d came from (d.Labels),
// indices from 1, numbers in the shortest decimal form that reads back as the same float64.
// ReadLIBSVM gives the same rows and labels again, but features that are zero in every row
// beyond the last index leave no trace: Dim becomes the greatest index. It returns an error
// if d is not valid (see Validate) or has no rows, which no file can hold, and w's error, wrapped.
func WriteLIBSVM(w io.Writer, d *Dataset) error {
	if d.Len() == 0 {
		return errors.New("a data set without rows cannot be written: want at least one row")
	}
	if err := d.Validate(); err != nil {
		return err
	}
	binary := d.Binary()
	out := bufio.NewWriterSize(w, 1<<16)
	var line []byte
	for i, x := range d.X {
		label := d.Y[i]
		if binary {
			label = d.label(label)
		}
		line = strconv.AppendFloat(line[:0], label, 'g', -1, 64)
		for k, index := range x.Index {
			line = strconv.AppendInt(append(line, ' '), int64(index)+1, 10)
			line = strconv.AppendFloat(append(line, ':'), x.Value[k], 'g', -1, 64)
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return fmt.Errorf("%s: %w", d.Name, err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("%s: %w", d.Name, err)
	}
	return nil
}
