public import Foundation

extension FileManager {
    /// Not here: apps share no folder.
    @available(
        *, unavailable,
        message: "Apps of a team share an iCloud container: url(forUbiquityContainerIdentifier:)."
    )
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { nil }
}
