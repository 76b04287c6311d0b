package kernel

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

// abortGrace is how long no further cell must have come in before the cells behind a failed
// one are aborted, and abortLimit how long that may take. A front end sends all cells of
// "Run all" at once, and a cell may fail before the next one has been read. The error is
// published after that, so a cell that a user runs because of it is not among them.
const (
	abortGrace = 30 * time.Millisecond
	abortLimit = 500 * time.Millisecond
)

// execute runs a cell.
func (s *Server) execute(r *request) any {
	content, err := wire.Decode[wire.ExecuteRequest](r.message.Content)
	if err != nil {
		return wire.ExecuteErrorReply{ErrorReply: invalid(r, err), ExecutionCount: s.currentCount()}
	}
	if content.Silent {
		content.StoreHistory = false
	}
	r.metadata = map[string]any{"started": isoDate(time.Now())}
	ctx, cancel := context.WithCancelCause(context.Background())
	attended, leave := context.WithCancel(ctx) // the user is there to answer until the cell ends
	defer leave()
	out := newOutput(attended, r, content.Silent, content.AllowStdin)
	cell, count := s.begin(r, content, &runningCell{cancel: cancel, out: out, ended: make(chan struct{})})
	defer s.finish()
	if !content.Silent {
		s.publish(r, "execute_input", wire.ExecuteInput{Code: content.Code, ExecutionCount: count}, false)
	}
	outcome := s.runCell(ctx, cell, out)
	out.flush()
	if outcome.Failure == nil {
		return s.succeeded(ctx, r, content, count, out, outcome.Result)
	}
	return s.failed(r, content, count, outcome.Failure)
}

// runningCell is the cell that runs.
type runningCell struct {
	cancel context.CancelCauseFunc
	out    *output
	ended  chan struct{} // closed when it has ended
}

// begin counts a cell. It returns the cell as the engine sees it, and the number that clients
// are told.
func (s *Server) begin(r *request, content wire.ExecuteRequest, running *runningCell) (display.Cell, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := s.count + 1
	if content.StoreHistory {
		s.count = next
		s.history.add(next, content.Code)
		r.after = s.history.save
	}
	s.parent = r
	s.running = running
	if r.received.Before(s.interrupted) { // the interrupt came between two cells
		running.cancel(ErrInterrupted)
	}
	return display.Cell{Count: next, Source: content.Code, Silent: content.Silent}, s.count
}

// finish forgets the cell that ran. Its context lives on with the goroutines it left behind.
func (s *Server) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.running.ended)
	s.running = nil
}

// cancelCell ends the context of the cell that runs, and returns the cell, or nil for none.
func (s *Server) cancelCell(cause error) *runningCell {
	s.mu.Lock()
	cell := s.running
	s.mu.Unlock()
	if cell != nil {
		cell.cancel(cause)
	}
	return cell
}

func (s *Server) currentCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}

// runCell runs a cell on the engine. A panic of the engine is a failure of the cell.
func (s *Server) runCell(ctx context.Context, cell display.Cell, out display.Output) (outcome display.Outcome) {
	defer func() {
		if fault := recover(); fault != nil {
			s.log.Error("the engine failed", "cell", cell.Name(), "panic", fault, "stack", string(debug.Stack()))
			outcome = display.Outcome{Failure: &display.Failure{
				Name:    "InternalError",
				Message: fmt.Sprintf("%v; this is a fault of the kernel and not of the cell", fault),
			}}
		}
	}()
	if ctx.Err() != nil {
		cause := context.Cause(ctx)
		return display.Outcome{Failure: &display.Failure{Name: "Interrupted", Message: cause.Error()}}
	}
	return s.engine.Execute(ctx, cell, out)
}

// succeeded publishes the value of a cell and returns the reply.
func (s *Server) succeeded(ctx context.Context, r *request, content wire.ExecuteRequest, count int, out *output, result *display.Bundle) any {
	if result != nil && !content.Silent {
		data, metadata := s.encodeBundle(*result)
		s.publish(r, "execute_result", wire.ExecuteResult{ExecutionCount: count, Data: data, Metadata: metadata}, true)
		if content.StoreHistory {
			text, _ := data["text/plain"].(string)
			s.history.setOutput(count, text)
		}
	}
	expressions := map[string]any{}
	for name, expression := range content.UserExpressions {
		expressions[name] = s.evaluate(ctx, expression)
	}
	out.flush()
	s.iopub.flush(flushGrace)
	return wire.ExecuteReply{
		Status:          "ok",
		ExecutionCount:  count,
		UserExpressions: expressions,
		Payload:         out.takePayload(),
	}
}

// evaluate returns the value of a user expression, or its error: one that fails does not fail
// the cell.
func (s *Server) evaluate(ctx context.Context, expression string) (value any) {
	defer func() {
		if fault := recover(); fault != nil {
			s.log.Error("a user expression failed", "panic", fault, "stack", string(debug.Stack()))
			value = errorReply("InternalError", fmt.Sprint(fault))
		}
	}()
	evaluator, ok := s.engine.(Evaluator)
	if !ok {
		return errorReply("NotSupported", "this kernel does not evaluate user expressions")
	}
	bundle, failure := evaluator.Evaluate(ctx, expression)
	if failure != nil {
		return failureReply(failure)
	}
	data, metadata := s.encodeBundle(bundle)
	return wire.ExpressionValue{Status: "ok", Data: data, Metadata: metadata}
}

// failed publishes the error of a cell, lets the cells behind it be aborted, and returns the
// reply.
func (s *Server) failed(r *request, content wire.ExecuteRequest, count int, failure *display.Failure) any {
	if content.StopOnError && !content.Silent {
		aborted := s.awaitQueue()
		saved := r.after
		r.after = func() {
			for _, later := range aborted {
				s.abort(later)
			}
			if saved != nil {
				saved()
			}
		}
	}
	reply := failureReply(failure)
	if !content.Silent {
		s.publish(r, "error", wire.Error{Name: reply.Name, Value: reply.Value, Traceback: reply.Traceback}, false)
	}
	s.iopub.flush(flushGrace)
	return wire.ExecuteErrorReply{ErrorReply: reply, ExecutionCount: count}
}

// awaitQueue waits for cells that are still coming in, and takes all off the queue.
func (s *Server) awaitQueue() []*request {
	var row []*request
	for began := time.Now(); time.Since(began) < abortLimit; {
		time.Sleep(abortGrace)
		more := s.lanes[executeLane].removeAll()
		row = append(row, more...)
		if len(more) == 0 {
			break
		}
	}
	return row
}

// abort answers an execute_request that is not run.
func (s *Server) abort(r *request) {
	s.answer(r, func(*Server, *request) any {
		return wire.AbortedReply{Status: "aborted", Name: "Aborted", Value: "not run: a cell before it failed", Traceback: []string{}}
	})
}

// failureReply is the content of the reply for a failure.
func failureReply(failure *display.Failure) wire.ErrorReply {
	name, traceback := failure.Name, failure.Traceback
	if name == "" {
		name = "Error"
	}
	if len(traceback) == 0 {
		traceback = []string{name + ": " + failure.Message}
	}
	return wire.ErrorReply{Status: "error", Name: name, Value: failure.Message, Traceback: traceback}
}
