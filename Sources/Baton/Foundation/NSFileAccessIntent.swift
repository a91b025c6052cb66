import FileCoordination
public import Foundation

/// One file that `NSFileCoordinator.coordinate(with:queue:byAccessor:)` is to read or write.
//
// @unchecked: the URL is behind a lock, all else is constant.
open class NSFileAccessIntent: NSObject, @unchecked Sendable {
    let access: AccessIntent.Access
    private let current: UncheckedMutex<URL>

    private init(_ url: URL, _ access: AccessIntent.Access) {
        current = UncheckedMutex(url)
        self.access = access
    }

    /// For reading a file.
    open class func readingIntent(
        with url: URL, options: NSFileCoordinator.ReadingOptions = []
    ) -> NSFileAccessIntent { NSFileAccessIntent(url, .reading(options.intent)) }

    /// For writing a file.
    open class func writingIntent(
        with url: URL, options: NSFileCoordinator.WritingOptions = []
    ) -> NSFileAccessIntent { NSFileAccessIntent(url, .writing(options.purpose)) }

    /// Where the file is: in the accessor, where it is then, for it may have moved.
    open internal(set) var url: URL {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}
