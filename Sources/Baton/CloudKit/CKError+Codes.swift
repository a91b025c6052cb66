extension CKError {
    /// Apple's numbers.
    public enum Code: Int, Sendable {
        /// Something failed inside of Baton.
        case internalError = 1
        /// Some of several items failed; see ``partialErrorsByItemID``.
        case partialFailure = 2
        /// The daemon, or what it needs, cannot be reached now.
        case networkUnavailable = 3
        /// The daemon's answer did not come in time. It may have been done.
        case networkFailure = 4
        /// The app has no such container.
        case badContainer = 5
        /// Baton does not offer that: the public database, queries.
        case serviceUnavailable = 6
        /// Too many calls; see ``retryAfterSeconds``.
        case requestRateLimited = 7
        /// The app has no entitlement for it.
        case missingEntitlement = 8
        /// The device has no account.
        case notAuthenticated = 9
        /// The person may read and not write.
        case permissionFailure = 10
        /// The record or the subscription is not there.
        case unknownItem = 11
        /// A request that no server could fulfil.
        case invalidArguments = 12
        /// Not used any more.
        case resultsTruncated = 13
        /// The record was changed since it was fetched; see ``serverRecord``.
        case serverRecordChanged = 14
        /// The server refuses it for good.
        case serverRejectedRequest = 15
        /// The file of an asset is not there.
        case assetFileNotFound = 16
        /// The file of an asset changed while it was read.
        case assetFileModified = 17
        /// The app's version of Baton is too old for the daemon.
        case incompatibleVersion = 18
        /// A field that has to be unique is not.
        case constraintViolation = 19
        /// The caller gave up.
        case operationCancelled = 20
        /// The token is too old, or of another zone: fetch again from the start.
        case changeTokenExpired = 21
        /// Another item of an atomic group failed, so this one was not saved.
        case batchRequestFailed = 22
        /// The zone has too much to do; try again.
        case zoneBusy = 23
        /// The operation does not belong to this database.
        case badDatabase = 24
        /// The account is full.
        case quotaExceeded = 25
        /// The zone is not there: save it first.
        case zoneNotFound = 26
        /// Too much in one request: halve it.
        case limitExceeded = 27
        /// The person has deleted the zone.
        case userDeletedZone = 28
        /// A share has too many participants.
        case tooManyParticipants = 29
        /// The record is in another share.
        case alreadyShared = 30
        /// A record's parent is not there, or a parent would go without it.
        case referenceViolation = 31
        /// The account's rules forbid it.
        case managedAccountRestricted = 32
        /// The participant must prove who it is.
        case participantMayNeedVerification = 33
        /// The server did it, and the answer was lost.
        case serverResponseLost = 34
        /// The bytes of an asset are not here now.
        case assetNotAvailable = 35
        /// The account is there, and cannot be used now.
        case accountTemporarilyUnavailable = 36
        /// The participant was invited already.
        case participantAlreadyInvited = 37
    }

    /// Something failed inside of Baton.
    public static var internalError: Code { .internalError }
    /// Some of several items failed; see ``partialErrorsByItemID``.
    public static var partialFailure: Code { .partialFailure }
    /// The daemon, or what it needs, cannot be reached now.
    public static var networkUnavailable: Code { .networkUnavailable }
    /// The daemon's answer did not come in time. It may have been done.
    public static var networkFailure: Code { .networkFailure }
    /// The app has no such container.
    public static var badContainer: Code { .badContainer }
    /// Baton does not offer that: the public database, queries.
    public static var serviceUnavailable: Code { .serviceUnavailable }
    /// Too many calls; see ``retryAfterSeconds``.
    public static var requestRateLimited: Code { .requestRateLimited }
    /// The app has no entitlement for it.
    public static var missingEntitlement: Code { .missingEntitlement }
    /// The device has no account.
    public static var notAuthenticated: Code { .notAuthenticated }
    /// The person may read and not write.
    public static var permissionFailure: Code { .permissionFailure }
    /// The record or the subscription is not there.
    public static var unknownItem: Code { .unknownItem }
    /// A request that no server could fulfil.
    public static var invalidArguments: Code { .invalidArguments }
    /// Not used any more.
    public static var resultsTruncated: Code { .resultsTruncated }
    /// The record was changed since it was fetched; see ``serverRecord``.
    public static var serverRecordChanged: Code { .serverRecordChanged }
    /// The server refuses it for good.
    public static var serverRejectedRequest: Code { .serverRejectedRequest }
    /// The file of an asset is not there.
    public static var assetFileNotFound: Code { .assetFileNotFound }
    /// The file of an asset changed while it was read.
    public static var assetFileModified: Code { .assetFileModified }
    /// The app's version of Baton is too old for the daemon.
    public static var incompatibleVersion: Code { .incompatibleVersion }
    /// A field that has to be unique is not.
    public static var constraintViolation: Code { .constraintViolation }
    /// The caller gave up.
    public static var operationCancelled: Code { .operationCancelled }
    /// The token is too old, or of another zone: fetch again from the start.
    public static var changeTokenExpired: Code { .changeTokenExpired }
    /// Another item of an atomic group failed, so this one was not saved.
    public static var batchRequestFailed: Code { .batchRequestFailed }
    /// The zone has too much to do; try again.
    public static var zoneBusy: Code { .zoneBusy }
    /// The operation does not belong to this database.
    public static var badDatabase: Code { .badDatabase }
    /// The account is full.
    public static var quotaExceeded: Code { .quotaExceeded }
    /// The zone is not there: save it first.
    public static var zoneNotFound: Code { .zoneNotFound }
    /// Too much in one request: halve it.
    public static var limitExceeded: Code { .limitExceeded }
    /// The person has deleted the zone.
    public static var userDeletedZone: Code { .userDeletedZone }
    /// A share has too many participants.
    public static var tooManyParticipants: Code { .tooManyParticipants }
    /// The record is in another share.
    public static var alreadyShared: Code { .alreadyShared }
    /// A record's parent is not there, or a parent would go without it.
    public static var referenceViolation: Code { .referenceViolation }
    /// The account's rules forbid it.
    public static var managedAccountRestricted: Code { .managedAccountRestricted }
    /// The participant must prove who it is.
    public static var participantMayNeedVerification: Code { .participantMayNeedVerification }
    /// The server did it, and the answer was lost.
    public static var serverResponseLost: Code { .serverResponseLost }
    /// The bytes of an asset are not here now.
    public static var assetNotAvailable: Code { .assetNotAvailable }
    /// The account is there, and cannot be used now.
    public static var accountTemporarilyUnavailable: Code { .accountTemporarilyUnavailable }
    /// The participant was invited already.
    public static var participantAlreadyInvited: Code { .participantAlreadyInvited }
}

extension CKError.Code {
    /// So that an error can be matched by its code in `catch`.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? CKError)?.code == code }
}
