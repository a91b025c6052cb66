import BatonCore
import BatonWire
import Foundation
import NIOCore

/// An app's end of a pair of continuation streams, over a pipe to the daemon.
///
/// Safe to use from any thread. Reading and writing can wait, for the threads of apps: never call the waiting forms from
/// an event loop or a task. Bounds: ``StreamFrame/window`` bytes that came and were not read, which the protocol holds the
/// other side to, and ``maximumQueued`` bytes that were written and not sent, at which a writer waits.
package final class StreamEndpoint: @unchecked Sendable {
    // Invariant: what is below `condition` is used only while it is locked. `NSCondition`, as a `Mutex` has nothing to
    // wait for.
    private let condition = NSCondition()
    private var end = StreamEnd()
    private var decoder = StreamFrameDecoder()
    private var inbox = ByteBuffer()
    private var outbox = ByteBuffer()
    private var queued = 0
    private var isDraining = false
    private var isOpened = false
    private var isOutputClosed = false
    private var isLingering = false
    private var onInput: (@Sendable () -> Void)?
    private var onOutput: (@Sendable () -> Void)?

    private let channel: any Channel
    private let settings: Settings

    package static let maximumQueued = 256 << 10

    package struct Settings: Sendable {
        /// A pair of which nothing is opened for so long has broken.
        package var openDeadline = Duration.seconds(60)
        /// How long the other side may take to agree that everything has ended, once this app has closed both.
        package var lingering = Duration.seconds(10)

        package init() {}
    }

    package enum Reading: Equatable, Sendable {
        case bytes(Int)
        /// The other app has closed its output; everything was read.
        case end
        /// The connection broke before the end.
        case broken
        /// This side was closed.
        case closed
        /// Nothing has come; only when not waiting.
        case nothing
    }

    package enum Writing: Equatable, Sendable {
        case bytes(Int)
        case broken
        /// The other app has closed its input.
        case refused
        case closed
        /// There is no room; only when not waiting.
        case nothing
    }

    private init(channel: any Channel, settings: Settings) {
        self.channel = channel
        self.settings = settings
    }

    /// Takes the pipe over.
    /// - Throws: `unavailable` when the connection is closed.
    package static func start(_ pipe: BytePipe, settings: Settings = Settings()) async throws -> StreamEndpoint {
        let endpoint = StreamEndpoint(channel: pipe.channel, settings: settings)
        do {
            try await pipe.channel.eventLoop.submit {
                try pipe.install(EndpointHandler(endpoint))
                try pipe.channel.syncOptions?.setOption(.autoRead, value: true)
                endpoint.limitUnopened()
            }.get()
        } catch {
            pipe.close()
            throw BatonError(
                .unavailable, reason: "connection_closed", "The stream's connection was closed.", cause: error)
        }
        return endpoint
    }

    private func limitUnopened() {
        let timer = channel.eventLoop.scheduleTask(in: TimeAmount(settings.openDeadline)) { [weak self] in
            guard let self else { return }
            let isForgotten = locked { !isOpened }
            if isForgotten { channel.close(promise: nil) }
        }
        channel.closeFuture.whenComplete { _ in timer.cancel() }
    }

    private func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        condition.lock()
        defer { condition.unlock() }
        return try body()
    }

    // MARK: The app's side

    /// One of the pair was opened.
    package func noteOpened() { locked { isOpened = true } }

    /// Called, on any thread, whenever reading may bring something else than before; replaces the one before.
    package func observeInput(_ observer: (@Sendable () -> Void)?) { locked { onInput = observer } }
    package func observeOutput(_ observer: (@Sendable () -> Void)?) { locked { onOutput = observer } }

    /// What reading would bring now, without reading.
    package var input: Reading { locked { reading } }
    package var output: Writing { locked { writing } }

    private var reading: Reading {
        if end.isInputClosed { return .closed }
        if inbox.readableBytes > 0 { return .bytes(inbox.readableBytes) }
        if end.hasReceivedEnd { return .end }
        return end.isBroken ? .broken : .nothing
    }

    private var writing: Writing {
        if isOutputClosed { return .closed }
        if end.isRefused { return .refused }
        if end.isBroken { return .broken }
        let room = min(end.room, Self.maximumQueued - queued)
        return room > 0 ? .bytes(room) : .nothing
    }

    package func read(into target: UnsafeMutableRawBufferPointer, waits: Bool = true) -> Reading {
        condition.lock()
        defer { condition.unlock() }
        while true {
            switch reading {
            case .bytes:
                let count = inbox.readWithUnsafeReadableBytes { bytes in
                    let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(target.count))
                    target.copyMemory(from: part)
                    return part.count
                }
                if inbox.readableBytes == 0 { inbox.clear() }
                queue(end.consumed(count))
                return .bytes(count)
            case .nothing where waits: condition.wait()
            case let other: return other
            }
        }
    }

    /// Takes as much as there is room for, at least one byte when it waits.
    package func write(_ source: UnsafeRawBufferPointer, waits: Bool = true) -> Writing {
        guard !source.isEmpty else { return .bytes(0) }
        condition.lock()
        defer { condition.unlock() }
        while true {
            switch writing {
            case .bytes: return .bytes(enqueue(source))
            case .nothing where waits: condition.wait()
            case let other: return other
            }
        }
    }

    private func enqueue(_ source: UnsafeRawBufferPointer) -> Int {
        var taken = 0
        while taken < source.count {
            let count = end.send(upTo: min(source.count - taken, Self.maximumQueued - queued))
            guard count > 0 else { break }
            StreamFrame.data(count: count).write(into: &outbox)
            outbox.writeBytes(UnsafeRawBufferPointer(rebasing: source[taken..<taken + count]))
            taken += count
            queued += count
        }
        drainSoon()
        return taken
    }

    /// Nothing more is read; what has come and comes is thrown away.
    package func closeInput() {
        locked {
            queue(end.closeInput())
            inbox = ByteBuffer()
            lingerIfClosed()
            condition.broadcast()
        }
    }

    /// Nothing more is written; what was written is sent, and then the end.
    package func closeOutput() {
        locked {
            isOutputClosed = true
            queue(end.closeOutput())
            lingerIfClosed()
            condition.broadcast()
        }
    }

    private func lingerIfClosed() {
        guard isOutputClosed, end.isInputClosed, !isLingering else { return }
        isLingering = true
        let channel = channel
        let timer = channel.eventLoop.scheduleTask(in: TimeAmount(settings.lingering)) { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in timer.cancel() }
    }

    // MARK: The connection's side

    private func queue(_ frames: [StreamFrame]) {
        guard !frames.isEmpty else { return }
        for frame in frames { frame.write(into: &outbox) }
        drainSoon()
    }

    /// Sends what is in the outbox, in one write, after the one before.
    private func drainSoon() {
        guard !isDraining, outbox.readableBytes > 0 else { return }
        isDraining = true
        channel.eventLoop.execute { self.drain() }
    }

    private func drain() {
        let (bytes, count) = locked {
            defer { outbox = ByteBuffer() }
            return (outbox, queued)
        }
        channel.writeAndFlush(bytes).whenComplete { _ in self.drained(count) }
    }

    private func drained(_ count: Int) {
        let isOver = locked {
            queued -= count
            isDraining = false
            drainSoon()
            condition.broadcast()
            return end.isFinished && !isDraining
        }
        if isOver { channel.close(promise: nil) }
        changed(input: false)
    }

    fileprivate func received(_ bytes: ByteBuffer) {
        let isOver = locked {
            decoder.append(bytes)
            do {
                while let item = try decoder.next() { try apply(item) }
            } catch {
                end.connectionClosed()
            }
            condition.broadcast()
            return end.isBroken || (end.isFinished && !isDraining)
        }
        if isOver { channel.close(promise: nil) }
        changed()
    }

    private func apply(_ item: StreamFrameDecoder.Item) throws(BatonError) {
        switch item {
        case .data(let bytes):
            if try end.receivedData(bytes.readableBytes) { keep(bytes) }
        case .credit(let count): try end.receivedCredit(count)
        case .end: queue(try end.receivedEnd())
        case .stop: queue(try end.receivedStop())
        case .done: try end.receivedDone()
        }
    }

    private func keep(_ bytes: ByteBuffer) {
        guard inbox.readableBytes > 0 else {
            inbox = bytes
            return
        }
        // So that what was read does not count for ever.
        if inbox.readerIndex > StreamFrame.window { inbox.discardReadBytes() }
        inbox.writeImmutableBuffer(bytes)
    }

    fileprivate func connectionClosed() {
        locked {
            end.connectionClosed()
            condition.broadcast()
        }
        changed()
    }

    private func changed(input: Bool = true) {
        let observers = locked { [input ? onInput : nil, onOutput] }
        for observer in observers { observer?() }
    }
}

/// Hands the endpoint what comes.
private final class EndpointHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let endpoint: StreamEndpoint

    init(_ endpoint: StreamEndpoint) { self.endpoint = endpoint }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { endpoint.received(unwrapInboundIn(data)) }

    func channelInactive(context: ChannelHandlerContext) {
        endpoint.connectionClosed()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
