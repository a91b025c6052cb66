import Baton
import BatonClient
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization
import Testing

@testable import AppLink

@MainActor
@Suite(.timeLimit(.minutes(1))) struct StreamTests {
    /// An activity that another device has given to the app.
    private func continued(_ app: TestApp) async throws -> NSUserActivity {
        let delegate = FullDelegate()
        try await app.attach(delegate: delegate)
        _ = try await app.ask(continueActivity("A"))
        return try #require(delegate.activity)
    }

    /// The streams of a pair, and the other app's end.
    private func withStreams(
        _ body: (InputStream, OutputStream, StreamEndpoint) async throws -> Void
    ) async throws {
        try await withApp { app in
            let (input, output) = try await continued(app).continuationStreams()
            let far = try #require(await app.pipes.next()).far
            try await body(input, output, far)
        }
    }

    @Test("the streams come unopened, for the acceptance and session of the activity, by both forms of the call (H-78)")
    func asks() async throws {
        try await withApp { app in
            let activity = try await continued(app)
            let (input, output) = try await activity.continuationStreams()
            #expect(input.streamStatus == .notOpen && output.streamStatus == .notOpen)
            let expected = StreamRequest.open(
                .with {
                    $0.sessionID = "session-1"
                    $0.acceptanceID = "A"
                })
            #expect(try await app.pipes.next()?.request == expected)
            let statuses = Mailbox<[Stream.Status?]>()
            activity.getContinuationStreams { input, output, error in
                statuses.send([input?.streamStatus, output?.streamStatus, error == nil ? .open : .error])
            }
            #expect(try await statuses.next() == [.notOpen, .notOpen, .open])
            #expect(try await app.pipes.next()?.request == expected)
        }
    }

    @Test("an activity of the app's own has no streams: error 4609 and neither stream (H-78)")
    func ownActivity() async throws {
        try await withApp { app in
            let activity = NSUserActivity(activityType: "com.example.edit")
            activity.supportsContinuationStreams = true
            let error = await #expect(throws: CocoaError.self) { _ = try await activity.continuationStreams() }
            #expect(error?.code == .userActivityConnectionUnavailable)
            let answers = Mailbox<(Bool, Int)>()
            activity.getContinuationStreams { input, output, error in
                answers.send((input == nil && output == nil, (error as NSError?)?.code ?? 0))
            }
            let answer = try #require(await answers.next())
            #expect(answer.0 && answer.1 == 4609)
        }
    }

    @Test(
        "what the daemon refuses becomes an error of Apple's with a sentence (H-15)",
        arguments: [
            (BatonError.Code.deadlineExceeded, 4610), (.notFound, 4608), (.permissionDenied, 4609),
            (.failedPrecondition, 4609), (.unavailable, 4609), (.resourceExhausted, 4609), (.internal, 4608),
        ])
    func refusals(code: BatonError.Code, expected: Int) async throws {
        try await withApp { app in
            let activity = try await continued(app)
            app.pipeRefusals.add(BatonError(code, reason: "reason", "A sentence."))
            let error = await #expect(throws: CocoaError.self) { _ = try await activity.continuationStreams() }
            #expect(error?.code.rawValue == expected)
            #expect(error?.localizedDescription == "A sentence.")
        }
    }

    @Test("bytes pass both ways; each direction is closed by itself; what was said of status holds (H-80)")
    func bytes() async throws {
        try await withStreams { input, output, far in
            var buffer = [UInt8](repeating: 0, count: 64)
            #expect(input.read(&buffer, maxLength: 64) == -1)
            #expect(output.write([1], maxLength: 1) == -1)
            #expect(!input.hasBytesAvailable && !output.hasSpaceAvailable)
            input.open()
            output.open()
            #expect(input.streamStatus == .open && output.streamStatus == .open)
            #expect(output.hasSpaceAvailable)
            #expect(output.write(Array("question".utf8), maxLength: 8) == 8)
            output.close()
            #expect(output.streamStatus == .closed)
            #expect(output.write([1], maxLength: 1) == -1)
            let question = await onThread { far.readText() }
            #expect(question == "question.end")
            _ = await onThread { Array("answer".utf8).withUnsafeBytes { far.write($0) } }
            far.closeOutput()
            #expect(input.read(&buffer, maxLength: 64) == 6)
            #expect(String(decoding: buffer[..<6], as: UTF8.self) == "answer")
            #expect(input.read(&buffer, maxLength: 64) == 0)
            #expect(input.streamStatus == .atEnd && input.streamError == nil)
            input.close()
            #expect(input.streamStatus == .closed)
            #expect(input.read(&buffer, maxLength: 64) == -1)
        }
    }

    @Test("a connection that breaks is an error on both streams, after what had come: never an end")
    func breaks() async throws {
        try await withApp { app in
            let runtime = app.runtime
            let activity = try await continued(app)
            // A pair whose other end says a little and is then cut off.
            var sockets: [Int32] = [0, 0]
            #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
            let pipe = try await BytePipe.adopt(socket: sockets[0])
            let endpoint = try await StreamEndpoint.start(pipe)
            let (input, output) = (ContinuationInputStream(endpoint), ContinuationOutputStream(endpoint))
            input.open()
            output.open()
            let frame: [UInt8] = [0, 0, 0, 2, 7, 8]
            #expect(write(sockets[1], frame, frame.count) == frame.count)
            close(sockets[1])
            var buffer = [UInt8](repeating: 0, count: 8)
            #expect(input.read(&buffer, maxLength: 8) == 2)
            #expect(input.read(&buffer, maxLength: 8) == -1)
            for stream in [input, output] as [Stream] {
                #expect(stream.streamStatus == .error)
                let error = stream.streamError as NSError?
                #expect(error?.code == 4608 && error?.domain == NSCocoaErrorDomain)
                #expect((error?.userInfo[NSUnderlyingErrorKey] as? POSIXError)?.code == .ECONNRESET)
                #expect(error?.localizedDescription.contains("has ended, or the connection to it broke") == true)
            }
            #expect(output.write([1], maxLength: 1) == -1)
            _ = (runtime, activity)
        }
    }

    @Test("a pair that this app opened too late says so, and does not blame the other app (H-78)")
    func neglected() async throws {
        var sockets: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
        var settings = StreamEndpoint.Settings()
        settings.openDeadline = .milliseconds(20)
        let endpoint = try await StreamEndpoint.start(BytePipe.adopt(socket: sockets[0]), settings: settings)
        let (broken, observing) = AsyncStream.makeStream(of: Void.self)
        endpoint.observeInput { if endpoint.input == .broken { observing.finish() } }
        if endpoint.input != .broken { for await _ in broken {} }
        endpoint.observeInput(nil)
        let (input, output) = (ContinuationInputStream(endpoint), ContinuationOutputStream(endpoint))
        for stream in [input, output] as [Stream] {
            stream.open()
            #expect(stream.streamStatus == .error)
            let error = stream.streamError as NSError?
            #expect(error?.code == 4608 && error?.localizedDescription.contains("not opened in time") == true)
            #expect((error?.userInfo[NSUnderlyingErrorKey] as? POSIXError)?.code == .ETIMEDOUT)
        }
        close(sockets[1])
    }

    @Test("an input that the other app closes is an error of the output alone")
    func refused() async throws {
        try await withStreams { input, output, far in
            input.open()
            output.open()
            far.closeInput()
            let stream = WeakStream(stream: output)
            _ = await onThread { () -> Int in
                let bytes = [UInt8](repeating: 0, count: 65_536)
                while let output = stream.stream, output.write(bytes, maxLength: bytes.count) > 0 {}
                return 0
            }
            #expect(output.streamStatus == .error)
            let underlying = (output.streamError as NSError?)?.userInfo[NSUnderlyingErrorKey] as? POSIXError
            #expect(underlying?.code == .EPIPE)
            #expect(input.streamStatus == .open)
        }
    }

    @Test("streams that nobody holds close themselves, and the other app is told")
    func dropped() async throws {
        try await withApp { app in
            let activity = try await continued(app)
            _ = try await activity.continuationStreams()
            let far = try #require(await app.pipes.next()).far
            #expect(await onThread { far.readText() } == ".end")
            let isRefused = await onThread { () -> Bool in
                let bytes = [UInt8](repeating: 0, count: 65_536)
                while case .bytes = bytes.withUnsafeBytes({ far.write($0) }) {}
                return far.output == .refused
            }
            #expect(isRefused)
        }
    }

    // MARK: Events

    @Test("a delegate on a run loop of its own is told of the opening, of bytes after each read, and of the end, once")
    func inputEvents() async throws {
        try await withStreams { input, _, far in
            let listener = Listener(reading: 4)
            listener.run(input)
            #expect(try await listener.next() == "opened")
            _ = await onThread { Array("abcdef".utf8).withUnsafeBytes { far.write($0) } }
            #expect(try await listener.next() == "bytes abcd")
            #expect(try await listener.next() == "bytes ef")
            far.closeOutput()
            #expect(try await listener.next() == "end")
            listener.stop()
            try await listener.ended()
            #expect(listener.pending.isEmpty)
        }
    }

    @Test("a delegate of an output is told of space after each write, and not while the other app does not read")
    func outputEvents() async throws {
        try await withStreams { input, output, far in
            let listener = Listener(writing: 300_000)
            listener.run(output)
            #expect(try await listener.next() == "opened")
            var written = 0
            while written < StreamFrame.window {
                let event = try #require(await listener.next())
                written += try #require(Int(event.split(separator: " ").last ?? ""))
            }
            #expect(written == StreamFrame.window)
            #expect(!output.hasSpaceAvailable)
            let read = await onThread { () -> Int in
                var buffer = [UInt8](repeating: 0, count: StreamFrame.window)
                guard case .bytes(let count) = buffer.withUnsafeMutableBytes({ far.read(into: $0) }) else { return 0 }
                return count
            }
            #expect(read > 0)
            #expect(try await listener.next()?.hasPrefix("space") == true)
            listener.stop()
            try await listener.ended()
            withExtendedLifetime(input) {}
        }
    }

    @Test("on the main run loop events come through the main queue, which needs no run loop that runs")
    func mainEvents() async throws {
        try await withStreams { input, _, far in
            let listener = Listener(reading: 16)
            input.delegate = listener
            input.schedule(in: .main, forMode: .default)
            input.open()
            #expect(try await listener.next() == "opened main")
            _ = await onThread { Array("main".utf8).withUnsafeBytes { far.write($0) } }
            #expect(try await listener.next() == "bytes main main")
            input.remove(from: .main, forMode: .default)
            far.closeOutput()
            while input.streamStatus != .atEnd {
                try await Task.sleep(for: .milliseconds(5))  // sleeps: there are no more events
            }
            #expect(listener.pending.isEmpty)
        }
    }

    // MARK: The origin

    @Test("the delegate gets the ends of a pair that another device asked for, unopened (H-43, H-79)")
    func receives() async throws {
        try await withApp { app in
            let delegate = StreamDelegate()
            let activity = try await app.current()
            activity.delegate = delegate
            activity.supportsContinuationStreams = true
            _ = try await app.nextUpdate()
            let answer = try await app.ask(
                .receiveStream(
                    .with {
                        $0.activityID = activity.id.rawValue
                        $0.streamID = "S"
                    }))
            #expect(answer == .done(.init()))
            let request = StreamRequest.accept(
                .with {
                    $0.sessionID = "session-1"
                    $0.streamID = "S"
                })
            let pipe = try #require(await app.pipes.next())
            #expect(pipe.request == request)
            #expect(try await delegate.received.next() == "Title? notOpen notOpen off-main")
        }
    }

    @Test("an activity without delegate or without supportsContinuationStreams takes none: the daemon is told (H-34)")
    func declines() async throws {
        try await withApp { app in
            let activity = try await app.current()
            for id in [activity.id.rawValue, ActivityID.random().rawValue] {
                let answer = try await app.ask(
                    .receiveStream(
                        .with {
                            $0.activityID = id
                            $0.streamID = "S"
                        }))
                guard case .error(let error)? = answer else { throw UnexpectedCall() }
                #expect(error.code == 4608)
            }
            #expect(app.pipes.pending.isEmpty)
        }
    }
}

