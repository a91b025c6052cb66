"""What a person may ask of the daemon: offers, continuing, key-value stores. Installed apps may not."""

from baton.control.v1 import control_pb2 as control

from .connect import Connection
from .values import from_wire, to_wire

_SERVICE = "baton.control.v1.ControlService/"


class Daemon:
    """The person's daemon."""

    def __init__(self, connection=None):
        self.connection = connection or Connection()

    def _call(self, method, request, answer):
        return self.connection.unary(_SERVICE + method, request, answer)

    def status(self):
        """A GetStatusResponse."""
        return self._call("GetStatus", control.GetStatusRequest(), control.GetStatusResponse)

    def offers(self):
        """The activities that other devices offer now."""
        stream = self._offers(watch=False)
        try:
            return next(stream)
        finally:
            stream.close()

    def watch_offers(self):
        """Yields all offers, now and after each change."""
        return self._offers(watch=True)

    def _offers(self, watch):
        request = control.WatchOffersRequest(watch=watch)
        for answer in self.connection.stream(_SERVICE + "WatchOffers", request, control.WatchOffersResponse):
            yield list(answer.offers)

    def continue_offer(self, offer_id=""):
        """Continues an offer, or the newest, and yields each ContinuationEvent."""
        return self.connection.stream(
            _SERVICE + "ContinueOffer", control.ContinueOfferRequest(offer_id=offer_id), control.ContinuationEvent
        )

    def key_values(self, bundle_id):
        """An app's key-value store, as a dict."""
        values = {}
        request = control.ReadKeyValuesRequest(bundle_id=bundle_id)
        for answer in self.connection.stream(_SERVICE + "ReadKeyValues", request, control.KeyValueList):
            for item in answer.items:
                if item.HasField("value"):
                    values[item.key] = from_wire(item.value)
        return values

    def set_key_value(self, bundle_id, key, value, create=False):
        """Sets a key; None removes it. `create` makes the store of a program in development."""
        request = control.WriteKeyValueRequest(bundle_id=bundle_id, key=key, create=create)
        if value is not None:
            request.value.CopyFrom(to_wire(value))
        return self._call("WriteKeyValue", request, control.WriteKeyValueResponse).item
