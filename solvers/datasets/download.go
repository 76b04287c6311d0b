package datasets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"
)

const (
	maxDownload   = 1 << 30          // bytes of one file; the largest of the catalogue has some 20 MB packed
	answerTimeout = 30 * time.Second // for a server to answer, and for the next bytes to come
)

// fetchPart downloads the files of a part that have no path yet, reads and checks the part,
// and only then keeps the files.
func (c Catalogue) fetchPart(ctx context.Context, s *set, p part, paths []string) (*Dataset, error) {
	missing := &UnavailableError{Name: s.Name, Searched: c.searched()}
	for i, file := range p.files {
		if paths[i] == "" {
			missing.Files = append(missing.Files, file)
		}
	}
	if s.addresses == nil {
		missing.Err = errors.New(s.origin)
		return nil, missing
	}
	folder := filepath.Join(c.cache(), s.folder())
	for _, address := range s.addresses {
		d, err := c.fetchFrom(ctx, address, folder, s, p, paths)
		if err == nil {
			return d, nil
		}
		if missing.Err != nil {
			err = fmt.Errorf("%w, nor from elsewhere: %w", missing.Err, err)
		}
		missing.Err = err
		if ctx.Err() != nil {
			break
		}
	}
	return nil, missing
}

// fetchFrom is fetchPart from one address.
func (c Catalogue) fetchFrom(ctx context.Context, address, folder string, s *set, p part, paths []string) (*Dataset, error) {
	have := make([]string, len(paths)) // where the files are now
	kept := map[string]string{}        // from the temporary to the lasting name
	defer func() {
		for temporary := range kept {
			os.Remove(temporary)
		}
	}()
	for i, file := range p.files {
		if have[i] = paths[i]; have[i] != "" {
			continue
		}
		temporary, err := c.download(ctx, address+file, folder)
		if err != nil {
			return nil, err
		}
		have[i] = temporary
		kept[temporary] = filepath.Join(folder, file)
	}
	name := address + p.files[0]
	d, err := readPaths(have, name)
	if err != nil {
		return nil, fmt.Errorf("not the published file: %w", err)
	}
	if err := s.check(d, p); err != nil {
		return nil, fmt.Errorf("not the published file: %s: %w", name, err)
	}
	for temporary, lasting := range kept {
		if err := os.Rename(temporary, lasting); err != nil {
			return nil, fmt.Errorf("no place to keep it: %w", err)
		}
		delete(kept, temporary)
	}
	return d, nil
}

// download takes the file at an address into a temporary file of folder.
func (c Catalogue) download(ctx context.Context, address, folder string) (temporary string, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(answerTimeout, func() {
		cancel(fmt.Errorf("%s: no answer for %v", address, answerTimeout))
	})
	defer silence.Stop()
	defer func() {
		if err != nil && ctx.Err() != nil { // then the cause says more than what it led to
			err = context.Cause(ctx)
		}
	}()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	response, err := c.client().Do(request)
	if err != nil {
		var reason *url.Error // its text repeats the address
		if errors.As(err, &reason) {
			err = reason.Err
		}
		return "", fmt.Errorf("%s cannot be reached: %w", address, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s: the server says %s", address, response.Status)
	}
	if response.ContentLength > maxDownload {
		return "", fmt.Errorf("%s: %d bytes: want at most %d", address, response.ContentLength, maxDownload)
	}
	body := &meter{from: response.Body, total: response.ContentLength, alive: func() { silence.Reset(answerTimeout) }}
	if c.Progress != nil {
		body.report = func() { c.Progress(filepath.Base(address), body.done, body.total) }
	}
	return body.save(address, folder)
}

func (c Catalogue) client() *http.Client {
	if c.Client != nil {
		return c.Client
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = (&net.Dialer{Timeout: answerTimeout / 2}).DialContext
	transport.ResponseHeaderTimeout = answerTimeout
	transport.DisableKeepAlives = true // one file, then nobody would close the connection
	return &http.Client{Transport: transport}
}

// meter counts what comes of a download.
type meter struct {
	from        io.Reader
	done, total int64
	alive       func() // called when bytes came
	report      func() // nil: silent
	reported    time.Time
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	m.done += int64(n)
	if n > 0 {
		m.alive()
	}
	if m.report != nil && (err == io.EOF || n > 0 && time.Since(m.reported) > 100*time.Millisecond) {
		m.reported = time.Now()
		m.report()
	}
	return n, err
}

// save copies the download into a temporary file of folder, and removes it if that fails.
func (m *meter) save(address, folder string) (temporary string, err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("no place to keep it: %w", err)
	}
	file, err := os.CreateTemp(folder, "download-*.part")
	if err != nil {
		return "", fmt.Errorf("no place to keep it: %w", err)
	}
	n, err := io.Copy(file, io.LimitReader(m, maxDownload+1))
	if e := file.Close(); err == nil {
		err = e
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("%s: cut short: %d of %d bytes came", address, n, m.total)
	case err != nil:
		err = fmt.Errorf("%s: %w", address, err)
	case n > maxDownload:
		err = fmt.Errorf("%s: more than %d bytes", address, maxDownload)
	default:
		return file.Name(), nil
	}
	os.Remove(file.Name())
	return "", err
}
