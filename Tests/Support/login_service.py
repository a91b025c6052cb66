#!/usr/bin/env python3
"""Stands for logind on a bus of a test: one session of the person who runs it, and one of somebody else.

Standard input: `lock`, `unlock` (the signals), `hint yes`, `hint no` (the desktop's word), each for the person's session, or
with ` other` for the other one or ` NAME` for one of those; `impostor` (the signal from another connection); `new`, `end` (another session of the person).
LoginService of BatonTestSupport runs it.
"""

import os
import dbus, dbus.lowlevel, dbus.service, dbus.mainloop.glib
from gi.repository import GLib

NAME, PATH = "org.freedesktop.login1", "/org/freedesktop/login1"
SESSION, MANAGER = NAME + ".Session", NAME + ".Manager"
PROPERTIES = "org.freedesktop.DBus.Properties"

def tell(text):
    print(text, flush=True)

class Session(dbus.service.Object):
    def __init__(self, bus, name, user):
        self.path = PATH + "/session/" + name
        dbus.service.Object.__init__(self, bus, self.path)
        self.name, self.user, self.hint = name, user, False

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        assert (interface, name) == (SESSION, "LockedHint")
        return dbus.Boolean(self.hint, variant_level=1)

    @dbus.service.signal(PROPERTIES, signature="sa{sv}as")
    def PropertiesChanged(self, interface, changed, invalidated):
        pass

    @dbus.service.signal(SESSION)
    def Lock(self):
        pass

    @dbus.service.signal(SESSION)
    def Unlock(self):
        pass

    def set(self, hint):
        self.hint = hint
        self.PropertiesChanged(SESSION, {"LockedHint": dbus.Boolean(hint)}, dbus.Array([], signature="s"))

class Manager(dbus.service.Object):
    def __init__(self, bus, sessions):
        dbus.service.Object.__init__(self, bus, PATH)
        self.sessions = sessions

    @dbus.service.method(MANAGER, out_signature="a(susso)")
    def ListSessions(self):
        tell("listed")
        return [(s.name, dbus.UInt32(s.user), "name", "seat0", dbus.ObjectPath(s.path)) for s in self.sessions]

    @dbus.service.signal(MANAGER, signature="so")
    def SessionNew(self, name, path):
        pass

    @dbus.service.signal(MANAGER, signature="so")
    def SessionRemoved(self, name, path):
        pass

dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
address = os.environ["DBUS_SYSTEM_BUS_ADDRESS"]
bus = dbus.bus.BusConnection(address)
own, other = Session(bus, "_31", os.getuid()), Session(bus, "_32", os.getuid() + 1)
manager = Manager(bus, [own, other])
name = dbus.service.BusName(NAME, bus)
loop = GLib.MainLoop()

def perform(words):
    named = [s for s in manager.sessions if s.name == words[-1]]
    session = named[0] if named else other if words[-1] == "other" else own
    if words[0] == "lock":
        session.Lock()
    elif words[0] == "unlock":
        session.Unlock()
    elif words[0] == "hint":
        session.set(words[1] == "yes")
    elif words[0] == "impostor":
        for member in ("Lock", "Unlock"):
            stranger = dbus.bus.BusConnection(address)
            message = dbus.lowlevel.SignalMessage(own.path, SESSION, member)
            message.set_destination(words[1])
            stranger.send_message(message)
            stranger.flush()
            stranger.close()
    elif words[0] == "new":
        manager.sessions.append(Session(bus, words[1], os.getuid()))
        manager.SessionNew(words[1], dbus.ObjectPath(manager.sessions[-1].path))
    elif words[0] == "end":
        gone = manager.sessions.pop(0)
        manager.SessionRemoved(gone.name, dbus.ObjectPath(gone.path))

def command(source, condition):
    # Lines are short, so that each is read whole.
    lines = os.read(0, 65536).decode().splitlines()
    if not lines:
        loop.quit()
        return False
    for words in map(str.split, lines):
        perform(words)
        tell("done")
    return True

GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, command)
tell("ready")
loop.run()
