package kernel

import (
	"context"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

// Text that a cell prints is sent when it is streamTime old or streamSize long, so that small
// prints travel together.
const (
	streamTime = 50 * time.Millisecond
	streamSize = 64 << 10
)

// output is where one request shows things: everything it sends has that request as its
// parent. It stays usable after the request was answered.
type output struct {
	ctx        context.Context // ends with the cell, and with it the time to ask for input
	request    *request
	server     *Server
	silent     bool
	allowStdin bool

	mu      sync.Mutex
	name    string // stream of text
	text    []byte // printed and not yet sent
	timer   *time.Timer
	payload []any
}

func newOutput(ctx context.Context, r *request, silent, allowStdin bool) *output {
	return &output{ctx: ctx, request: r, server: r.server, silent: silent, allowStdin: allowStdin, payload: []any{}}
}

// Stream appends text to what the cell printed.
func (o *output) Stream(name, text string) {
	if o.silent || text == "" {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.name != name {
		o.flushLocked(true)
		o.name = name
	}
	o.text = append(o.text, text...)
	if len(o.text) >= streamSize {
		o.flushLocked(false)
	} else if o.timer == nil {
		o.timer = time.AfterFunc(streamTime, func() {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.timer = nil
			o.flushLocked(false)
		})
	}
}

// flush sends what has been printed.
func (o *output) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flushLocked(true)
}

// flushLocked sends what has been printed. Unless all is to be sent, a character of which the
// last bytes have not been printed yet is kept back.
func (o *output) flushLocked(all bool) {
	whole := len(o.text)
	if !all {
		whole -= incomplete(o.text)
	}
	if whole == 0 {
		return
	}
	message := wire.Stream{Name: o.name, Text: string(o.text[:whole])}
	o.text = append(o.text[:0], o.text[whole:]...)
	if cap(o.text) > 4*streamSize {
		o.text = append([]byte(nil), o.text...)
	}
	o.server.publish(o.request, "stream", message, true)
}

// incomplete returns how many bytes at the end of text begin a character without ending it.
func incomplete(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if utf8.RuneStart(text[len(text)-n]) {
			if utf8.FullRune(text[len(text)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}

// Display shows a bundle.
func (o *output) Display(b display.Bundle, id string) { o.show("display_data", b, id) }

// Update replaces every display with this id.
func (o *output) Update(id string, b display.Bundle) { o.show("update_display_data", b, id) }

func (o *output) show(msgType string, b display.Bundle, id string) {
	if o.silent {
		return
	}
	data, metadata := o.server.encodeBundle(b)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flushLocked(true)
	o.server.publish(o.request, msgType, wire.DisplayData{Data: data, Metadata: metadata, Transient: wire.Transient{DisplayID: id}}, true)
}

// encodeBundle returns a bundle as messages carry it, and logs what has no form there.
func (s *Server) encodeBundle(b display.Bundle) (data, metadata map[string]any) {
	data, metadata = b.Encoded()
	for mime := range b.Data {
		if _, ok := data[mime]; !ok {
			s.log.Warn("an output could not be encoded", "format", mime)
		}
	}
	return data, metadata
}

// Clear removes what the cell has shown.
func (o *output) Clear(wait bool) {
	if o.silent {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flushLocked(true)
	o.server.publish(o.request, "clear_output", wire.ClearOutput{Wait: wait}, true)
}

// Input asks the user for a line.
func (o *output) Input(prompt string, password bool) (string, error) {
	o.flush()
	return o.server.input(o.ctx, o.request, o.allowStdin, prompt, password)
}

// Page shows b in the front end's pager when the cell has ended.
func (o *output) Page(b display.Bundle) {
	data, _ := o.server.encodeBundle(b)
	o.addPayload(wire.PagePayload{Source: "page", Data: data})
}

// SetNextInput puts text into a new cell, or replaces this one, when the cell has ended.
func (o *output) SetNextInput(text string, replace bool) {
	o.addPayload(wire.NextInputPayload{Source: "set_next_input", Text: text, Replace: replace})
}

// AskExit asks the front end to end when the cell has ended, as a console does.
func (o *output) AskExit() { o.addPayload(wire.ExitPayload{Source: "ask_exit"}) }

func (o *output) addPayload(p any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.payload = append(o.payload, p)
}

// takePayload returns what the reply is to carry.
func (o *output) takePayload() []any {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.payload
}

var (
	_ display.Output = (*output)(nil)
	_ Pager          = (*output)(nil)
	_ NextInput      = (*output)(nil)
	_ Exiter         = (*output)(nil)
)
