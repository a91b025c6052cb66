import FileCoordination

extension NSFileCoordinator {
    /// How a file is read.
    public struct ReadingOptions: OptionSet, Sendable {
        /// Apple's number.
        public let rawValue: UInt
        /// From Apple's number.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Presenters are not asked to save first.
        public static let withoutChanges = ReadingOptions(rawValue: 1)
        /// The accessor gets what a symbolic link points to.
        public static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
        /// Only attributes are read: does not wait for a download.
        public static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 4)
        /// The accessor gets a copy of the file, or a ZIP archive of the directory (`NAME.zip`, at most 4 GiB and 65,535
        /// files), which is deleted when it returns.
        public static let forUploading = ReadingOptions(rawValue: 8)

        var intent: AccessIntent.ReadingOptions { .init(rawValue: rawValue & 15) }
    }

    /// How a file is written. One applies at most; of several the one with the highest number counts.
    public struct WritingOptions: OptionSet, Sendable {
        /// Apple's number.
        public let rawValue: UInt
        /// From Apple's number.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The item is deleted, with all that is in it.
        public static let forDeleting = WritingOptions(rawValue: 1)
        /// The item is moved or renamed.
        public static let forMoving = WritingOptions(rawValue: 2)
        /// Unsaved changes of others are written first.
        public static let forMerging = WritingOptions(rawValue: 4)
        /// Another item takes its place.
        public static let forReplacing = WritingOptions(rawValue: 8)
        /// Only attributes are written: does not wait for a download.
        public static let contentIndependentMetadataOnly = WritingOptions(rawValue: 16)

        var purpose: AccessIntent.WritingPurpose {
            AccessIntent.WritingPurpose.allCases.last { rawValue & $0.rawValue != 0 } ?? .any
        }
    }
}
