import AirDropArchive
import AirDropProtocol
import BatonConcurrency
import BatonCore
import Synchronization
import Transfers

/// One transfer to this device, from the question to its end.
final class IncomingTransfer: Sendable {
    /// Where the bytes come from.
    enum Source: Sendable {
        /// Over the listener that everybody reaches.
        case stranger([OfferedFile])
        /// From a device of the account.
        case device(DeviceID, TransferManifest)
    }

    /// Answers the sender's question.
    let answer = Promise<Void>()
    /// Answers the sender's upload.
    let stored = Promise<Void>()
    let question: AirDropQuestion
    let source: Source
    private let state = Mutex(State())

    struct State {
        /// The ask of an own device.
        var isAnswered = false
        /// No question is open any more: it was accepted.
        var isAccepted = false
        /// Chosen with the acceptance; nil for the usual places.
        var directory: String?
        /// Where the files are while they come and before they are put into place.
        var staging: String?
        var extractor: ArchiveExtractor?
        /// All files of an own device's transfer, before they are put into place.
        var files: IncomingFolder?
        /// Absolute paths of what has come whole.
        var received: [String] = []
        var outcome: AirDropOutcome?
        var bytes: UInt64 = 0
        var download: Task<Void, Never>?
        var onEnd: (@Sendable () -> Void)?
    }

    init(_ question: AirDropQuestion, _ source: Source) {
        self.question = question
        self.source = source
    }

    func update<Result: Sendable>(_ body: (inout State) -> Result) -> Result { state.withLock { body(&$0) } }

    /// - Parameter body: called once, by ``isOver()``.
    func whenOver(_ body: @escaping @Sendable () -> Void) { update { $0.onEnd = body } }

    /// Any number of times.
    func isOver() { update { $0.onEnd.take() }?() }

    /// One file by itself may go to an app.
    var isSingleFile: Bool {
        switch source {
        case .stranger(let files): files.count == 1 && files.allSatisfy { !$0.isDirectory }
        case .device(_, let manifest): manifest.entries.count == 1 && manifest.fileCount == 1
        }
    }
}
