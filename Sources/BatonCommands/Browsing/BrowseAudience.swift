import BatonWire

/// The devices that a page can be offered to.
enum BrowseAudience {
    /// Why no other device is offered anything now, and what to do; nil when one is.
    static func lack(_ status: Baton_Control_V1_GetStatusResponse) -> String? {
        if status.accountID.isEmpty {
            return
                "This device belongs to no account, so there is no other device to offer it to. “baton account create” "
                + "makes an account, “baton pair” joins the one of another device."
        }
        if status.revoked {
            return
                "This device was revoked: the account's other devices are offered nothing of it. “baton pair” lets it "
                + "join again."
        }
        switch (status.devicesConnected, status.devicesKnown) {
        case (0, 0): return "This is the account's only device. Run “baton pair” here and on the other one."
        case (0, _):
            return
                "None of your other devices is connected now. The page is offered to each that comes; “baton devices” "
                + "lists them, “baton explain device NAME” says why one is not seen."
        default: return nil
        }
    }
}
