public import Foundation

/// The domain of ``CKError`` in `NSError`. CloudKit's.
public let CKErrorDomain = "CKErrorDomain"
/// The key of the errors of each item, by its identifier, with `CKError.partialFailure`. CloudKit's.
public let CKPartialErrorsByItemIDKey = "CKPartialErrors"
/// The key of the record that the app began with, with `CKError.serverRecordChanged`. CloudKit's.
public let CKRecordChangedErrorAncestorRecordKey = "AncestorRecord"
/// The key of the server's record, with `CKError.serverRecordChanged`. CloudKit's.
public let CKRecordChangedErrorServerRecordKey = "ServerRecord"
/// The key of the record that was not saved, with `CKError.serverRecordChanged`. CloudKit's.
public let CKRecordChangedErrorClientRecordKey = "ClientRecord"
/// The key of the seconds after which to try again. CloudKit's.
public let CKErrorRetryAfterKey = "CKRetryAfter"
/// The key of whether the person has asked for a reset of the encrypted data. CloudKit's.
public let CKErrorUserDidResetEncryptedDataKey = "CKErrorUserDidResetEncryptedDataKey"

// @unchecked: user information is a constant, and holds values that do not change or are safe to use from any thread.
/// Why something of CloudKit's was not done. CloudKit's.
///
/// Where several items were asked for, the error of the whole is ``Code/partialFailure``, with one for each item.
public struct CKError: Error, CustomNSError, LocalizedError, @unchecked Sendable {
    /// Which error.
    public let code: Code
    /// Further details: records, errors of items, a sentence.
    public let userInfo: [String: Any]

    /// An error of a kind; for tests of apps.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        self.userInfo = userInfo
    }

    init(_ code: Code, _ message: String, _ userInfo: [String: Any] = [:]) {
        self.code = code
        self.userInfo = userInfo.merging([NSLocalizedDescriptionKey: message]) { old, _ in old }
    }

    /// Apple's name of the domain.
    public static var errorDomain: String { CKErrorDomain }
    /// Apple's number.
    public var errorCode: Int { code.rawValue }
    /// ``userInfo``.
    public var errorUserInfo: [String: Any] { userInfo }
    /// A sentence that says what to do.
    public var errorDescription: String? {
        userInfo[NSLocalizedDescriptionKey] as? String ?? "CloudKit answered \(code)."
    }
    /// A sentence that says what to do.
    public var localizedDescription: String { errorDescription ?? "" }

    /// The errors of the items, with ``Code/partialFailure``: by `CKRecord.ID`, `CKRecordZone.ID` or the name of a subscription.
    public var partialErrorsByItemID: [AnyHashable: any Error]? {
        userInfo[CKPartialErrorsByItemIDKey] as? [AnyHashable: any Error]
    }
    /// The record that the app began with, with ``Code/serverRecordChanged``: without fields where the app has kept none.
    public var ancestorRecord: CKRecord? { userInfo[CKRecordChangedErrorAncestorRecordKey] as? CKRecord }
    /// The record as it is saved, with ``Code/serverRecordChanged``. Set the fields there, and save it.
    public var serverRecord: CKRecord? { userInfo[CKRecordChangedErrorServerRecordKey] as? CKRecord }
    /// The record that was not saved, with ``Code/serverRecordChanged``.
    public var clientRecord: CKRecord? { userInfo[CKRecordChangedErrorClientRecordKey] as? CKRecord }
    /// After how many seconds to try again, where that is known.
    public var retryAfterSeconds: Double? { userInfo[CKErrorRetryAfterKey] as? Double }

    /// Whether the engine tries again by itself, as with errors of the network.
    var isRetriedByEngine: Bool {
        switch code {
        case .notAuthenticated, .accountTemporarilyUnavailable, .networkFailure, .networkUnavailable,
            .requestRateLimited,
            .serviceUnavailable, .zoneBusy:
            true
        default: false
        }
    }

    /// Nothing of the app's can be sent until the app, its entitlements or the person's settings are others: the delegate hears of it, and
    /// the changes stay pending.
    var isLasting: Bool {
        switch code {
        case .badContainer, .badDatabase, .missingEntitlement, .permissionFailure, .managedAccountRestricted,
            .incompatibleVersion, .serverRejectedRequest, .invalidArguments, .internalError:
            true
        default: false
        }
    }

    static func partial(_ errors: [AnyHashable: any Error]) -> CKError {
        CKError(
            .partialFailure, "\(errors.count) of the items failed; each has its own error.",
            [CKPartialErrorsByItemIDKey: errors])
    }

    static func publicUnavailable() -> CKError {
        CKError(
            .serviceUnavailable,
            "Baton has no public database, since its cloud cannot read records: use the container's private database.")
    }
}

extension CKError: Hashable {
    /// Errors are equal if code and sentence are.
    public static func == (one: CKError, other: CKError) -> Bool {
        one.code == other.code && one.errorDescription == other.errorDescription
    }
    /// Equal errors have it in common.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
