public import Foundation

extension UIDocument {
    /// The condition of a document.
    public struct State: OptionSet, Sendable, Hashable {
        /// Apple's number.
        public let rawValue: UInt
        /// From Apple's number.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Open, and nothing is wrong.
        public static let normal: State = []
        /// Not read yet, closed, or its file was deleted.
        public static let closed = State(rawValue: 1)
        /// There are versions that a person must decide about.
        public static let inConflict = State(rawValue: 2)
        /// The last save has failed. It is tried again.
        public static let savingError = State(rawValue: 4)
        /// The person must not change anything now.
        public static let editingDisabled = State(rawValue: 8)
        /// It is being downloaded or uploaded.
        public static let progressAvailable = State(rawValue: 16)
    }

    /// Posted on the main actor when ``documentState`` has changed.
    nonisolated public class var stateChangedNotification: NSNotification.Name {
        NSNotification.Name("UIDocumentStateChangedNotification")
    }
}
