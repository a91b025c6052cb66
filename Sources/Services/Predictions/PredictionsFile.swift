import BatonConcurrency
import BatonCore
import Files
import Foundation
import Prediction

/// The files of what was learned, which only the daemon reads.
struct PredictionsFile: Sendable {
    /// The person's decisions, and when notices were shown.
    struct Choices: Sendable, Equatable, Codable {
        var policy = PredictionNoticePolicy()
        /// Bundle identifiers of apps that are turned off.
        var excluded: Set<String> = []
        /// Declined offers, the oldest first. Policy: the last 100. Absent in files of earlier versions.
        private var declined: [PredictionItem]?

        private static let maximumDeclined = 100

        /// The word of its app alone no longer suffices to show it.
        mutating func decline(_ item: PredictionItem) {
            var items = (declined ?? []).filter { $0 != item }
            items.append(item)
            declined = items.suffix(Self.maximumDeclined)
        }

        func isDeclined(_ item: PredictionItem) -> Bool { declined?.contains(item) ?? false }

        /// Forgets what was declined of an app; of all apps for nil.
        mutating func forgetDeclined(of app: String?) { declined?.removeAll { app == nil || $0.app == app } }
    }

    private let events: String
    private let choices: String
    private let recorder: any EventRecorder
    /// One after the other, so that what is forgotten is not written again by an older state.
    private let queue = BlockingQueue("baton.predictions.files")

    init(folder: String, recorder: any EventRecorder) {
        events = folder + "/predictions.json"
        choices = folder + "/prediction-choices.json"
        self.recorder = recorder
    }

    /// Blocks. A file that cannot be read is reported, and learning begins anew.
    func read() -> (PredictionMemory, Choices) {
        var memory = PredictionMemory()
        var chosen = Choices()
        do {
            if let bytes = try AtomicFile.read(events, limit: PredictionMemory.fileLimit) {
                memory = try PredictionMemory(decoding: Data(bytes))
            }
            if let bytes = try AtomicFile.read(choices, limit: 1 << 20) {
                chosen = try JSONDecoder().decode(Choices.self, from: Data(bytes))
            }
        } catch {
            recorder.record(
                "predictions", "unreadable", "The learned data cannot be read, so learning begins anew.",
                ["error": "\(error)"])
        }
        return (memory, chosen)
    }

    /// - Parameter state: read when it is its turn, so that the file has the newest.
    func write(_ state: @escaping @Sendable () -> (PredictionMemory, Choices)) async throws {
        try await queue.run { [events, choices] in
            let (memory, chosen) = state()
            try AtomicFile.write(Array(try memory.encoded()), to: events)
            try AtomicFile.write(Array(try JSONEncoder().encode(chosen)), to: choices)
        }
    }
}
