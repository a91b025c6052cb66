"""Baton from Python: the current activity, offers, continuing, and key-value stores.

The messages are generated from Protocol/ (see generate); everything else speaks the Connect protocol over the daemon's socket.
"""

from .handoff import App
from .connect import BatonError, Connection
from .daemon import Daemon
from .values import from_wire, to_wire

__all__ = ["App", "BatonError", "Connection", "Daemon", "from_wire", "to_wire"]
