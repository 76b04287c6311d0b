package datasets

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/agnivade/levenshtein"
)

// Load is the data set of the given name, in its training and its test part, by a zero
// Catalogue. Names tells the names.
func Load(name string) (train, test *Dataset, err error) {
	return Catalogue{}.Load(context.Background(), name)
}

// Names tells all data sets that Load knows.
func Names() []Info {
	var names []Info
	for _, s := range sets() {
		s.Embedded = s.build != nil
		names = append(names, s.Info)
	}
	return names
}

// Catalogue finds data sets by name. The zero value is ready for use.
type Catalogue struct {
	Folders  []string                             // searched first; nil: those of $GONB_SVM_DATA, separated like PATH
	Cache    string                               // where downloads are kept; "": gonb-svm in the user's cache folder
	Client   *http.Client                         // nil: one that gives up on servers that do not answer
	Progress func(file string, done, total int64) // bytes of a download, at most 10/s and the last; total < 0: unknown; nil: silent
}

// Load is the data set of the given name, in its training and its test part. Sets that are
// not embedded are looked for in Folders and in Cache, there and in a folder of the set's
// name, packed or not; what is missing is downloaded from where it is published, checked,
// and kept in Cache. Rows, features and rows per class are checked in any case. A set
// published without a test part is divided by Dataset.Split with seed 1, in the sizes that
// Names tells. The test part's name is the set's with " test" after it.
//
// The error is a *NameError if no set has the name, an *UnavailableError if its files are
// neither found nor downloaded, the reader's error, or one that says what a file should have.
func (c Catalogue) Load(ctx context.Context, name string) (train, test *Dataset, err error) {
	all := sets()
	at := slices.IndexFunc(all, func(s set) bool { return s.Name == name })
	if at < 0 {
		return nil, nil, newNameError(name, all)
	}
	s := &all[at]
	if s.build != nil {
		train, test = s.build()
	} else if train, err = c.readAll(ctx, s, s.train); err != nil {
		return nil, nil, err
	} else if s.test == nil {
		train, test = train.Split(s.fraction, splitSeed)
	} else if test, err = c.readAll(ctx, s, s.test); err != nil {
		return nil, nil, err
	}
	train.Name, test.Name = name, name+" test"
	return train, test, nil
}

// readAll reads some parts of a set, one after the other, into one Dataset.
func (c Catalogue) readAll(ctx context.Context, s *set, parts []part) (*Dataset, error) {
	var whole *Dataset
	for _, p := range parts {
		d, err := c.readPart(ctx, s, p)
		switch {
		case err != nil:
			return nil, err
		case whole == nil:
			whole = d
		default:
			whole.X, whole.Y = append(whole.X, d.X...), append(whole.Y, d.Y...)
		}
	}
	return whole, nil
}

// readPart finds or downloads the files of one part.
func (c Catalogue) readPart(ctx context.Context, s *set, p part) (*Dataset, error) {
	paths := make([]string, len(p.files))
	missing := false
	for i, file := range p.files {
		paths[i] = c.find(s, file)
		missing = missing || paths[i] == ""
	}
	if missing {
		return c.fetchPart(ctx, s, p, paths)
	}
	d, err := readPaths(paths, paths[0])
	if err != nil {
		return nil, err
	}
	if err := s.check(d, p); err != nil {
		return nil, fmt.Errorf("%s: %w; replace the file, or remove it to have it looked for elsewhere", paths[0], err)
	}
	return d, nil
}

// readPaths reads LIBSVM text from one file or IDX from two, which errors call name.
func readPaths(paths []string, name string) (*Dataset, error) {
	if len(paths) == 2 {
		return readImageFiles(paths[0], paths[1], name)
	}
	return readFile(paths[0], name)
}

// check holds a part against what the set is known to have, and gives it the set's Dim: a
// file alone tells only its greatest index.
func (s *set) check(d *Dataset, p part) error {
	if d.Len() != p.rows {
		return fmt.Errorf("%d rows: this part of %s has %d", d.Len(), s.Name, p.rows)
	}
	if s.Features == 0 {
		return nil
	}
	if d.Dim > s.Features {
		return fmt.Errorf("%d features: %s has %d", d.Dim, s.Name, s.Features)
	}
	var counts []int
	for _, c := range d.Counts() {
		counts = append(counts, c.Rows)
	}
	want := slices.Clone(p.counts)
	slices.Sort(counts)
	slices.Sort(want)
	if !slices.Equal(counts, want) {
		return fmt.Errorf("rows per class are %v: this part of %s has %v", counts, s.Name, want)
	}
	d.Dim = s.Features
	return nil
}

// find is the path of a file of a set, "" if it is in no folder.
func (c Catalogue) find(s *set, file string) string {
	for _, folder := range c.searched() {
		for _, place := range []string{folder, filepath.Join(folder, s.folder())} {
			if path := findFile(place, file); path != "" {
				return path
			}
		}
	}
	return ""
}

// folder is the name of the folder that the files of the set may have for themselves.
func (s *set) folder() string {
	name, _, _ := strings.Cut(s.Name, "+")
	return name
}

// searched are the folders in which files are looked for, in order.
func (c Catalogue) searched() []string {
	folders := c.Folders
	if folders == nil {
		folders = filepath.SplitList(os.Getenv("GONB_SVM_DATA"))
	}
	folders = append(slices.Clone(folders), c.cache())
	return slices.DeleteFunc(folders, func(folder string) bool { return folder == "" })
}

func (c Catalogue) cache() string {
	if c.Cache != "" {
		return c.Cache
	}
	return filepath.Join(xdg.CacheHome, "gonb-svm")
}

// NameError says that no data set has a name.
type NameError struct {
	Name    string
	Nearest string   // the known name that differs least
	Known   []string // all names
}

func newNameError(name string, all []set) *NameError {
	e := &NameError{Name: name}
	least := 0
	for _, s := range all {
		distance := levenshtein.ComputeDistance(strings.ToLower(name), s.Name)
		if e.Nearest == "" || distance < least {
			e.Nearest, least = s.Name, distance
		}
		e.Known = append(e.Known, s.Name)
	}
	return e
}

func (e *NameError) Error() string {
	return fmt.Sprintf("no data set is called %s: did you mean %q? There are %s; a file is read by LoadFile",
		shown([]byte(e.Name)), e.Nearest, strings.Join(e.Known, ", "))
}

// UnavailableError says that the files of a data set are neither here nor to be had.
type UnavailableError struct {
	Name     string   // of the set
	Files    []string // that are missing
	Searched []string // folders that were looked in
	Err      error    // why there was no download
}

func (e *UnavailableError) Error() string {
	return fmt.Sprintf("%s: no file %s in %s, and no download: %v", e.Name, strings.Join(e.Files, " or "), strings.Join(e.Searched, " or "), e.Err)
}

func (e *UnavailableError) Unwrap() error { return e.Err }
