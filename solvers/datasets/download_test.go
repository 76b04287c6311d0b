package datasets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
)

// smallSet is a set of three files on the given server: two parts of LIBSVM text to train
// on, and a pair of IDX files to test on.
func smallSet(addresses ...string) *set {
	return &set{Info: Info{Name: "small+val", Features: 4}, addresses: addresses,
		train: []part{{[]string{"small.bz2"}, 2, []int{1, 1}}, {[]string{"small.val"}, 3, []int{2, 1}}},
		test:  []part{{[]string{"images.gz", "labels.gz"}, 2, []int{1, 1}}}}
}

// published are the files of smallSet.
func published(t *testing.T) map[string]string {
	return map[string]string{
		"small.bz2": unbase64(t, bzipped),
		"small.val": "1 1:1\n-1 1:1\n1 2:1\n",
		"images.gz": gzipped(t, idx(idxUint8, []uint32{2, 4}, []uint8{0, 1, 2, 3, 4, 5, 6, 7})),
		"labels.gz": gzipped(t, idx(idxInt8, []uint32{2}, []int8{-1, 1})),
	}
}

// serve publishes files, and counts how often each is asked for.
func serve(t *testing.T, files map[string]string) (address string, asked map[string]int) {
	t.Helper()
	asked = map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file := strings.TrimPrefix(r.URL.Path, "/")
		asked[file]++
		content, ok := files[file]
		if !ok {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, content)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/", asked
}

// filesIn lists the files below a folder.
func filesIn(t *testing.T, folder string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			name, _ := filepath.Rel(folder, path)
			files = append(files, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return files
}

func TestDownload(t *testing.T) {
	address, asked := serve(t, published(t))
	s := smallSet(address)
	reported := map[string]int64{}
	cache := filepath.Join(t.TempDir(), "cache")
	c := Catalogue{Folders: []string{}, Cache: cache, Progress: func(file string, done, total int64) {
		if done > total || done < reported[file] {
			t.Errorf("%s: %d of %d bytes after %d", file, done, total, reported[file])
		}
		reported[file] = done
	}}
	for range 2 { // the second time from the cache
		train, err := c.readAll(context.Background(), s, s.train)
		if err != nil {
			t.Fatal(err)
		}
		test, err := c.readAll(context.Background(), s, s.test)
		if err != nil {
			t.Fatal(err)
		}
		if train.Len() != 5 || train.Dim != 4 || test.Len() != 2 || test.Dim != 4 {
			t.Errorf("%v and %v", train, test)
		}
	}
	for file, content := range published(t) {
		if asked[file] != 1 || reported[file] != int64(len(content)) {
			t.Errorf("%s was asked for %d times and %d bytes were reported: want 1 and %d", file, asked[file], reported[file], len(content))
		}
	}
	if got := fmt.Sprint(filesIn(t, cache)); got != "[small/images.gz small/labels.gz small/small.bz2 small/small.val]" {
		t.Errorf("kept %s", got)
	}
}

// Only what is missing is downloaded: here the labels lie in a folder of the set's name.
func TestDownloadMissing(t *testing.T) {
	files := published(t)
	address, asked := serve(t, files)
	s := smallSet(address)
	c := Catalogue{Folders: []string{"", folderOf(t, map[string]string{"small/labels": idx(idxInt8, []uint32{2}, []int8{1, -1})})}, Cache: t.TempDir()}
	d, err := c.readAll(context.Background(), s, s.test)
	if err != nil {
		t.Fatal(err)
	}
	if d.Y[0] != 1 || asked["labels.gz"] != 0 || asked["images.gz"] != 1 {
		t.Errorf("labels %v, asked for %v", d.Y, asked)
	}
}

func TestDownloadSecondAddress(t *testing.T) {
	empty, _ := serve(t, nil)
	full, asked := serve(t, published(t))
	s := smallSet(empty, full)
	if _, err := (Catalogue{Folders: []string{}, Cache: t.TempDir()}).readAll(context.Background(), s, s.train); err != nil {
		t.Fatal(err)
	}
	if asked["small.bz2"] != 1 {
		t.Errorf("asked for %v", asked)
	}
}

func TestDownloadErrors(t *testing.T) {
	for _, c := range []struct {
		name    string
		respond func(w http.ResponseWriter)
		want    string
	}{
		{"not found", func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotFound) },
			"WEB/small.val: the server says 404 Not Found"},
		{"cut short", func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, "1 1:1\n")
		}, "WEB/small.val: cut short: 6 of 1000 bytes came"},
		{"a web page", func(w http.ResponseWriter) { io.WriteString(w, "<html>Sign in</html>") },
			"not the published file: WEB/small.val: this is a web page or XML: want LIBSVM text, CSV or IDX"},
		{"damaged", func(w http.ResponseWriter) { io.WriteString(w, "1 1:1\n1 2:1 2:1\n") },
			"not the published file: WEB/small.val:2:7: index 2 after 2: indices must increase"},
		{"too few rows", func(w http.ResponseWriter) { io.WriteString(w, "1 1:1\n") },
			"not the published file: WEB/small.val: 1 rows: this part of small+val has 3"},
		{"too many features", func(w http.ResponseWriter) { io.WriteString(w, "1 5:1\n1 1:1\n-1 1:1") },
			"not the published file: WEB/small.val: 5 features: small+val has 4"},
		{"other classes", func(w http.ResponseWriter) { io.WriteString(w, "1 1:1\n1 1:1\n1 1:1") },
			"not the published file: WEB/small.val: rows per class are [3]: this part of small+val has [1 2]"},
		{"huge", func(w http.ResponseWriter) { w.Header().Set("Content-Length", "2000000000") },
			"WEB/small.val: 2000000000 bytes: want at most 1073741824"},
		{"empty", func(w http.ResponseWriter) {},
			"not the published file: WEB/small.val:1:1: no rows: want at least one line \"label index:value …\""},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { c.respond(w) }))
			defer server.Close()
			s := smallSet(server.URL + "/")
			cache := t.TempDir()
			_, err := (Catalogue{Folders: []string{}, Cache: cache}).readAll(context.Background(), s, s.train[1:])
			checkUnavailable(t, err, "small+val: no file small.val in "+cache+", and no download: "+strings.ReplaceAll(c.want, "WEB", server.URL))
			if left := filesIn(t, cache); len(left) > 0 {
				t.Errorf("left %v behind", left)
			}
		})
	}
}

