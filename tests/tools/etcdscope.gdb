# gdb -x tools/etcdscope.gdb build/etcdscope (or: make gdb): the things one looks at most, in a line each.
set print pretty on
set breakpoint pending on
break die_at

python
import gdb

def text(b):
    if int(b['p']) == 0 or int(b['n']) == 0:
        return ''
    return bytes(gdb.selected_inferior().read_memory(int(b['p']), min(int(b['n']), 60))).decode('utf-8', 'replace')

class Bytes:
    def __init__(self, v): self.v = v
    def to_string(self): return '"%s" (%d)' % (text(self.v), int(self.v['n']))

class Buf(Bytes):
    pass

class Revision:
    def __init__(self, v): self.v = v
    def to_string(self): return '(%d,%d)' % (int(self.v['main']), int(self.v['sub']))

class Entry:
    def __init__(self, v): self.v = v
    def to_string(self): return 'entry %d of term %d' % (int(self.v['index']), int(self.v['term']))

class Message:
    def __init__(self, v): self.v = v
    def to_string(self):
        return '%s %x -> %x term %d index %d commit %d' % (self.v['type'], int(self.v['from']), int(self.v['to']),
            int(self.v['term']), int(self.v['index']), int(self.v['commit']))

class World:
    def __init__(self, v): self.v = v
    def to_string(self):
        v = self.v
        return 'world at %d ms, event %d, %d members, %d messages under way' % (int(v['now_ms']), int(v['events']),
            int(v['nmembers']), int(v['net']['n']) - int(v['net_head']))

printers = {'bytes': Bytes, 'buf': Buf, 'revision': Revision, 'entry': Entry, 'message': Message, 'world': World}

def look_up(value):
    kind = printers.get(value.type.unqualified().strip_typedefs().tag)
    return kind(value) if kind else None

gdb.pretty_printers.append(look_up)
end
