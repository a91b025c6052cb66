import AppLink
import BatonClient
import BatonCore
import BatonWire
import SwiftProtobuf

/// The suggestions for one text field: the daemon is asked while a reader waits, and while the field has a type.
@MainActor
final class FieldSuggestions {
    private let runtime = AppRuntime.current
    private var readers: [Int: AsyncStream<[UITextSuggestion]>.Continuation] = [:]
    private var lastReader = 0
    private var type: UITextContentType?
    private var latest: [UITextSuggestion] = []
    private var task: Task<Void, Never>?

    /// Between two attempts to reach the daemon.
    private static let pause = Duration.seconds(2)

    deinit {
        task?.cancel()
        for reader in readers.values { reader.finish() }
    }

    /// The newest waits.
    func stream(_ type: UITextContentType?) -> AsyncStream<[UITextSuggestion]> {
        let (stream, reader) = AsyncStream.makeStream(of: [UITextSuggestion].self, bufferingPolicy: .bufferingNewest(1))
        lastReader += 1
        let number = lastReader
        readers[number] = reader
        reader.onTermination = { [weak self] _ in
            // A reader ends on any thread.
            Task { @MainActor in self?.ended(number) }
        }
        reader.yield(latest)
        update(type)
        return stream
    }

    /// The field is for this now: another type, another text, or the person came or left.
    func update(_ type: UITextContentType?) {
        let isSame = type == self.type
        self.type = type
        guard !readers.isEmpty, let type else {
            task?.cancel()
            task = nil
            return tell([])
        }
        guard task == nil || !isSame else { return }
        task?.cancel()
        tell([])
        let runtime = runtime
        // Ends when the field goes, without a reader, or with another type.
        task = Task { [weak self] in
            while !Task.isCancelled {
                try? await Self.follow(type, runtime) { self?.tell($0) }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private func ended(_ number: Int) {
        readers[number] = nil
        if readers.isEmpty { update(type) }
    }

    private func tell(_ suggestions: [UITextSuggestion]) {
        guard suggestions != latest else { return }
        latest = suggestions
        for reader in readers.values { reader.yield(suggestions) }
    }

    private static func follow(
        _ type: UITextContentType, _ runtime: AppRuntime, _ tell: ([UITextSuggestion]) -> Void
    ) async throws {
        guard runtime.profile.socketPath != nil else { return }
        runtime.tellFront()
        let answers = try await runtime.link.stream(
            TextFieldMethods.suggestForField,
            .with {
                $0.contentType = type.rawValue
            })
        for try await answer in answers {
            try Task.checkCancellation()
            tell(answer.suggestions.map { UITextSuggestion(text: $0.text, title: $0.title, source: $0.source) })
        }
    }
}
