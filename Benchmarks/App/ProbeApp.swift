import Baton
import Foundation

/// An app that offers and continues activities on command, and says when.
///
/// Commands come line by line through the FIFO `BATON_BENCHMARK_IN`: `make BYTES` makes an activity whose `userInfo`
/// holds so many bytes and makes it current; `stream MEGABYTES` fetches so many over the streams of the activity that was
/// continued last; `play SECONDS` plays a song of that length, with handlers for Play and Pause. Events go to `BATON_BENCHMARK_OUT`, a line of JSON each, with the
/// nanoseconds of `CLOCK_MONOTONIC` at which it happened.
@main
final class ProbeApp: UIResponder, UIApplicationDelegate, NSUserActivityDelegate {
    private static let activityType = "dev.baton.benchmark.activity"

    private let output = open(ProcessInfo.processInfo.environment["BATON_BENCHMARK_OUT"] ?? "/dev/null", O_RDWR)
    private var offered: NSUserActivity?
    private var continued: NSUserActivity?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        guard let path = ProcessInfo.processInfo.environment["BATON_BENCHMARK_IN"] else { return true }
        // Reading waits, so on a thread of its own; it ends with the process.
        Thread.detachNewThread { [weak self] in
            // For writing too, so that it does not end when a writer closes it.
            guard let file = fopen(path, "r+") else { return }
            while let line = Self.readLine(file) {
                DispatchQueue.main.async { MainActor.assumeIsolated { self?.perform(line) } }
            }
        }
        say("ready", at: Self.now())
        return true
    }

    private func perform(_ line: String) {
        let words = line.split(separator: " ")
        guard let count = words.dropFirst().first.flatMap({ Int($0) }) else { return }
        if words.first == "stream" { return fetch(count) }
        if words.first == "play" { return play(count) }
        guard words.first == "make" else { return }
        let activity = NSUserActivity(activityType: Self.activityType)
        activity.title = "A benchmark"
        activity.delegate = self
        activity.supportsContinuationStreams = true
        activity.userInfo = ["data": Data(repeating: 0x5A, count: count)]
        let time = Self.now()
        activity.becomeCurrent()
        offered = activity
        say("current", at: time)
    }

    func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool {
        say("will_continue", at: Self.now())
        return true
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        let time = Self.now()
        let data = userActivity.userInfo?["data"] as? Data
        continued = userActivity
        say("continue", at: time, bytes: data?.count ?? 0)
        return true
    }

    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool {
        true
    }

    private func play(_ seconds: Int) {
        let commands = MPRemoteCommandCenter.shared()
        for command in [commands.playCommand, commands.pauseCommand] {
            command.addTarget { _ in .success }
        }
        MPNowPlayingInfoCenter.default().nowPlayingInfo = [
            MPMediaItemPropertyTitle: "A song", MPMediaItemPropertyPlaybackDuration: Double(seconds),
        ]
        MPNowPlayingInfoCenter.default().playbackState = .playing
        say("playing", at: Self.now())
    }

    // MARK: Streams

    private func fetch(_ megabytes: Int) {
        let output = output
        continued?.getContinuationStreams { input, requests, error in
            guard let input, let requests else {
                return Self.emit(#"{"event":"failed","message":"\#(error?.localizedDescription ?? "")"}"#, to: output)
            }
            let pair = StreamPair(input: input, output: requests)
            Thread.detachNewThread {
                let time = pair.fetch(megabytes)
                Self.emit(#"{"event":"streamed","megabytes":\#(megabytes),"ns":\#(time)}"#, to: output)
            }
        }
    }

    nonisolated func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
    ) {
        let pair = StreamPair(input: inputStream, output: outputStream)
        Thread.detachNewThread { pair.serve() }
    }

    private nonisolated static func emit(_ line: String, to output: Int32) {
        let bytes = Array((line + "\n").utf8)
        _ = Foundation.write(output, bytes, bytes.count)
    }

    func application(
        _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
    ) {
        say("failed", at: Self.now())
    }

    private func say(_ event: String, at time: UInt64, bytes: Int = 0) {
        // The daemon's records have the time of day: what lies between the two clocks makes them comparable.
        let offset = Self.now(CLOCK_REALTIME) - Self.now()
        let fields = #""event":"\#(event)","t":\#(time),"wall":\#(time + offset),"bytes":\#(bytes)"#
        let line = Array("{\(fields)}\n".utf8)
        _ = write(output, line, line.count)
    }

    fileprivate nonisolated static func now(_ clock: clockid_t = CLOCK_MONOTONIC) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private nonisolated static func readLine(_ file: UnsafeMutablePointer<FILE>) -> String? {
        var buffer: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(buffer) }
        let count = getline(&buffer, &capacity, file)
        guard count >= 0, let buffer else { return nil }
        return String(decoding: UnsafeRawBufferPointer(start: buffer, count: count), as: UTF8.self)
            .trimmingCharacters(in: .newlines)
    }
}

/// A pair of streams on a thread of its own, which alone uses it.
private struct StreamPair: @unchecked Sendable {
    private static let chunk = 256 << 10

    let input: InputStream
    let output: OutputStream

    /// Sends as many MiB as the other side asks for.
    func serve() {
        input.open()
        output.open()
        defer { output.close() }
        var request: [UInt8] = []
        var buffer = [UInt8](repeating: 0x5A, count: Self.chunk)
        while case let count = input.read(&buffer, maxLength: 64), count > 0 { request += buffer[..<count] }
        var remaining = (Int(String(decoding: request, as: UTF8.self)) ?? 0) << 20
        while remaining > 0, case let count = output.write(buffer, maxLength: min(buffer.count, remaining)), count > 0 {
            remaining -= count
        }
    }

    /// - Returns: the nanoseconds from the question to the last byte; 0 when not all came.
    func fetch(_ megabytes: Int) -> UInt64 {
        input.open()
        output.open()
        defer { input.close() }
        let begin = ProbeApp.now()
        let question = Array("\(megabytes)".utf8)
        _ = output.write(question, maxLength: question.count)
        output.close()
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        var remaining = megabytes << 20
        while case let count = input.read(&buffer, maxLength: buffer.count), count > 0 { remaining -= count }
        return remaining == 0 ? ProbeApp.now() - begin : 0
    }
}
