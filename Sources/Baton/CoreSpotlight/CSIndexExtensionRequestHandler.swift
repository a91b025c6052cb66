public import Foundation

/// The app's index extension: has the app index again while it does not run otherwise. CoreSpotlight's.
///
/// Subclass it, override the two methods that ask for items, and name the subclass in `Info.plist`:
///
/// ```xml
/// <key>BatonExtensions</key>
/// <array><dict>
///   <key>NSExtensionPointIdentifier</key><string>com.apple.spotlight.index</string>
///   <key>NSExtensionPrincipalClass</key><string>$(PRODUCT_MODULE_NAME).IndexExtension</string>
/// </dict></array>
/// ```
///
/// An extension is a class of the app's own program, not a program of its own. When the index was lost, or the person asks for
/// it, the daemon launches the apps that do not run, one at a time, with `BATON_EXTENSION` set to the extension point, and
/// ends each after its acknowledgement. The program must attach to the daemon at its start, as for every launch. An app that
/// runs is asked through the ``CSSearchableIndexDelegate`` of its indexes, and through the extension if none has one. A request
/// that is not acknowledged within a minute is asked again, after an hour or when the app attaches next.
///
/// Methods are called on the serial queue of Baton's callbacks, never on the main thread.
open class CSIndexExtensionRequestHandler: NSObject, NSExtensionRequestHandling, CSSearchableIndexDelegate {
    /// Called by the system, once a process.
    public required override init() { super.init() }

    /// Called before the first request. Does nothing.
    open func beginRequest(with context: NSExtensionContext) {}

    /// Everything is to be indexed again. Override it; without that it acknowledges that there is nothing.
    open func searchableIndex(
        _ searchableIndex: CSSearchableIndex,
        reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler: @escaping @Sendable () -> Void
    ) { acknowledgementHandler() }

    /// These items are to be indexed again. Override it; without that it acknowledges that there are none.
    open func searchableIndex(
        _ searchableIndex: CSSearchableIndex, reindexSearchableItemsWithIdentifiers identifiers: [String],
        acknowledgementHandler: @escaping @Sendable () -> Void
    ) { acknowledgementHandler() }

    /// Does nothing.
    open func searchableIndexDidThrottle(_ searchableIndex: CSSearchableIndex) {}

    /// Does nothing.
    open func searchableIndexDidFinishThrottle(_ searchableIndex: CSSearchableIndex) {}

    /// Throws: nothing asks for it yet.
    open func data(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String
    ) throws -> Data {
        throw CSIndexError(.indexingUnsupported, "The app does not give its items as data.")
    }

    /// Throws: nothing asks for it yet.
    open func fileURL(
        for searchableIndex: CSSearchableIndex, itemIdentifier: String, typeIdentifier: String, inPlace: Bool
    ) throws -> URL {
        throw CSIndexError(.indexingUnsupported, "The app does not give its items as files.")
    }
}
