public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of errors of Intents: `IntentsErrorDomain`.
public let INIntentErrorDomain = "IntentsErrorDomain"

/// Why something of Intents did not succeed. Intents'.
public struct INIntentError: Error, CustomNSError, LocalizedError, Sendable {
    /// Apple's numbers.
    public enum Code: Int, Sendable {
        /// Interactions cannot be handled here.
        case interactionOperationNotSupported = 1900
        /// The interaction was not taken: no daemon, or beyond a bound.
        case donatingInteraction = 1901
        /// Not all interactions could be deleted.
        case deletingAllInteractions = 1902
        /// The interactions with these identifiers could not be deleted.
        case deletingInteractionWithIdentifiers = 1903
        /// The interactions of this group could not be deleted.
        case deletingInteractionWithGroupIdentifier = 1904
        /// More than one extension handles the intent.
        case intentSupportedByMultipleExtension = 2001
        /// An intent is restricted that is not supported.
        case restrictedIntentsNotSupportedByExtension = 2002
        /// Nothing handles the intent.
        case noHandlerProvidedForIntent = 2003
        /// There is no such intent.
        case invalidIntentName = 2004
        /// No app handles the intent.
        case noAppAvailable = 2005
        /// There was no answer in time.
        case requestTimedOut = 3001
        /// Something is missing.
        case missingInformation = 3002
        /// The vocabulary is not where it should be.
        case invalidUserVocabularyFileLocation = 4000
        /// The extension did not start in time.
        case extensionLaunchingTimeout = 5000
        /// The extension did not start.
        case extensionBringUpFailed = 5001
        /// A picture failed.
        case imageGeneric = 6000
        /// Nothing serves pictures.
        case imageNoServiceAvailable = 6001
        /// A picture could not be stored.
        case imageStorageFailed = 6002
        /// A picture could not be loaded.
        case imageLoadingFailed = 6003
        /// A picture could not be fetched.
        case imageRetrievalFailed = 6004
        /// A picture refers to itself.
        case imageProxyLoop = 6005
        /// A reference to a picture is invalid.
        case imageProxyInvalid = 6006
        /// A picture did not come in time.
        case imageProxyTimeout = 6007
        /// The service of pictures failed.
        case imageServiceFailure = 6008
        /// A picture could not be scaled.
        case imageScalingFailed = 6009
        /// It is not allowed.
        case permissionDenied = 6010
        /// A voice shortcut could not be made.
        case voiceShortcutCreationFailed = 7000
        /// Voice shortcuts could not be read.
        case voiceShortcutGetFailed = 7001
        /// A voice shortcut could not be deleted.
        case voiceShortcutDeleteFailed = 7002
        /// Something could not be encoded.
        case encodingGeneric = 8000
        /// Encoding failed.
        case encodingFailed = 8001
        /// Something could not be decoded.
        case decodingGeneric = 9000
    }

    /// Which error.
    public let code: Code
    let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// An error of a kind.
    public init(_ code: Code) { self.init(code, "Intents answered \(code).") }

    /// Apple's name of the domain.
    public static var errorDomain: String { INIntentErrorDomain }
    /// Apple's number.
    public var errorCode: Int { code.rawValue }
    /// The sentence, for those who only see an `NSError`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
    /// A sentence that says what to do.
    public var errorDescription: String? { message }
    /// As Apple's.
    public var userInfo: [String: Any] { errorUserInfo }

    /// The interaction was not taken.
    public static var donatingInteraction: Code { .donatingInteraction }
    /// Not all interactions could be deleted.
    public static var deletingAllInteractions: Code { .deletingAllInteractions }
    /// The interactions with these identifiers could not be deleted.
    public static var deletingInteractionWithIdentifiers: Code { .deletingInteractionWithIdentifiers }
    /// The interactions of this group could not be deleted.
    public static var deletingInteractionWithGroupIdentifier: Code { .deletingInteractionWithGroupIdentifier }
}

extension INIntentError.Code {
    /// So that an error can be matched by its code in `catch`.
    public static func ~= (code: Self, error: any Error) -> Bool { (error as? INIntentError)?.code == code }
}
