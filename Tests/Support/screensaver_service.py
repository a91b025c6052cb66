#!/usr/bin/env python3
"""A desktop's screen saver that tells who keeps it away, a JSON object a line. Needs a session bus."""

import json
import dbus, dbus.service, dbus.mainloop.glib
from gi.repository import GLib

NAME = "org.freedesktop.ScreenSaver"

def tell(event, **fields):
    print(json.dumps(dict(fields, event=event)), flush=True)

class ScreenSaver(dbus.service.Object):
    def __init__(self, bus):
        dbus.service.Object.__init__(self, bus, "/org/freedesktop/ScreenSaver")
        self.last, self.holders = 0, {}

    @dbus.service.method(NAME, in_signature="ss", out_signature="u", sender_keyword="sender")
    def Inhibit(self, application, reason, sender=None):
        self.last += 1
        self.holders[self.last] = sender
        tell("inhibit", cookie=self.last, application=str(application), reason=str(reason))
        return dbus.UInt32(self.last)

    @dbus.service.method(NAME, in_signature="u")
    def UnInhibit(self, cookie):
        self.holders.pop(int(cookie), None)
        tell("release", cookie=int(cookie))

    def gone(self, name, old, new):
        for cookie in [cookie for cookie, holder in self.holders.items() if holder == name and not new]:
            self.UnInhibit(cookie)

dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
saver = ScreenSaver(bus)
name = dbus.service.BusName(NAME, bus)
bus.add_signal_receiver(saver.gone, "NameOwnerChanged", "org.freedesktop.DBus")
tell("ready")
GLib.MainLoop().run()
