package kernel

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

// ErrNoInput is returned by Output.Input where nobody can answer: the client does not take
// input, or the cell has ended.
var ErrNoInput = errors.New("no input can be read here: the front end does not answer prompts")

// stdinGrace is how long a client that takes input may need to connect for it.
const stdinGrace = 2 * time.Second

// input asks the client that sent r for a line. It returns the cause of ctx when that ends.
func (s *Server) input(ctx context.Context, r *request, allowed bool, prompt string, password bool) (string, error) {
	if !allowed || len(r.message.Identities) == 0 {
		return "", ErrNoInput
	}
	select {
	case s.asking <- struct{}{}:
		defer func() { <-s.asking }()
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	if err := s.awaitStdin(ctx, r.message.Identities[0]); err != nil {
		return "", err
	}
	s.forgetAnswers()
	question := wire.Message{Header: s.header("input_request"), Identities: r.message.Identities, Parent: r.message.RawHeader}
	frames, err := s.frames(question, "input_request", wire.InputRequest{Prompt: prompt, Password: password})
	if err != nil {
		return "", err
	}
	s.stdin.outbox.put(frames, false)
	for {
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case answer := <-s.answers:
			if !isAnswer(answer, question) {
				continue
			}
			content, err := wire.Decode[wire.InputReply](answer.Content)
			return content.Value, err
		}
	}
}

// awaitStdin waits until the client is connected to the stdin socket.
func (s *Server) awaitStdin(ctx context.Context, identity []byte) error {
	for began := time.Now(); !s.stdin.listener.has(identity); {
		if time.Since(began) > stdinGrace {
			return ErrNoInput
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(10 * time.Millisecond):
		}
	}
	return nil
}

// forgetAnswers drops answers to earlier prompts.
func (s *Server) forgetAnswers() {
	for {
		select {
		case <-s.answers:
		default:
			return
		}
	}
}

// isAnswer reports whether an answer comes from the client that was asked, and is not the
// answer to another question. Some clients do not say which question they answer.
func isAnswer(answer, question wire.Message) bool {
	if len(answer.Identities) == 0 || !bytes.Equal(answer.Identities[0], question.Identities[0]) {
		return false
	}
	var parent wire.Header
	if err := json.Unmarshal(answer.Parent, &parent); err != nil || parent.MsgType != "input_request" {
		return true
	}
	return parent.MsgID == question.Header.MsgID
}

// dispatchStdin keeps the answers of users for the cell that waits for them.
func (s *Server) dispatchStdin(r *request) {
	if r.message.Header.MsgType != "input_reply" {
		s.log.Info("a message of unknown type was ignored", "socket", "stdin", "type", r.message.Header.MsgType)
		return
	}
	select {
	case s.answers <- r.message:
	default:
		s.log.Info("an answer was dropped: nothing was asked")
	}
}