func checkUnavailable(t *testing.T, err error, want string) {
	t.Helper()
	var unavailable *UnavailableError
	if !errors.As(err, &unavailable) {
		t.Fatalf("%v, want an *UnavailableError", err)
	}
	if err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

func TestDownloadOffline(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close() // its port now refuses
	s := smallSet(server.URL + "/")
	cache := t.TempDir()
	_, err := (Catalogue{Folders: []string{"/nowhere"}, Cache: cache}).readAll(context.Background(), s, s.train)
	checkUnavailable(t, err, fmt.Sprintf("small+val: no file small.bz2 in /nowhere or %s, and no download: %s/small.bz2 cannot be reached: dial tcp %s: connect: connection refused",
		cache, server.URL, strings.TrimPrefix(server.URL, "http://")))
}

func TestDownloadNoCache(t *testing.T) {
	address, _ := serve(t, published(t))
	s := smallSet(address)
	inTheWay := filepath.Join(folderOf(t, map[string]string{"file": ""}), "file")
	_, err := (Catalogue{Folders: []string{}, Cache: inTheWay}).readAll(context.Background(), s, s.train)
	checkUnavailable(t, err, fmt.Sprintf("small+val: no file small.bz2 in %s, and no download: no place to keep it: mkdir %s: not a directory", inTheWay, inTheWay))
}

func TestDownloadCanceled(t *testing.T) {
	address, asked := serve(t, published(t))
	s := smallSet(address, address)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := (Catalogue{Folders: []string{}, Cache: t.TempDir()}).readAll(ctx, s, s.train)
	if !errors.Is(err, context.Canceled) || len(asked) > 0 {
		t.Errorf("%v after asking for %v", err, asked)
	}
}

// silentServer sends a few bytes and then nothing more.
type silentServer struct{}

func (silentServer) RoundTrip(r *http.Request) (*http.Response, error) {
	from, to := io.Pipe()
	context.AfterFunc(r.Context(), func() { to.CloseWithError(r.Context().Err()) })
	go to.Write([]byte("1 1:1\n"))
	return &http.Response{StatusCode: http.StatusOK, ContentLength: 1000, Body: from, Request: r}, nil
}

func TestDownloadSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := smallSet("http://example.org/")
		cache := t.TempDir()
		c := Catalogue{Folders: []string{}, Cache: cache, Client: &http.Client{Transport: silentServer{}}}
		_, err := c.readAll(t.Context(), s, s.train)
		checkUnavailable(t, err, "small+val: no file small.bz2 in "+cache+", and no download: http://example.org/small.bz2: no answer for 30s")
	})
}
