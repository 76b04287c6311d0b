package display

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Encoded is the bundle as messages and notebooks carry it: text as strings, JSON formats as
// JSON, everything else in base64, and always with text/plain. A value that has no JSON form is
// left out.
func (b Bundle) Encoded() (data, metadata map[string]any) {
	data, metadata = make(map[string]any, len(b.Data)+1), map[string]any{}
	for mime, value := range b.Data {
		if encoded, err := encode(mime, value); err == nil {
			data[mime] = encoded
		}
	}
	if _, ok := data["text/plain"]; !ok && len(b.Data) > 0 {
		data["text/plain"] = "<" + slices.Min(slices.Collect(maps.Keys(b.Data))) + ">"
	}
	if _, err := json.Marshal(b.Metadata); err == nil && b.Metadata != nil {
		metadata = b.Metadata
	}
	return data, metadata
}

// encode is one value of a bundle as messages carry it.
func encode(mime string, value any) (any, error) {
	isJSON := mime == "application/json" || strings.HasSuffix(mime, "+json")
	switch v := value.(type) {
	case string:
		if isJSON && json.Valid([]byte(v)) {
			return json.RawMessage(v), nil
		}
		return v, nil
	case []byte:
		switch {
		case isJSON && json.Valid(v):
			return json.RawMessage(v), nil
		case strings.HasPrefix(mime, "text/"), strings.HasSuffix(mime, "+xml"), mime == "application/javascript":
			return string(v), nil
		}
		return base64.StdEncoding.EncodeToString(v), nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return json.RawMessage(bytes.TrimSpace(b.Bytes())), err
}
