package gram

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Team is goroutines that stay ready for one short piece of shared work after the other: a
// goroutine that is started or woken for each of them would begin when the work is half done.
// A Team is used by one goroutine. Its helpers wait actively for a fraction of a millisecond,
// and then sleep. A nil Team is the caller alone.
type Team struct {
	workers int
	helpers []*helper // from the first task on
	current atomic.Pointer[task]
	closed  atomic.Bool
}

type helper struct {
	asleep atomic.Bool
	wake   chan struct{}
}

// NewTeam makes a team of workers, of which the caller is one; 0: GOMAXPROCS. It must be
// closed.
func NewTeam(workers int) *Team {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return &Team{workers: workers}
}

// Close ends the helpers.
func (t *Team) Close() {
	t.closed.Store(true)
	t.rouse()
}

// Each calls work(i) once for every i in [0, n), concurrently. It returns an error of work, or
// ctx's. A panic of work, which may be a user's kernel, is raised again in the caller.
func (t *Team) Each(ctx context.Context, n int, work func(i int) error) error {
	if t == nil || t.workers <= 1 || n <= 1 {
		return Each(ctx, 1, n, work)
	}
	for len(t.helpers) < t.workers-1 {
		h := &helper{wake: make(chan struct{}, 1)}
		t.helpers = append(t.helpers, h)
		go t.help(h)
	}
	k := &task{ctx: ctx, n: int64(n), work: work, left: make(chan struct{}, 1)}
	t.current.Store(k)
	t.rouse()
	k.run()
	k.settle()
	if k.thrown != nil {
		panic(k.thrown)
	}
	if k.failed != nil {
		return k.failed
	}
	return ctx.Err()
}

func (t *Team) rouse() {
	for _, h := range t.helpers {
		if h.asleep.CompareAndSwap(true, false) {
			h.wake <- struct{}{}
		}
	}
}

// patience is how often a goroutine looks for what it waits for before it sleeps.
const patience = 300

// help takes part in every task that it sees.
func (t *Team) help(h *helper) {
	var last *task
	for waited := 0; !t.closed.Load(); waited++ {
		if k := t.current.Load(); k != last {
			last, waited = k, 0
			if k.enter() {
				k.run()
				k.leave()
			}
			continue
		}
		if waited < patience {
			runtime.Gosched()
			continue
		}
		h.asleep.Store(true)
		if (t.current.Load() != last || t.closed.Load()) && h.asleep.CompareAndSwap(true, false) {
			continue
		}
		<-h.wake
		waited = 0
	}
}

// task is one piece of shared work.
type task struct {
	ctx  context.Context
	n    int64
	work func(i int) error
	next atomic.Int64
	// inside is the number of helpers at work, less settled from when none may enter any more.
	inside atomic.Int64
	left   chan struct{} // told when the last helper leaves a settled task

	mutex  sync.Mutex // of the following
	failed error
	thrown any
}

const settled = 1 << 32

func (k *task) enter() bool {
	if k.inside.Add(1) > 0 {
		return true
	}
	k.leave()
	return false
}

func (k *task) leave() {
	if k.inside.Add(-1) == -settled {
		select {
		case k.left <- struct{}{}:
		default:
		}
	}
}

// settle waits until no helper is at work. A helper that has not come yet is not waited for.
func (k *task) settle() {
	if k.inside.Add(-settled) == -settled {
		return
	}
	for range patience {
		if k.inside.Load() == -settled {
			return
		}
		runtime.Gosched()
	}
	for k.inside.Load() != -settled {
		<-k.left
	}
}

// run does what is left of the work.
func (k *task) run() {
	defer func() {
		if p := recover(); p != nil {
			k.mutex.Lock()
			defer k.mutex.Unlock()
			k.thrown = p
			k.next.Store(k.n)
		}
	}()
	for k.ctx.Err() == nil {
		i := k.next.Add(1) - 1
		if i >= k.n {
			return
		}
		if err := k.work(int(i)); err != nil {
			k.mutex.Lock()
			defer k.mutex.Unlock()
			k.failed = err
			k.next.Store(k.n)
			return
		}
	}
}
