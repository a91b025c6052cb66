#!/usr/bin/env python3
"""A notification server that tells what it is told, a JSON object a line, and misbehaves on command.

Arguments: the mode, and the capabilities, separated by commas. Standard input: `invoke ID ACTION`, `close ID REASON`,
`mode MODE`. NotificationServer of BatonTestSupport runs it.
"""

import json, os, sys
import dbus, dbus.service, dbus.mainloop.glib
from gi.repository import GLib

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"

def tell(event, **fields):
    print(json.dumps(dict(fields, event=event)), flush=True)

class Server(dbus.service.Object):
    def __init__(self, bus, mode, capabilities):
        dbus.service.Object.__init__(self, bus, PATH)
        self.mode, self.capabilities, self.last = mode, capabilities, 0

    @dbus.service.method(NAME, out_signature="as")
    def GetCapabilities(self):
        tell("capabilities")
        return dbus.Array(self.capabilities, signature="s")

    @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u", async_callbacks=("ok", "fail"))
    def Notify(self, application, replaces, icon, summary, body, actions, hints, timeout, ok, fail):
        known = self.mode not in ("zero", "huge", "same", "error", "silent", "dying")
        if replaces and known:
            number = int(replaces)
        elif self.mode == "zero":
            number = 0
        elif self.mode == "huge":
            number = 0xFFFFFFFF - self.last
            self.last += 1
        elif self.mode == "same":
            number = 7
        else:
            self.last += 1
            number = self.last
        tell("notify", id=number, replaces=int(replaces), application=application, icon=icon, summary=summary,
             body=body, actions=list(actions), hints={str(k): str(v if isinstance(v, str) else int(v)) for k, v in hints.items()},
             timeout=int(timeout))
        if self.mode == "dying":
            os._exit(1)
        elif self.mode == "error":
            fail(dbus.DBusException("no", name="org.example.Refused"))
        elif self.mode != "silent":
            if self.mode == "closing":
                self.NotificationClosed(number, 2)
            ok(dbus.UInt32(number))

    @dbus.service.method(NAME, in_signature="u")
    def CloseNotification(self, number):
        tell("close", id=int(number))
        self.NotificationClosed(number, 3)

    @dbus.service.signal(NAME, signature="uu")
    def NotificationClosed(self, number, reason):
        pass

    @dbus.service.signal(NAME, signature="us")
    def ActionInvoked(self, number, action):
        pass

dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
server = Server(bus, sys.argv[1], [c for c in sys.argv[2].split(",") if c])
name = dbus.service.BusName(NAME, bus)
loop = GLib.MainLoop()

def command(source, condition):
    # Lines are short, so that each is read whole.
    lines = os.read(0, 65536).decode().splitlines()
    if not lines:
        loop.quit()
        return False
    for words in map(str.split, lines):
        if words[0] == "invoke":
            server.ActionInvoked(dbus.UInt32(int(words[1])), words[2])
        elif words[0] == "close":
            server.NotificationClosed(dbus.UInt32(int(words[1])), dbus.UInt32(int(words[2])))
        elif words[0] == "mode":
            server.mode = words[1] if len(words) > 1 else ""
        tell("done")
    return True

GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, command)
tell("ready")
loop.run()
