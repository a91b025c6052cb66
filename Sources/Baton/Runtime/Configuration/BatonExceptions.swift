import Synchronization

/// The counterpart of an Objective-C exception of Apple's frameworks: a mistake in the program, found while it runs.
///
/// Linux has no such exceptions, so Baton hands this to ``BatonExceptions/handler`` instead.
public struct BatonException: Sendable, Hashable, CustomStringConvertible {
    /// The name that Apple's exception has, e.g. `NSInvalidArgumentException`.
    public let name: String
    /// The mistake, its place, and its remedy.
    public let reason: String

    /// Describes a mistake.
    /// - Parameters:
    ///   - name: the name that Apple's exception has.
    ///   - reason: whole sentences that say what is wrong and what to do.
    public init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }

    /// `name: reason`.
    public var description: String { "\(name): \(reason)" }
}

/// Where mistakes of the program go that Apple's frameworks raise as exceptions (H-23, H-96).
public enum BatonExceptions {
    /// Takes each ``BatonException``. The default stops the program with the exception's text.
    ///
    /// Replace it to record mistakes in tests or to report them before ending the program. When a handler returns, the
    /// call that was wrong has no effect: a refused value is not stored. The handler is called on the thread of the
    /// wrong call and may be called on several threads at once. It may be replaced at any time, from any thread.
    public static var handler: @Sendable (BatonException) -> Void {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// The default of ``handler``: stops the program.
    public static let trap: @Sendable (BatonException) -> Void = { exception in
        // Buffered output would be lost with the process.
        StandardOutput.flush()
        fatalError(exception.description)
    }

    private static let current = Mutex<@Sendable (BatonException) -> Void>(trap)

    static func raiseInvalidArgument(_ reason: String) {
        handler(BatonException(name: "NSInvalidArgumentException", reason: reason))
    }

    static func raiseInconsistency(_ reason: String) {
        handler(BatonException(name: "NSInternalInconsistencyException", reason: reason))
    }
}
