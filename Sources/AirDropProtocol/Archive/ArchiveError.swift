package import BatonCore

/// Errors of archives, for readers and writers.
package enum ArchiveError {
    package static func damaged(_ why: String) -> BatonError {
        BatonError(
            .dataLoss, reason: "archive_damaged",
            "The transfer is damaged, so nothing of it was kept: \(why). Send it again.")
    }

    package static func refused(_ reason: String, _ why: String) -> BatonError {
        BatonError(.invalidArgument, reason: reason, "The transfer was refused, and nothing of it was kept: \(why).")
    }

    package static func tooLarge(_ what: String) -> BatonError {
        BatonError(
            .resourceExhausted, reason: "archive_too_large",
            "The transfer is too large for this device, and nothing of it was kept: \(what).")
    }

    /// A mistake of ours.
    static func misused(_ what: String) -> BatonError {
        BatonError(
            .internal, reason: "archive_misused", "The archive could not be written: \(what). Please report this.")
    }
}
