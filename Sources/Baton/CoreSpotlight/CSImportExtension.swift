public import Foundation

/// The app's import extension: says what is in documents of the app's own types, so that people find them. CoreSpotlight's.
///
/// Subclass it, override ``update(_:forFileAt:)``, and name the subclass and the types in `Info.plist`; the app has to export them
/// (`UTExportedTypeDeclarations`):
///
/// ```xml
/// <key>BatonExtensions</key>
/// <array><dict>
///   <key>NSExtensionPointIdentifier</key><string>com.apple.spotlight.import</string>
///   <key>NSExtensionPrincipalClass</key><string>$(PRODUCT_MODULE_NAME).ImportExtension</string>
///   <key>NSExtensionAttributes</key><dict>
///     <key>CSSupportedContentTypes</key><array><string>com.example.review</string></array>
///   </dict>
/// </dict></array>
/// ```
///
/// An extension is a class of the app's own program. The daemon starts the program once for each new or changed document in a
/// container, with `BATON_EXTENSION` set to the extension point, before the app's delegate is made. It runs in a sandbox: it
/// reads the document (a copy, of at most 16 MiB), its bundle and the system, writes nothing, has no sockets and no other processes,
/// and ends after 5 s or beyond 256 MiB of memory. There is no daemon in it, so nothing else of Baton works. The attributes that
/// are searched are kept, and an answer has 256 KiB at most.
///
/// One extension of an app counts. The method is called on the main thread.
open class CSImportExtension: NSObject, NSExtensionRequestHandling {
    /// Called by the system, once a process.
    public required override init() { super.init() }

    /// Called before the document is read. Does nothing.
    open func beginRequest(with context: NSExtensionContext) {}

    /// Fills in what is known of a document. Override it; without that nothing is known.
    ///
    /// - Parameters:
    ///   - attributes: has the content type, and is kept as it is when this returns.
    ///   - contentURL: the document, under its own name.
    /// - Throws: whatever it likes where the document cannot be read: it is then found by its name.
    open func update(_ attributes: CSSearchableItemAttributeSet, forFileAt contentURL: URL) throws {}
}
