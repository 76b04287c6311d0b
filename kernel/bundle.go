package kernel

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

// encodeBundle returns a bundle as messages carry it: text as strings, JSON formats as JSON,
// everything else in base64, and always with text/plain. A value that has no JSON form is
// left out.
func (s *Server) encodeBundle(b display.Bundle) (data, metadata map[string]any) {
	data = make(map[string]any, len(b.Data)+1)
	for mime, value := range b.Data {
		encoded, err := encodeValue(mime, value)
		if err != nil {
			s.log.Warn("an output could not be encoded", "format", mime, "error", err)
			continue
		}
		data[mime] = encoded
	}
	if _, ok := data["text/plain"]; !ok && len(b.Data) > 0 {
		data["text/plain"] = "<" + slices.Min(slices.Collect(maps.Keys(b.Data))) + ">"
	}
	metadata = b.Metadata
	if _, err := wire.Encode(metadata); err != nil || metadata == nil {
		metadata = map[string]any{}
	}
	return data, metadata
}

// encodeValue returns one value of a bundle as messages carry it.
func encodeValue(mime string, value any) (any, error) {
	switch v := value.(type) {
	case string:
		if isJSON(mime) && json.Valid([]byte(v)) {
			return json.RawMessage(v), nil
		}
		return v, nil
	case []byte:
		switch {
		case isJSON(mime) && json.Valid(v):
			return json.RawMessage(v), nil
		case isText(mime):
			return string(v), nil
		}
		return base64.StdEncoding.EncodeToString(v), nil
	}
	return wire.Encode(value)
}

func isJSON(mime string) bool {
	return mime == "application/json" || strings.HasSuffix(mime, "+json")
}

func isText(mime string) bool {
	return strings.HasPrefix(mime, "text/") || strings.HasSuffix(mime, "+xml") || mime == "application/javascript"
}
