package import BatonCore

extension AirDropReceiver {
    package static var notVisible: BatonError {
        BatonError(
            .permissionDenied, reason: "airdrop_not_visible",
            "The receiving device takes nothing from the sender at present.")
    }

    package static var busy: BatonError {
        BatonError(
            .resourceExhausted, reason: "airdrop_busy",
            "The receiving device is busy with other transfers. Try again soon.")
    }

    package static var declined: BatonError {
        BatonError(.permissionDenied, reason: "airdrop_declined", "The person declined the transfer.")
    }

    package static var expired: BatonError {
        BatonError(
            .deadlineExceeded, reason: "airdrop_expired", "The question whether to accept was not answered in time.")
    }

    static var notAccepted: BatonError {
        BatonError(
            .failedPrecondition, reason: "airdrop_upload_not_accepted",
            "The sender uploaded something that was not accepted from it. Nothing of it was kept.")
    }

    static var cancelled: BatonError {
        BatonError(.canceled, reason: "airdrop_cancelled", "The transfer was cancelled. Nothing of it was kept.")
    }

    static var senderGone: BatonError {
        BatonError(
            .unavailable, reason: "airdrop_sender_gone",
            "The sender went away before all had come. Nothing of it was kept. Have it sent again.")
    }

    package static var stalled: BatonError {
        BatonError(
            .deadlineExceeded, reason: "airdrop_stalled",
            "The sender no longer sends. Nothing was kept. Bring the devices closer together and have it sent again.")
    }
}
