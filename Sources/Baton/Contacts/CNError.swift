public import Foundation

/// The domain of ``CNError`` in `NSError`. Contacts'.
public let CNErrorDomain = "CNErrorDomain"
/// The key of the contacts that an error is about, in an error's user information: `[CNContact]`. Contacts'.
public let CNErrorUserInfoAffectedRecordsKey = "CNErrorUserInfoAffectedRecordsKey"
/// The key of the identifiers of contacts that an error is about: `[String]`. Contacts'.
public let CNErrorUserInfoAffectedRecordIdentifiersKey = "CNErrorUserInfoAffectedRecordIdentifiersKey"
/// The key of the errors of several values. Contacts'.
public let CNErrorUserInfoValidationErrorsKey = "CNErrorUserInfoValidationErrorsKey"
/// The key of the properties that an error is about: `[String]`. Contacts'.
public let CNErrorUserInfoKeyPathsKey = "CNErrorUserInfoKeyPathsKey"

// @unchecked: all properties are constants; contacts do not change while an error has them.
/// Why contacts were not read or written. Contacts'.
public struct CNError: Error, CustomNSError, LocalizedError, @unchecked Sendable {
    /// Apple's numbers.
    public enum Code: Int, Sendable {
        /// Baton's daemon cannot be reached.
        case communicationError = 1
        /// The contacts cannot be read or written.
        case dataAccessError = 2
        /// The person does not allow it.
        case authorizationDenied = 100
        /// There is no address book that can be written.
        case noAccessableWritableContainers = 101
        /// These properties may not be read.
        case unauthorizedKeys = 102
        /// The person has turned it off.
        case featureDisabledByUser = 103
        /// The contact is not there.
        case recordDoesNotExist = 200
        /// The contact to add is there already.
        case insertedRecordAlreadyExists = 201
        /// A group is in itself.
        case containmentCycle = 202
        /// The group cannot have it.
        case containmentScope = 203
        /// Its container or group does not exist.
        case parentRecordDoesNotExist = 204
        /// The identifier is invalid.
        case recordIdentifierInvalid = 205
        /// The contact is in an address book that cannot be written.
        case recordNotWritable = 206
        /// The container cannot be written.
        case parentContainerNotWritable = 207
        /// Several values are wrong.
        case validationMultipleErrors = 300
        /// A value has another type.
        case validationTypeMismatch = 301
        /// The values do not go together.
        case validationConfigurationError = 302
        /// The predicate is not one of `CNContact`'s.
        case predicateInvalid = 400
        /// A rule of the device forbids it.
        case policyViolation = 500
        /// The client is not known.
        case clientIdentifierInvalid = 600
        /// The client was never there.
        case clientIdentifierDoesNotExist = 601
        /// The client is there already.
        case clientIdentifierCollision = 602
        /// The history does not go back so far.
        case changeHistoryExpired = 603
        /// The token is invalid.
        case changeHistoryInvalidAnchor = 604
        /// The history cannot be asked so.
        case changeHistoryInvalidFetchRequest = 605
        /// The data are no vCard.
        case vCardMalformed = 700
        /// The contact cannot be written as a vCard.
        case vCardSummarizationError = 701
    }

    /// Which error.
    public let code: Code
    let message: String
    /// The contacts that it is about; nil where it is about none.
    public let affectedRecords: [AnyObject]?

    init(_ code: Code, _ message: String, affectedRecords: [AnyObject]? = nil) {
        self.code = code
        self.message = message
        self.affectedRecords = affectedRecords
    }

    /// An error of a kind.
    public init(_ code: Code) { self.init(code, "Contacts could not be used: \(code).") }

    /// The identifiers of the contacts that it is about.
    public var affectedRecordIdentifiers: [String]? {
        affectedRecords?.compactMap { ($0 as? CNContact)?.identifier }
    }
    /// Apple's name of the domain.
    public static var errorDomain: String { CNErrorDomain }
    /// Apple's number.
    public var errorCode: Int { code.rawValue }
    /// The sentence and the contacts.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        info[CNErrorUserInfoAffectedRecordsKey] = affectedRecords
        info[CNErrorUserInfoAffectedRecordIdentifiersKey] = affectedRecordIdentifiers
        return info
    }
    /// A sentence that says what to do.
    public var errorDescription: String? { message }
    /// As Apple's.
    public var userInfo: [String: Any] { errorUserInfo }

    /// Baton's daemon cannot be reached.
    public static var communicationError: Code { .communicationError }
    /// The contacts cannot be read or written.
    public static var dataAccessError: Code { .dataAccessError }
    /// The person does not allow it.
    public static var authorizationDenied: Code { .authorizationDenied }
    /// There is no address book that can be written.
    public static var noAccessableWritableContainers: Code { .noAccessableWritableContainers }
    /// These properties may not be read.
    public static var unauthorizedKeys: Code { .unauthorizedKeys }
    /// The person has turned it off.
    public static var featureDisabledByUser: Code { .featureDisabledByUser }
    /// The contact is not there.
    public static var recordDoesNotExist: Code { .recordDoesNotExist }
    /// The contact to add is there already.
    public static var insertedRecordAlreadyExists: Code { .insertedRecordAlreadyExists }
    /// A group is in itself.
    public static var containmentCycle: Code { .containmentCycle }
    /// The group cannot have it.
    public static var containmentScope: Code { .containmentScope }
    /// Its container or group does not exist.
    public static var parentRecordDoesNotExist: Code { .parentRecordDoesNotExist }
    /// The identifier is invalid.
    public static var recordIdentifierInvalid: Code { .recordIdentifierInvalid }
    /// The contact is in an address book that cannot be written.
    public static var recordNotWritable: Code { .recordNotWritable }
    /// The container cannot be written.
    public static var parentContainerNotWritable: Code { .parentContainerNotWritable }
    /// Several values are wrong.
    public static var validationMultipleErrors: Code { .validationMultipleErrors }
    /// A value has another type.
    public static var validationTypeMismatch: Code { .validationTypeMismatch }
    /// The values do not go together.
    public static var validationConfigurationError: Code { .validationConfigurationError }
    /// The predicate is not one of `CNContact`'s.
    public static var predicateInvalid: Code { .predicateInvalid }
    /// A rule of the device forbids it.
    public static var policyViolation: Code { .policyViolation }
    /// The client is not known.
    public static var clientIdentifierInvalid: Code { .clientIdentifierInvalid }
    /// The client was never there.
    public static var clientIdentifierDoesNotExist: Code { .clientIdentifierDoesNotExist }
    /// The client is there already.
    public static var clientIdentifierCollision: Code { .clientIdentifierCollision }
    /// The history does not go back so far.
    public static var changeHistoryExpired: Code { .changeHistoryExpired }
    /// The token is invalid.
    public static var changeHistoryInvalidAnchor: Code { .changeHistoryInvalidAnchor }
    /// The history cannot be asked so.
    public static var changeHistoryInvalidFetchRequest: Code { .changeHistoryInvalidFetchRequest }
    /// The data are no vCard.
    public static var vCardMalformed: Code { .vCardMalformed }
    /// The contact cannot be written as a vCard.
    public static var vCardSummarizationError: Code { .vCardSummarizationError }
}

extension CNError.Code {
    /// So that an error can be matched by its code in `catch`.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? CNError)?.code == code }
}
