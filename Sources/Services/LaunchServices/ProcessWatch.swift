import Dispatch
import Glibc

/// Notices that a process ended which is not a child of the daemon, without polling.
/// `@unchecked`: the source is set once, and Dispatch lets any thread cancel it.
final class ProcessWatch: @unchecked Sendable {
    private let source: any DispatchSourceRead

    /// - Parameter ended: called at most once.
    /// - Returns: nil where the kernel or the C library has no process descriptors (before Linux 5.3 and glibc 2.36),
    ///   or the process is gone.
    init?(_ stamp: ProcessStamp, on queue: DispatchQueue, ended: @escaping @Sendable () -> Void) {
        guard let descriptor = Self.open(stamp.processID) else { return nil }
        // The descriptor may be of a later process with the same identifier; then the first has ended.
        guard stamp.isAlive else {
            close(descriptor)
            return nil
        }
        // Readable once the process has ended.
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            source.cancel()
            ended()
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        self.source = source
    }

    func cancel() { source.cancel() }

    /// By name, since Swift's import of the C library leaves out the header.
    private static let function: (@convention(c) (Int32, UInt32) -> Int32)? = {
        guard let symbol = dlsym(nil, "pidfd_open") else { return nil }
        return unsafeBitCast(symbol, to: (@convention(c) (Int32, UInt32) -> Int32).self)
    }()

    private static func open(_ processID: Int32) -> Int32? {
        guard let descriptor = function?(processID, 0), descriptor >= 0 else { return nil }
        return descriptor
    }
}
