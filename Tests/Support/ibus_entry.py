#!/usr/bin/env python3
"""A window of GTK 3 with fields, and the panel of IBus: prints what is in the fields, and what would be shown.

Standard input names the field that gets the focus: "text", "password", "pin", or "bare", which does not say what is before the
cursor, as fields of many programs. Needs Debian's python3-gi, gir1.2-gtk-3.0,
gir1.2-ibus-1.0, ibus-gtk3, and an ibus-daemon without a panel of its own.
"""

import sys
import threading

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
gi.require_version("IBus", "1.0")
from gi.repository import Gdk, GLib, Gtk, IBus  # noqa: E402


def say(*words):
    print(*words, flush=True)


class Panel(IBus.PanelService):
    """Gets what ibus-daemon has for the person's eyes."""

    def do_update_auxiliary_text(self, text, visible):
        if visible:
            say("shown", text.get_text())

    def do_hide_auxiliary_text(self):
        say("hidden")


class Bare(Gtk.DrawingArea):
    """A field that gets what is committed, and says nothing of what it has."""

    def __init__(self):
        super().__init__(name="bare", can_focus=True, height_request=20)
        self.add_events(Gdk.EventMask.KEY_PRESS_MASK | Gdk.EventMask.KEY_RELEASE_MASK | Gdk.EventMask.FOCUS_CHANGE_MASK)
        self.text = ""
        self.context = Gtk.IMMulticontext()
        self.context.connect("commit", lambda _, text: self.insert(text))
        self.connect("realize", lambda _: self.context.set_client_window(self.get_window()))
        self.connect("focus-in-event", lambda *_: self.context.focus_in())
        self.connect("focus-out-event", lambda *_: self.context.focus_out())
        for signal in ["key-press-event", "key-release-event"]:
            self.connect(signal, lambda _, event: self.context.filter_keypress(event))

    def insert(self, text):
        self.text += text
        say("bare has", self.text)


def main():
    IBus.init()
    bus = IBus.Bus()
    panel = Panel(connection=bus.get_connection(), object_path=IBus.PATH_PANEL)
    bus.request_name(IBus.SERVICE_PANEL, 0)

    window = Gtk.Window(title="Entry")
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    purposes = {"text": "free-form", "password": "password", "pin": "pin"}
    fields = {}
    for name, purpose in purposes.items():
        field = Gtk.Entry(name=name, visibility=name == "text")
        field.set_property("input-purpose", getattr(Gtk.InputPurpose, purpose.replace("-", "_").upper()))
        field.connect("changed", lambda field: say(field.get_name(), "has", field.get_text()))
        fields[name] = field
    fields["bare"] = Bare()
    for field in fields.values():
        field.connect("focus-in-event", lambda field, _: say("focus", field.get_name()))
        box.add(field)
    window.add(box)
    window.connect("destroy", Gtk.main_quit)
    window.show_all()

    def focus(name):
        if name in fields:
            fields[name].grab_focus()

    def listen():
        for line in sys.stdin:
            GLib.idle_add(focus, line.strip())
        GLib.idle_add(Gtk.main_quit)

    threading.Thread(target=listen, daemon=True).start()
    say("ready")
    Gtk.main()
    return panel


main()
