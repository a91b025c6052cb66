import Foundation

extension NSItemProvider {
    /// The domain of a provider's errors.
    public class var errorDomain: String { "NSItemProviderErrorDomain" }

    /// Why an item cannot be had.
    public enum ErrorCode: Int, Sendable {
        /// No reason is known.
        case unknownError = -1
        /// The type is not registered, or its handler gave neither an item nor an error.
        case itemUnavailableError = -1000
        /// The handler gave an item that nothing can be made of.
        case unexpectedValueClassError = -1100
        /// The data is not what its type says.
        case unavailableCoercionError = -1200

        func error(_ type: String) -> NSError {
            let reason =
                switch self {
                case .unknownError, .itemUnavailableError: "The item is not available as \(type)."
                case .unexpectedValueClassError: "Nothing of the type \(type) can be made of the item."
                case .unavailableCoercionError: "The item's data is not of the type \(type)."
                }
            return NSError(
                domain: NSItemProvider.errorDomain, code: rawValue, userInfo: [NSLocalizedDescriptionKey: reason])
        }
    }
}

/// The option of `loadPreviewImage` with the size that is wanted: an `NSValue` of a size, in pixels.
public let NSItemProviderPreferredImageSizeKey = "NSItemProviderPreferredImageSizeKey"
