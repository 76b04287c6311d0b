package wire

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Request is the content of a request: a struct that can set the values its fields have when
// a client leaves them out.
type Request[T any] interface {
	*T
	setDefaults()
}

// Decode reads the content of a request. Fields that are missing, or null, have their
// defaults; unknown fields are ignored. A field of a wrong type is an error that names it.
func Decode[T any, P Request[T]](content json.RawMessage) (T, error) {
	var request T
	P(&request).setDefaults()
	if len(content) == 0 {
		return request, nil
	}
	err := json.Unmarshal(content, &request)
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) && mismatch.Field != "" {
		return request, fmt.Errorf("field %s: want %s, got a JSON %s", mismatch.Field, mismatch.Type, mismatch.Value)
	}
	if err != nil {
		return request, fmt.Errorf("content: %w", err)
	}
	return request, nil
}

// ExecuteRequest asks to run a cell.
type ExecuteRequest struct {
	Code            string            `json:"code"`
	Silent          bool              `json:"silent"`        // run without output, history and count
	StoreHistory    bool              `json:"store_history"` // default true; false if Silent
	UserExpressions map[string]string `json:"user_expressions"`
	AllowStdin      bool              `json:"allow_stdin"`   // default true
	StopOnError     bool              `json:"stop_on_error"` // default true
}

func (r *ExecuteRequest) setDefaults() {
	r.StoreHistory, r.AllowStdin, r.StopOnError = true, true, true
}

// CompleteRequest asks what could stand at the cursor.
type CompleteRequest struct {
	Code      string `json:"code"`
	CursorPos int    `json:"cursor_pos"` // in Unicode code points; default -1: the end
}

func (r *CompleteRequest) setDefaults() { r.CursorPos = -1 }

// InspectRequest asks about the name at the cursor.
type InspectRequest struct {
	Code        string `json:"code"`
	CursorPos   int    `json:"cursor_pos"`   // in Unicode code points; default -1: the end
	DetailLevel int    `json:"detail_level"` // 0 or 1
}

func (r *InspectRequest) setDefaults() { r.CursorPos = -1 }

// IsCompleteRequest asks whether a line may be executed as it stands.
type IsCompleteRequest struct {
	Code string `json:"code"`
}

func (r *IsCompleteRequest) setDefaults() {}

// HistoryRequest asks for earlier cells.
type HistoryRequest struct {
	Output     bool   `json:"output"`
	Raw        bool   `json:"raw"`
	AccessType string `json:"hist_access_type"` // "range" (default), "tail" or "search"
	Session    int    `json:"session"`          // 0 the current one, -1 the one before, or its number
	Start      int    `json:"start"`
	Stop       *int   `json:"stop"`    // exclusive; nil for no end
	N          *int   `json:"n"`       // at most this many; nil for no limit
	Pattern    string `json:"pattern"` // with * and ?; default "*"
	Unique     bool   `json:"unique"`
}

func (r *HistoryRequest) setDefaults() { r.AccessType, r.Raw, r.Pattern = "range", true, "*" }

// ShutdownRequest asks the kernel to end.
type ShutdownRequest struct {
	Restart bool `json:"restart"`
}

func (r *ShutdownRequest) setDefaults() {}

// CommInfoRequest asks for the open comms.
type CommInfoRequest struct {
	TargetName string `json:"target_name"` // only those of this target; "" for all
}

func (r *CommInfoRequest) setDefaults() {}

// CommMessage is the content of comm_open, comm_msg and comm_close, in both directions.
type CommMessage struct {
	CommID     string          `json:"comm_id"`
	TargetName string          `json:"target_name,omitempty"` // comm_open only
	Data       json.RawMessage `json:"data"`
}

func (r *CommMessage) setDefaults() { r.Data = emptyObject() }

// InputReply is what the user typed.
type InputReply struct {
	Value string `json:"value"`
}

func (r *InputReply) setDefaults() {}

// DebugRequest is a request of the Debug Adapter Protocol.
type DebugRequest struct {
	Seq       int             `json:"seq"`
	Type      string          `json:"type"`
	Command   string          `json:"command"`
	Arguments json.RawMessage `json:"arguments"`
}

func (r *DebugRequest) setDefaults() {}
