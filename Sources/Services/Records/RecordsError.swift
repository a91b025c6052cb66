import BatonCore

/// Refusals of apps' requests, with the reasons of `RecordsService`.
enum RecordsError {
    static func limit(_ message: String) -> BatonError {
        BatonError(.invalidArgument, reason: "limit_exceeded", message)
    }

    static func invalid(_ message: String) -> BatonError {
        BatonError(.invalidArgument, reason: "invalid_arguments", message)
    }

    static let notAuthenticated = BatonError(
        .failedPrecondition, reason: "not_authenticated",
        "No account is there. “baton account create” makes one, “baton pair” joins one.")

    static let tokenExpired = BatonError(
        .failedPrecondition, reason: "change_token_expired",
        "The change token is of another database, or of a replica that is not there any more. Fetch again without one.")

    static func zoneNotFound(_ zone: String) -> BatonError {
        BatonError(
            .notFound, reason: "zone_not_found",
            "There is no zone “\(zone.shortened(toBytes: 80))”. Save it first.")
    }

    static func zonePurged(_ zone: String) -> BatonError {
        BatonError(
            .notFound, reason: "user_deleted_zone",
            "The person has deleted the zone “\(zone.shortened(toBytes: 80))”. Ask before it is made again.")
    }

    static func unknownItem(_ name: String) -> BatonError {
        BatonError(.notFound, reason: "unknown_item", "There is no record “\(name.shortened(toBytes: 80))”.")
    }

    static func changed(_ name: String) -> BatonError {
        BatonError(
            .aborted, reason: "server_record_changed",
            "The record “\(name.shortened(toBytes: 80))” has changed since it was fetched, or is there already.")
    }

    static let rowsTaken = BatonError(
        .aborted, reason: "rows_taken",
        "Another process of the app has sent the first rows of the group. Set the schema anew, and send what was not taken."
    )

    static let batchFailed = BatonError(
        .aborted, reason: "batch_request_failed",
        "Another record of the same zone was refused, so nothing of the zone was changed.")

    static func reference(_ message: String) -> BatonError {
        BatonError(.failedPrecondition, reason: "reference_violation", message)
    }

    static let noAsset = BatonError(
        .notFound, reason: "asset_file_not_found",
        "The asset is not here. Hand over its bytes again before the record is saved.")

    static let quota = BatonError(
        .resourceExhausted, reason: "quota_exceeded",
        "The account's cloud is full: nothing new is taken. Delete something, or have the operator of the cloud give more room."
    )

    static func unsupported(_ message: String) -> BatonError {
        BatonError(.unimplemented, reason: "service_unavailable", message)
    }

    static let notKept = "The database of records could not be written to the disk. Free some space, then try again."
}
