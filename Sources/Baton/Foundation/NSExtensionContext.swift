public import Foundation

/// The request of an extension. Foundation's. Baton's extensions have no input items: it only says that a request begins.
open class NSExtensionContext: NSObject {
    /// Always empty.
    open var inputItems: [Any] { [] }
}

/// A principal class of an extension. Foundation's.
public protocol NSExtensionRequestHandling: NSObjectProtocol {
    /// A request begins. Called on the serial queue of Baton's callbacks.
    func beginRequest(with context: NSExtensionContext)
}
