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
    /// As they came; none is empty.
    private var inbox = CircularBuffer<ByteBuffer>()
    private var unread = 0
    private var outbox = ByteBuffer()
    /// The last buffer sent, kept for reuse: memory of this size is slow to allocate.
    private var spare = ByteBuffer()
    private var queued = 0
    private var isDraining = false
    private var isOpened = false
    private var isNeglected = false
    private var isOutputClosed = false
    private var isLingering = false
    private var onInput: (@Sendable () -> Void)?
    private var onOutput: (@Sendable () -> Void)?

    private let channel: any Channel
    private let settings: Settings

    package static let maximumQueued = 256 << 10
    private static let smallRead = 64 << 10

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
        /// Nothing has arrived; only when not waiting.
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
                try pipe.readMuch()
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
            let isForgotten = locked {
                isNeglected = !isOpened && !end.isBroken
                return !isOpened
            }
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

    /// This app opened neither stream in time: that is what broke them.
    package var wasNeglected: Bool { locked { isNeglected } }

    /// Called, on any thread, whenever reading may bring something else than before; replaces the one before.
    package func observeInput(_ observer: (@Sendable () -> Void)?) { locked { onInput = observer } }
    package func observeOutput(_ observer: (@Sendable () -> Void)?) { locked { onOutput = observer } }

    /// The result that reading would have now, without reading.
    package var input: Reading { locked { reading } }
    package var output: Writing { locked { writing } }

    private var reading: Reading {
        if end.isInputClosed { return .closed }
        if unread > 0 { return .bytes(unread) }
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
                let count = take(into: target)
                queue(end.consumed(count))
                return .bytes(count)
            case .nothing where waits: condition.wait()
            case let other: return other
            }
        }
    }

    private func take(into target: UnsafeMutableRawBufferPointer) -> Int {
        var taken = 0
        while taken < target.count, !inbox.isEmpty {
            taken += inbox[inbox.startIndex].readWithUnsafeReadableBytes { bytes in
                let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(target.count - taken))
                UnsafeMutableRawBufferPointer(rebasing: target[taken...]).copyMemory(from: part)
                return part.count
            }
            if inbox[inbox.startIndex].readableBytes == 0 { inbox.removeFirst() }
        }
        unread -= taken
        return taken
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

    /// Nothing more is read; received bytes are discarded.
    package func closeInput() {
        locked {
            queue(end.closeInput())
            inbox.removeAll()
            unread = 0
            lingerIfClosed()
            condition.broadcast()
        }
    }

    /// Nothing more is written; written bytes are sent, and then the end.
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
            defer {
                outbox = spare
                spare = ByteBuffer()
            }
            return (outbox, queued)
        }
        channel.writeAndFlush(bytes).whenComplete { _ in self.drained(count, bytes) }
    }

    private func drained(_ count: Int, _ bytes: consuming ByteBuffer) {
        bytes.clear()
        let isOver = locked { [bytes] in
            spare = bytes
            queued -= count
            isDraining = false
            drainSoon()
            condition.broadcast()
            return end.isFinished && !isDraining
        }
        if isOver { channel.close(promise: nil) }
        changed(input: false)
    }

    /// Handles all buffers received at once, so that a waiting reader is woken once for all of them.
    fileprivate func received(_ burst: [ByteBuffer]) {
        let isOver = locked {
            do {
                for bytes in burst {
                    decoder.append(bytes)
                    while let item = try decoder.next() { try apply(item) }
                }
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
        unread += bytes.readableBytes
        // A small part would keep alive all that came with it: what is kept stays below four times what is unread.
        guard bytes.readableBytes * 4 < bytes.storageCapacity else { return inbox.append(bytes) }
        if let last = inbox.indices.last, inbox[last].readableBytes < Self.smallRead {
            // So that what was read does not count for ever.
            if inbox[last].readerIndex > Self.smallRead { inbox[last].discardReadBytes() }
            inbox[last].writeImmutableBuffer(bytes)
        } else {
            inbox.append(ByteBuffer(bytes: bytes.readableBytesView))
        }
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
    /// The buffers of one read.
    private var burst: [ByteBuffer] = []

    init(_ endpoint: StreamEndpoint) { self.endpoint = endpoint }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { burst.append(unwrapInboundIn(data)) }

    func channelReadComplete(context: ChannelHandlerContext) { pass() }

    private func pass() {
        guard !burst.isEmpty else { return }
        // Taken first: the endpoint may close the channel, which comes back here.
        let received = burst
        burst = []
        endpoint.received(received)
    }

    func channelInactive(context: ChannelHandlerContext) {
        pass()
        endpoint.connectionClosed()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
