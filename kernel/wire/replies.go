package wire

// StatusReply is a reply without content of its own: interrupt_reply and the like.
type StatusReply struct {
	Status string `json:"status"` // "ok"
}

// ErrorReply is the reply to any request that failed.
type ErrorReply struct {
	Status    string   `json:"status"` // "error"
	Name      string   `json:"ename"`
	Value     string   `json:"evalue"`
	Traceback []string `json:"traceback"`
}

// Error is the iopub message about a cell that failed.
type Error struct {
	Name      string   `json:"ename"`
	Value     string   `json:"evalue"`
	Traceback []string `json:"traceback"`
}

// HelpLink is an entry of the front end's help menu.
type HelpLink struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}

// LanguageInfo tells a front end how to treat the cells.
type LanguageInfo struct {
	Name              string `json:"name"`
	Version           string `json:"version"`
	MIMEType          string `json:"mimetype"`
	FileExtension     string `json:"file_extension"`
	PygmentsLexer     string `json:"pygments_lexer,omitempty"`
	CodemirrorMode    string `json:"codemirror_mode,omitempty"`
	NbconvertExporter string `json:"nbconvert_exporter,omitempty"`
}

// KernelInfoReply says what this kernel is and can do.
type KernelInfoReply struct {
	Status                string       `json:"status"`
	ProtocolVersion       string       `json:"protocol_version"`
	Implementation        string       `json:"implementation"`
	ImplementationVersion string       `json:"implementation_version"`
	LanguageInfo          LanguageInfo `json:"language_info"`
	Banner                string       `json:"banner"`
	Debugger              bool         `json:"debugger"`
	HelpLinks             []HelpLink   `json:"help_links"`
	SupportedFeatures     []string     `json:"supported_features"`
}

// ExecuteReply ends the execution of a cell that succeeded.
type ExecuteReply struct {
	Status          string         `json:"status"` // "ok"
	ExecutionCount  int            `json:"execution_count"`
	UserExpressions map[string]any `json:"user_expressions"` // ExpressionValue or ErrorReply by name
	Payload         []any          `json:"payload"`          // PagePayload, NextInputPayload
}

// ExecuteErrorReply ends the execution of a cell that failed.
type ExecuteErrorReply struct {
	ErrorReply
	ExecutionCount int `json:"execution_count"`
}

// AbortedReply answers an execute_request that was not run because a cell before it failed.
// Its count is null, so that front ends leave the cell without a number.
type AbortedReply struct {
	Status         string   `json:"status"` // "aborted"
	ExecutionCount *int     `json:"execution_count"`
	Name           string   `json:"ename"`
	Value          string   `json:"evalue"`
	Traceback      []string `json:"traceback"`
}

// ExpressionValue is one evaluated user expression.
type ExpressionValue struct {
	Status   string         `json:"status"` // "ok"
	Data     map[string]any `json:"data"`
	Metadata map[string]any `json:"metadata"`
}

// PagePayload asks the front end to show a page after a cell.
type PagePayload struct {
	Source string         `json:"source"` // "page"
	Data   map[string]any `json:"data"`
	Start  int            `json:"start"` // line at the top
}

// NextInputPayload asks the front end to put text into a new cell, or into this one.
type NextInputPayload struct {
	Source  string `json:"source"` // "set_next_input"
	Text    string `json:"text"`
	Replace bool   `json:"replace"`
}

// ExitPayload asks the front end to end, and the kernel with it.
type ExitPayload struct {
	Source     string `json:"source"` // "ask_exit"
	KeepKernel bool   `json:"keepkernel"`
}

// ExecuteInput tells all clients what is being run.
type ExecuteInput struct {
	Code           string `json:"code"`
	ExecutionCount int    `json:"execution_count"`
}

// ExecuteResult is the value of a cell.
type ExecuteResult struct {
	ExecutionCount int            `json:"execution_count"`
	Data           map[string]any `json:"data"`
	Metadata       map[string]any `json:"metadata"`
}

