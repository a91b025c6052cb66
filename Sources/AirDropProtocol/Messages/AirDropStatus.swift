package import BatonCore

/// The HTTP statuses with which this implementation refuses, so that a sender that knows them can say why. To any other
/// sender all of them mean that the transfer was declined or failed.
package enum AirDropStatus {
    package static let accepted = 200

    /// The status of an answer that refuses with `error`.
    package static func refusing(_ error: BatonError) -> Int {
        switch error.reason {
        case "airdrop_declined", "airdrop_not_visible": 403
        case "airdrop_expired": 410
        case "airdrop_busy": 429
        case "airdrop_wrong_archive_type": 406
        case "airdrop_upload_not_accepted": 409
        case "archive_too_large", "property_list_too_large", "airdrop_too_many_items": 413
        case "disk_full": 507
        default: error.code == .invalidArgument || error.code == .dataLoss ? 400 : 500
        }
    }

    /// The meaning, to the sender, of an answer to `/Ask` that is not 200.
    package static func askOutcome(_ status: Int) -> AirDropSender.Outcome {
        switch status {
        case 410: .timedOut
        case 429: .failed(failure(.unavailable, "The other device is busy with other transfers. Try again soon."))
        case 413:
            .failed(failure(.resourceExhausted, "The other device takes fewer items at once. Send them as a folder."))
        case 400, 404, 500...599:
            .failed(failure(.unknown, "The other device could not read the request (HTTP status \(status))."))
        default: .declined
        }
    }

    /// The meaning, to the sender, of an answer to `/Upload` that is not 200.
    package static func uploadError(_ status: Int) -> BatonError {
        switch status {
        case 413: failure(.resourceExhausted, "The transfer is too large for the other device. It kept nothing of it.")
        case 507: failure(.resourceExhausted, "The other device has no space left. It kept nothing of the transfer.")
        case 409: failure(.aborted, "The other device no longer waits for this transfer. Send it again.")
        case 400, 406: failure(.dataLoss, "The other device refused what it received, and kept nothing of it.")
        default: failure(.unknown, "The other device could not store the transfer (HTTP status \(status)).")
        }
    }

    private static func failure(_ code: BatonError.Code, _ message: String) -> BatonError {
        BatonError(code, reason: "airdrop_refused", message)
    }
}
