public import Foundation

/// Hears what the system wants of an index. CoreSpotlight's.
///
/// Called on the serial queue of Baton's callbacks, never on the main thread.
public protocol CSSearchableIndexDelegate: NSObjectProtocol {
    /// Everything is to be indexed again, since the index was lost.
    ///
    /// Call the handler once the app has stored whatever it keeps about this. If the process ends before that, the daemon
    /// asks again.
    func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler: @escaping @Sendable () -> Void)

    /// These items are to be indexed again.
    func searchableIndex(
        _ searchableIndex: CSSearchableIndex, reindexSearchableItemsWithIdentifiers identifiers: [String],
        acknowledgementHandler: @escaping @Sendable () -> Void)

    /// Indexing is slow from now on, to save the battery: index first what matters most. Optional.
    func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex)

    /// Indexing is as fast as ever again. Optional.
    func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex)

    /// The item as data of a type that its `providerDataTypeIdentifiers` name. Optional; nothing asks for it yet.
    func data(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String
    ) throws -> Data

    /// The item as a file of a type that its `providerFileTypeIdentifiers` name. Optional; nothing asks for it yet.
    func fileURL(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String, inPlace: Bool
    ) throws -> URL
}

extension CSSearchableIndexDelegate {
    /// Does nothing.
    public func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex) {}
    /// Does nothing.
    public func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex) {}
    /// Throws.
    public func data(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String
    ) throws -> Data {
        throw CSIndexError(.indexingUnsupported, "The app does not give its items as data.")
    }
    /// Throws.
    public func fileURL(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String, inPlace: Bool
    ) throws -> URL {
        throw CSIndexError(.indexingUnsupported, "The app does not give its items as files.")
    }
}
