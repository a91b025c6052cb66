import Baton
import Foundation
import Synchronization

/// A pair of streams that is handed to a thread.
///
/// @unchecked: each stream of it is used by one thread at a time.
struct ProbePair: @unchecked Sendable {
    let input: InputStream
    let output: OutputStream
}

/// Bytes by which one that is missing, doubled or in the wrong place shows, made and checked quickly.
enum ProbePattern {
    private static let period = 65_521
    /// Long enough to copy any piece of one buffer from.
    private static let bytes: [UInt8] = {
        let one = (0..<period).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
        return one + one + one
    }()

    static func with<Result>(
        _ offset: Int, _ count: Int, _ body: (UnsafePointer<UInt8>, Int) -> Result
    ) -> Result? {
        bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { body($0 + offset % period, min(count, period)) }
        }
    }

    static func matches(_ buffer: [UInt8], _ count: Int, at offset: Int) -> Bool {
        var done = 0
        while done < count {
            let part = min(count - done, period)
            let isSame = with(offset + done, part) { expected, _ in
                buffer.withUnsafeBufferPointer { memcmp(($0.baseAddress ?? expected) + done, expected, part) == 0 }
            }
            guard isSame == true else { return false }
            done += part
        }
        return true
    }
}

/// The probe's use of continuation streams; every stream on threads of its own, as an app may.
final class ProbeStreams: Sendable {
    private struct State {
        var pairs: [ProbePair] = []
    }

    private let state = Mutex(State())
    private let pause = Silence()

    func resume() { pause.end() }

    func closeAll() {
        let pairs = state.withLock { state in
            defer { state.pairs = [] }
            return state.pairs
        }
        for pair in pairs {
            pair.input.close()
            pair.output.close()
        }
    }

    private func keep(_ pair: ProbePair) { state.withLock { $0.pairs.append(pair) } }

    // MARK: As the receiver

    /// Asks for a pair and uses it as `mode` says: “ask” sends the title and reads the answer; “transfer” sends `bytes`
    /// while it reads; “hold” keeps it open without reading; “drop” asks `number` times and lets each go.
    @MainActor
    func ask(for activity: NSUserActivity?, _ command: ProbeCommand) {
        guard let activity else { return ProbeLog.print(["event": "error", "message": "Nothing was continued."]) }
        if command.mode == "drop" { return drop(activity, command.number ?? 1) }
        let id = command.id ?? ""
        activity.getContinuationStreams { input, output, error in
            guard let input, let output else {
                return ProbeLog.print(
                    ["event": "refused", "id": id, "none": "\(input == nil && output == nil)"].merging(
                        Self.fields(error)
                    ) {
                        $1
                    })
            }
            ProbeLog.print([
                "event": "streams", "id": id,
                "unopened": "\(input.streamStatus == .notOpen && output.streamStatus == .notOpen)",
            ])
            let pair = ProbePair(input: input, output: output)
            self.use(pair, id, command)
        }
    }

    private func use(_ pair: ProbePair, _ id: String, _ command: ProbeCommand) {
        pair.input.open()
        pair.output.open()
        switch command.mode {
        case "ask":
            Thread.detachNewThread {
                let text = Array((command.title ?? "").utf8)
                _ = pair.output.write(text, maxLength: text.count)
                pair.output.close()
                let answer = Self.text(pair.input)
                ProbeLog.print(["event": "answer", "id": id, "text": answer].merging(Self.fields(pair.input)) { $1 })
                pair.input.close()
            }
        case "hold": keep(pair)
        default:
            Thread.detachNewThread { Self.send(pair.output, command.bytes ?? 0, id) }
            Thread.detachNewThread { Self.receive(pair.input, id) }
        }
    }

    /// One after the other, so that no bound is met.
    @MainActor
    private func drop(_ activity: NSUserActivity, _ count: Int) {
        // Not awaited: its end is printed.
        Task { @MainActor in
            var failures = 0
            for _ in 0..<count {
                do {
                    let (input, output) = try await activity.continuationStreams()
                    input.open()
                    output.open()
                } catch {
                    failures += 1
                    if failures == 1 {
                        ProbeLog.print(["event": "refused", "id": "drop"].merging(Self.fields(error)) { $1 })
                    }
                }
            }
            ProbeLog.print(["event": "dropped", "count": "\(count)", "failures": "\(failures)"])
        }
    }

    // MARK: As the origin

    /// Answers a pair as the mode says: “transfer:N” sends N bytes while it reads; “slow” reads once and then waits for a
    /// command; “leave” lets it go; anything else answers a question.
    func serve(_ pair: ProbePair, _ mode: String) {
        guard mode != "leave" else { return }
        pair.input.open()
        pair.output.open()
        switch mode.split(separator: ":").first {
        case "transfer":
            let count = mode.split(separator: ":").last.flatMap { Int($0) } ?? 0
            Thread.detachNewThread { Self.send(pair.output, count, "origin") }
            Thread.detachNewThread { Self.receive(pair.input, "origin") }
        case "slow":
            Thread.detachNewThread { [pause] in
                pair.output.close()
                pause.wait()
                Self.receive(pair.input, "origin")
            }
        default:
            Thread.detachNewThread {
                let question = Self.text(pair.input)
                let answer = Array("You asked “\(question)”.".utf8)
                _ = pair.output.write(answer, maxLength: answer.count)
                pair.output.close()
                pair.input.close()
            }
        }
    }

    // MARK: Bytes

    private static func send(_ output: OutputStream, _ count: Int, _ id: String) {
        var sent = 0
        while sent < count {
            let written = ProbePattern.with(sent, count - sent) { output.write($0, maxLength: $1) } ?? -1
            guard written > 0 else { break }
            sent += written
        }
        ProbeLog.print(["event": "sent", "id": id, "bytes": "\(sent)"].merging(fields(output)) { $1 })
        output.close()
    }

    private static func receive(_ input: InputStream, _ id: String) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var (received, isWhole) = (0, true)
        while case let count = input.read(&buffer, maxLength: buffer.count), count > 0 {
            isWhole = isWhole && ProbePattern.matches(buffer, count, at: received)
            received += count
        }
        ProbeLog.print(
            ["event": "received", "id": id, "bytes": "\(received)", "isWhole": "\(isWhole)"].merging(fields(input)) {
                $1
            })
        input.close()
    }

    private static func text(_ input: InputStream) -> String {
        var buffer = [UInt8](repeating: 0, count: 1024)
        var text: [UInt8] = []
        while case let count = input.read(&buffer, maxLength: buffer.count), count > 0 { text += buffer[..<count] }
        return String(decoding: text, as: UTF8.self)
    }

    private static func fields(_ stream: Stream) -> [String: String] {
        var fields = ["status": "\(stream.streamStatus)"]
        if let error = stream.streamError { fields.merge(Self.fields(error)) { $1 } }
        return fields
    }

    private static func fields(_ error: (any Error)?) -> [String: String] {
        guard let error = error.map({ $0 as NSError }) else { return [:] }
        return ["code": "\(error.code)", "domain": error.domain, "message": error.localizedDescription]
    }
}