// DisplayData shows a bundle, or with the type update_display_data replaces one.
type DisplayData struct {
	Data      map[string]any `json:"data"`
	Metadata  map[string]any `json:"metadata"`
	Transient Transient      `json:"transient"`
}

// Transient is what belongs to a display but not into the notebook file.
type Transient struct {
	DisplayID string `json:"display_id,omitempty"`
}

// Stream is text printed by a cell.
type Stream struct {
	Name string `json:"name"` // "stdout" or "stderr"
	Text string `json:"text"`
}

// ClearOutput removes what a cell has shown.
type ClearOutput struct {
	Wait bool `json:"wait"`
}

// Status says whether the kernel works on a request.
type Status struct {
	ExecutionState string `json:"execution_state"` // "starting", "busy" or "idle"
}

// CompleteReply lists completions. Start and End are code points.
type CompleteReply struct {
	Status      string         `json:"status"`
	Matches     []string       `json:"matches"`
	CursorStart int            `json:"cursor_start"`
	CursorEnd   int            `json:"cursor_end"`
	Metadata    map[string]any `json:"metadata"`
}

// TypedMatch is a completion with what JupyterLab shows beside it.
type TypedMatch struct {
	Start     int    `json:"start"`
	End       int    `json:"end"`
	Text      string `json:"text"`
	Type      string `json:"type"`
	Signature string `json:"signature"`
}

// InspectReply describes a name.
type InspectReply struct {
	Status   string         `json:"status"`
	Found    bool           `json:"found"`
	Data     map[string]any `json:"data"`
	Metadata map[string]any `json:"metadata"`
}

// IsCompleteReply says whether code may be executed as it stands.
type IsCompleteReply struct {
	Status string  `json:"status"`           // "complete", "incomplete", "invalid" or "unknown"
	Indent *string `json:"indent,omitempty"` // of the next line; only when incomplete
}

// HistoryReply lists cells as [session, line, input] or [session, line, [input, output]].
type HistoryReply struct {
	Status  string  `json:"status"`
	History [][]any `json:"history"`
}

// CommInfo names the target of an open comm.
type CommInfo struct {
	TargetName string `json:"target_name"`
}

// CommInfoReply lists the open comms by id.
type CommInfoReply struct {
	Status string              `json:"status"`
	Comms  map[string]CommInfo `json:"comms"`
}

// ConnectReply lists the ports.
type ConnectReply struct {
	Status  string `json:"status"`
	Shell   int    `json:"shell_port"`
	IOPub   int    `json:"iopub_port"`
	Stdin   int    `json:"stdin_port"`
	HB      int    `json:"hb_port"`
	Control int    `json:"control_port"`
}

// ShutdownReply is the last word of a kernel.
type ShutdownReply struct {
	Status  string `json:"status"`
	Restart bool   `json:"restart"`
}

// InputRequest asks the user for a line.
type InputRequest struct {
	Prompt   string `json:"prompt"`
	Password bool   `json:"password"`
}

// Welcome greets a new subscriber of iopub (JEP 65).
type Welcome struct {
	Subscription string `json:"subscription"`
}

// DebugReply is a response of the Debug Adapter Protocol.
type DebugReply struct {
	Type       string `json:"type"` // "response"
	Seq        int    `json:"seq"`
	RequestSeq int    `json:"request_seq"`
	Success    bool   `json:"success"`
	Command    string `json:"command"`
	Message    string `json:"message,omitempty"`
	Body       any    `json:"body"`
}

// SubshellListReply answers list_subshell_request.
type SubshellListReply struct {
	Status      string   `json:"status"`
	SubshellIDs []string `json:"subshell_id"`
}

// UsageReply is what the process and the machine use (an extension of ipykernel's).
type UsageReply struct {
	Hostname          string         `json:"hostname"`
	PID               int            `json:"pid"`
	KernelCPU         float64        `json:"kernel_cpu"`    // percent of one CPU since the last request
	KernelMemory      uint64         `json:"kernel_memory"` // bytes resident
	CPUCount          int            `json:"cpu_count"`
	HostCPUPercent    float64        `json:"host_cpu_percent"`
	HostVirtualMemory map[string]any `json:"host_virtual_memory"`
}
