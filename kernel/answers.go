package kernel

import (
	"runtime"
	"strings"
	"unicode/utf8"

	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

// goLanguage describes cells in Go.
func goLanguage() wire.LanguageInfo {
	return wire.LanguageInfo{
		Name:              "go",
		Version:           strings.TrimPrefix(runtime.Version(), "go"),
		MIMEType:          "text/x-go",
		FileExtension:     ".go",
		PygmentsLexer:     "go",
		CodemirrorMode:    "go",
		NbconvertExporter: "script",
	}
}

// kernelInfo answers kernel_info_request.
func (s *Server) kernelInfo(*request) any {
	_, inspector := s.engine.(Inspector)
	features := []string{}
	if inspector {
		features = append(features, "debugger")
	}
	links := s.options.HelpLinks
	if links == nil {
		links = []wire.HelpLink{}
	}
	return wire.KernelInfoReply{
		Status:                "ok",
		ProtocolVersion:       wire.ProtocolVersion,
		Implementation:        s.options.Implementation,
		ImplementationVersion: s.options.Version,
		LanguageInfo:          s.options.Language,
		Banner:                s.options.Banner,
		Debugger:              inspector,
		HelpLinks:             links,
		SupportedFeatures:     features,
	}
}

// connect answers connect_request.
func (s *Server) connect(*request) any {
	c := s.connection
	return wire.ConnectReply{Status: "ok", Shell: c.ShellPort, IOPub: c.IOPubPort, Stdin: c.StdinPort, HB: c.HeartbeatPort, Control: c.ControlPort}
}

// refuseSubshell answers the requests of JEP 91 that need a second shell. There is none, and
// kernel_info does not offer one: an Engine runs one cell at a time. What else a subshell is
// used for, completion, inspection and the messages of widgets, is answered while a cell runs.
func (s *Server) refuseSubshell(*request) any {
	return errorReply("NotSupported", "this kernel has no subshells: it runs one cell at a time, and answers everything else meanwhile")
}

// listSubshells answers list_subshell_request.
func (s *Server) listSubshells(*request) any {
	return wire.SubshellListReply{Status: "ok", SubshellIDs: []string{}}
}

// interruptRequest answers interrupt_request.
func (s *Server) interruptRequest(*request) any {
	s.Interrupt()
	return wire.StatusReply{Status: "ok"}
}

// shutdown answers shutdown_request, tells all clients, and then ends Serve.
func (s *Server) shutdown(r *request) any {
	content, err := wire.Decode[wire.ShutdownRequest](r.message.Content)
	if err != nil {
		s.log.Info("a shutdown_request had a strange content", "error", err)
	}
	reply := wire.ShutdownReply{Status: "ok", Restart: content.Restart}
	s.publish(r, "shutdown_reply", reply, false)
	r.after = s.Stop
	return reply
}

// complete answers complete_request.
func (s *Server) complete(r *request) any {
	content, err := wire.Decode[wire.CompleteRequest](r.message.Content)
	if err != nil {
		return invalid(r, err)
	}
	cursor := clampCursor(content.Code, content.CursorPos)
	found := s.engine.Complete(content.Code, cursor)
	matches := make([]string, len(found.Matches))
	typed := make([]wire.TypedMatch, len(found.Matches))
	for i, match := range found.Matches {
		matches[i] = match.Text
		typed[i] = wire.TypedMatch{Start: found.Start, End: found.End, Text: match.Text, Type: match.Kind, Signature: match.Signature}
	}
	if len(matches) == 0 && found.Start == 0 && found.End == 0 {
		found.Start, found.End = cursor, cursor
	}
	return wire.CompleteReply{
		Status:      "ok",
		Matches:     matches,
		CursorStart: found.Start,
		CursorEnd:   found.End,
		Metadata:    map[string]any{"_jupyter_types_experimental": typed},
	}
}

// inspect answers inspect_request.
func (s *Server) inspect(r *request) any {
	content, err := wire.Decode[wire.InspectRequest](r.message.Content)
	if err != nil {
		return invalid(r, err)
	}
	reply := wire.InspectReply{Status: "ok", Data: map[string]any{}, Metadata: map[string]any{}}
	bundle, found := s.engine.Inspect(content.Code, clampCursor(content.Code, content.CursorPos), content.DetailLevel)
	if found {
		reply.Found = true
		reply.Data, reply.Metadata = s.encodeBundle(bundle)
	}
	return reply
}

// clampCursor returns a cursor inside code; one that is missing stands at the end.
func clampCursor(code string, cursor int) int {
	end := utf8.RuneCountInString(code)
	if cursor < 0 || cursor > end {
		return end
	}
	return cursor
}

// isComplete answers is_complete_request.
func (s *Server) isComplete(r *request) any {
	content, err := wire.Decode[wire.IsCompleteRequest](r.message.Content)
	if err != nil {
		return invalid(r, err)
	}
	status, indent := s.engine.Completeness(content.Code)
	reply := wire.IsCompleteReply{Status: status}
	if status == "incomplete" {
		reply.Indent = &indent
	}
	return reply
}

// usageRequest answers usage_request.
func (s *Server) usageRequest(*request) any { return s.usage.measure() }

// commInfo answers comm_info_request.
func (s *Server) commInfo(r *request) any {
	content, err := wire.Decode[wire.CommInfoRequest](r.message.Content)
	if err != nil {
		return invalid(r, err)
	}
	return wire.CommInfoReply{Status: "ok", Comms: s.comms.list(content.TargetName)}
}

// historyRequest answers history_request.
func (s *Server) historyRequest(r *request) any {
	content, err := wire.Decode[wire.HistoryRequest](r.message.Content)
	if err != nil {
		return invalid(r, err)
	}
	cells, err := s.history.find(content)
	if err != nil {
		return invalid(r, err)
	}
	return wire.HistoryReply{Status: "ok", History: cells}
}
