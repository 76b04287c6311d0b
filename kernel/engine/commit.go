package engine

import (
	"strings"
)

func (p *plan) commit(prog *program, r *run) {
	st := &p.engine.state
	replaced := map[string]bool{}
	var added []*decl
	for _, d := range prog.added {
		step, assigned := prog.steps[d.name]
		if d.kind == varItem && assigned && r.step <= step && !p.retyped[d.name] && prog.fresh[d.name] {
			continue // the cell ended before it
		}
		added = append(added, d)
		replaced[d.key()] = true
	}
	var decls []*decl
	for _, d := range st.decls {
		if p.shadows[d.name] != "" && d.kind == typeItem || p.shadows[d.recv] != "" && d.kind == methodItem {
			decls = append(decls, d.shadow(p.shadows))
			continue
		}
		_, imported := p.imports[d.name]
		if replaced[d.key()] || imported && d.kind != methodItem {
			continue
		}
		if d.kind == varItem {
			d = d.shadow(p.shadows)
		}
		decls = append(decls, d)
	}
	st.decls = append(decls, added...)
	p.rebindImports(added)
	st.dropOutdated()
}

func (p *plan) rebindImports(added []*decl) {
	st, lib := &p.engine.state, p.engine.library
	names := map[string]string{}
	before := func(name string) string {
		if path := st.imports[name]; path != "" {
			return path
		}
		return lib.names[name]
	}
	for name, path := range p.imports {
		if old := before(name); old != "" && old != path {
			names[name] = lib.alias(old)
		}
	}
	for _, d := range added {
		if old := before(d.name); old != "" && d.kind != methodItem {
			names[d.name] = lib.alias(old)
		}
	}
	if len(names) > 0 {
		for i, d := range st.decls {
			if len(added) == 0 || i < len(st.decls)-len(added) {
				st.decls[i] = d.shadow(names)
			}
		}
	}
	for name, path := range p.imports {
		st.imports[name] = path
	}
	st.dots = append(st.dots, p.dots...)
}

func (s *state) dropOutdated() {
	live := map[string]bool{}
	for grown := true; grown; {
		grown = false
		for _, d := range s.decls {
			if d.outdated() && !live[d.name] && !live[d.recv] {
				continue
			}
			for _, name := range d.uses {
				if strings.Contains(name, mark) && !live[name] {
					live[name], grown = true, true
				}
			}
		}
	}
	var decls []*decl
	for _, d := range s.decls {
		if !d.outdated() || live[d.name] || live[d.recv] {
			decls = append(decls, d)
		}
	}
	s.decls = decls
}
