package kernel

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

// debugRequest answers the requests of the Debug Adapter Protocol that work without stopping
// a cell: enough for JupyterLab's variable panel. There are no breakpoints.
func (s *Server) debugRequest(r *request) any {
	content, err := wire.Decode[wire.DebugRequest](r.message.Content)
	if err != nil {
		return invalid(r, err)
	}
	reply := wire.DebugReply{Type: "response", Seq: content.Seq, RequestSeq: content.Seq, Success: true, Command: content.Command, Body: map[string]any{}}
	inspector, ok := s.engine.(Inspector)
	if !ok {
		reply.Success, reply.Message = false, "this kernel does not list variables"
		return reply
	}
	body, err := s.debugBody(inspector, content)
	if err != nil {
		reply.Success, reply.Message = false, err.Error()
		return reply
	}
	reply.Body = body
	return reply
}

// debugBody returns the answer to one command.
func (s *Server) debugBody(inspector Inspector, request wire.DebugRequest) (any, error) {
	switch request.Command {
	case "initialize":
		s.mu.Lock()
		s.debugging = true
		s.mu.Unlock()
		return map[string]any{"supportsConfigurationDoneRequest": true}, nil
	case "attach", "configurationDone", "setExceptionBreakpoints":
		return map[string]any{}, nil
	case "disconnect", "terminate":
		s.mu.Lock()
		s.debugging = false
		s.mu.Unlock()
		return map[string]any{}, nil
	case "debugInfo":
		return s.debugInfo(), nil
	case "inspectVariables":
		return map[string]any{"variables": debugVariables(inspector)}, nil
	case "richInspectVariables":
		return s.richVariable(inspector, request.Arguments)
	case "threads":
		return map[string]any{"threads": []any{}}, nil
	case "setBreakpoints":
		return map[string]any{"breakpoints": []any{}}, nil
	case "dumpCell":
		return map[string]any{"sourcePath": ""}, nil
	}
	return nil, fmt.Errorf("the command %q is not supported", request.Command)
}

// debugInfo says that nothing is stopped.
func (s *Server) debugInfo() map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return map[string]any{
		"isStarted":      s.debugging,
		"hashMethod":     "Murmur2",
		"hashSeed":       0,
		"tmpFilePrefix":  "",
		"tmpFileSuffix":  ".go",
		"breakpoints":    []any{},
		"stoppedThreads": []any{},
		"richRendering":  true,
		"exceptionPaths": []any{},
		"copyToGlobals":  false,
	}
}

// debugVariables returns the variables as JupyterLab's panel wants them. In a variable that
// has a type the panel shows the type in place of the value, but for the types of Python that
// it knows. Those with the same name in Go keep it; of the others the type stands in the value.
func debugVariables(inspector Inspector) []map[string]any {
	rows := []map[string]any{}
	for _, v := range inspector.Variables() {
		row := map[string]any{"name": v.Name, "value": v.Value, "evaluateName": v.Name, "variablesReference": 0}
		if v.Type == "int" || v.Type == "bool" {
			row["type"] = v.Type
		} else if v.Type != "" {
			row["value"] = v.Value + " (" + v.Type + ")"
		}
		rows = append(rows, row)
	}
	return rows
}

// richVariable returns one variable as a bundle.
func (s *Server) richVariable(inspector Inspector, arguments json.RawMessage) (any, error) {
	var a struct {
		VariableName string `json:"variableName"`
	}
	if err := json.Unmarshal(arguments, &a); err != nil {
		return nil, fmt.Errorf("the arguments of richInspectVariables: %w", err)
	}
	bundle, found := inspector.RichVariable(strings.TrimSpace(a.VariableName))
	if !found {
		return nil, fmt.Errorf("there is no variable %q", a.VariableName)
	}
	data, metadata := s.encodeBundle(bundle)
	return map[string]any{"data": data, "metadata": metadata}, nil
}
