"""A program with a current activity, which other devices may continue, and which continues theirs."""

import base64
import os
import threading

from baton.app.v1 import app_pb2 as app
from baton.value.v1 import value_pb2

from .connect import BatonError, Connection
from .values import from_wire, to_wire

_PACKAGE = "baton.app.v1."


class App:
    """A program in development, by its bundle identifier.

    `continue_activity(type, title, user_info, page)` is called for an activity of another device, on the thread that serves the
    daemon; it returns whether it continued it.
    """

    def __init__(self, bundle_id, activity_types=(), continue_activity=None, connection=None):
        self.connection = (connection or Connection()).calling_as(bundle_id)
        self._continue = continue_activity
        self._payloads = {}
        self._lock = threading.Lock()
        request = app.AttachRequest(
            activity_types=activity_types,
            display_name=bundle_id.rsplit(".", 1)[-1],
            can_continue=continue_activity is not None,
        )
        self._commands = self.connection.stream(_PACKAGE + "AttachmentService/Attach", request, app.AppCommand)
        self.session_id = next(self._commands).attached.session_id
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def become_current(self, activity_type, title=None, user_info=None, page=None):
        """Offers an activity to the account's other devices, and returns its identifier."""
        description = value_pb2.ActivityDescription(
            activity_id=base64.b32encode(os.urandom(16)).decode().rstrip("="),
            activity_type=activity_type,
            eligible_for_handoff=True,
        )
        if title is not None:
            description.title = title
        if page is not None:
            description.webpage_url = page
        payload = value_pb2.ActivityPayload(description=description, user_info=to_wire(user_info or {}))
        with self._lock:
            self._payloads[description.activity_id] = payload
        request = app.UpdateActivityRequest(session_id=self.session_id, activity=description, make_current=True)
        self.connection.unary(_PACKAGE + "ActivityService/UpdateActivity", request, app.UpdateActivityResponse)
        return description.activity_id

    def invalidate(self, activity_id):
        """Offers the activity no longer."""
        with self._lock:
            self._payloads.pop(activity_id, None)
        request = app.InvalidateActivityRequest(session_id=self.session_id, activity_id=activity_id)
        self.connection.unary(_PACKAGE + "ActivityService/InvalidateActivity", request, app.InvalidateActivityResponse)

    def wait(self):
        """Returns when the daemon has gone."""
        self._thread.join()

    def _serve(self):
        try:
            for command in self._commands:
                if command.command_id:
                    answer = self._answer(command)
                    answer.session_id = self.session_id
                    answer.command_id = command.command_id
                    self.connection.unary(_PACKAGE + "AttachmentService/CompleteCommand", answer, app.CompleteCommandResponse)
        except BatonError:
            pass

    def _answer(self, command):
        answer = app.CompleteCommandRequest()
        kind = command.WhichOneof("kind")
        if kind == "save_activity":
            with self._lock:
                payload = self._payloads.get(command.save_activity.activity_id)
            if payload is None:
                answer.error.code = 4608
                answer.error.message = "The activity has ended."
            else:
                answer.payload.CopyFrom(payload)
        elif kind == "will_continue":
            answer.will_continue.implemented = False
        elif kind == "continue_activity":
            answer.continued.handled = self._handled(command.continue_activity.payload)
        elif kind == "did_fail":
            answer.did_fail.implemented = False
        elif kind in ("was_continued", "protected_data"):
            answer.done.SetInParent()
        else:
            answer.error.code = 4608
            answer.error.message = "This program does not do what was asked of it."
        return answer

    def _handled(self, payload):
        if self._continue is None:
            return False
        description = payload.description
        return bool(
            self._continue(
                description.activity_type,
                description.title if description.HasField("title") else None,
                from_wire(payload.user_info),
                description.webpage_url if description.HasField("webpage_url") else None,
            )
        )