/// Runs what waits on a thread of its own.
private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}

extension StreamEndpoint {
    /// The text until the stream's end, and how it ended.
    fileprivate func readText() -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 256)
        while true {
            let result = buffer.withUnsafeMutableBytes { read(into: $0) }
            guard case .bytes(let count) = result else { return String(decoding: text, as: UTF8.self) + ".\(result)" }
            text += buffer[..<count]
        }
    }
}

/// Hears the events of one stream, and reads or writes at each as an app does.
private final class Listener: NSObject, Foundation.StreamDelegate, @unchecked Sendable {
    // @unchecked: all stored properties are constants that may be used from any thread.
    private let events = Mailbox<String>()
    private let end = Mailbox<Void>()
    private let isStopped = Atomic<Bool>(false)
    private let reading: Int
    private let writing: Int

    init(reading: Int = 0, writing: Int = 0) {
        self.reading = reading
        self.writing = writing
    }

    func next() async throws -> String? { try await events.next() }
    var pending: [String] { events.pending }
    func stop() { isStopped.store(true, ordering: .relaxed) }
    func ended() async throws { _ = try await end.next() }

    /// Schedules and opens the stream on a thread that runs its run loop.
    func run(_ stream: Stream) {
        let reference = WeakStream(stream: stream)
        Thread.detachNewThread { [self] in
            guard let stream = reference.stream else { return }
            stream.delegate = self
            stream.schedule(in: .current, forMode: .default)
            stream.open()
            while !isStopped.load(ordering: .relaxed) { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.02)) }
            stream.remove(from: .current, forMode: .default)
            end.send(())
        }
    }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
        let place = isOnMainQueue ? " main" : ""
        switch eventCode {
        case .openCompleted: events.send("opened" + place)
        case .endEncountered: events.send("end" + place)
        case .errorOccurred: events.send("error" + place)
        case .hasBytesAvailable:
            var buffer = [UInt8](repeating: 0, count: reading)
            let count = (aStream as? InputStream)?.read(&buffer, maxLength: reading) ?? -1
            events.send("bytes " + String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) + place)
        case .hasSpaceAvailable:
            let bytes = [UInt8](repeating: 1, count: writing)
            events.send("space \((aStream as? OutputStream)?.write(bytes, maxLength: writing) ?? -1)")
        default: events.send("something else")
        }
    }
}

private final class StreamDelegate: NSObject, NSUserActivityDelegate, Sendable {
    let received = Mailbox<String>()

    func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
    ) {
        received.send(
            "\(userActivity.title ?? "Title?") \(inputStream.streamStatus) \(outputStream.streamStatus) "
                + (isOnMainQueue ? "main" : "off-main"))
    }
}
