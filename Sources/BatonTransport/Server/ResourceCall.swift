import BatonConcurrency
package import BatonCore
import BatonWire
package import HTTPTypes
import HummingbirdCore
package import NIOCore
import NIOHTTPTypes
import Synchronization

/// A plain HTTP request that a resource answers.
package final class ResourceCall: Sendable {
    package let method: HTTPRequest.Method
    /// Without the prefix of the resource, and without the query.
    package let path: String
    /// The query as it stands in the request.
    package let query: String
    package let headers: HTTPFields
    package let context: CallContext
    let channel: any Channel
    private let body: RequestBody
    private let answer = Mutex(Answer())

    private struct Answer {
        var hasBegun = false
        var status: HTTPResponse.Status?
        var fields: HTTPFields = [:]
    }

    /// How long the caller may take to send another part, or to take one.
    private static let partTimeout = Duration.seconds(30)

    init(request: Request, path: String, _ context: CallContext, _ channel: any Channel) {
        method = request.method
        self.path = path
        let target = request.head.path ?? ""
        query = target.firstIndex(of: "?").map { String(target[$0...].dropFirst()) } ?? ""
        headers = request.headers
        self.context = context
        self.channel = channel
        body = request.body
    }

    var hasBegun: Bool { answer.withLock { $0.hasBegun } }
    var hasBody: Bool { method != .get && method != .head }

    /// Ends the connection with all calls in progress.
    package func abandon() { channel.close(promise: nil) }

    /// The same for all calls of one connection, for as long as it is open.
    package var connection: ObjectIdentifier { ObjectIdentifier(channel) }

    /// The caller has not hung up, as far as is known.
    package var isConnected: Bool { channel.isActive }

    /// Calls `body` once the connection is closed, at once if it is already.
    package func whenClosed(_ body: @escaping @Sendable () -> Void) {
        channel.closeFuture.whenComplete { _ in body() }
    }

    /// The body's declared length; nil when it comes in chunks.
    package var length: UInt64? { headers[.contentLength].flatMap { UInt64($0) } }

    /// Reads the body, once. A caller that stops sending is cut off.
    package func read(_ take: (ByteBuffer) async throws -> Void) async throws {
        if headers[.expect] != nil { channel.triggerUserOutboundEvent(HTTPRules.BodyIsWanted(), promise: nil) }
        var timer = beginPart()
        defer { DeadlineTimer.shared.cancel(timer) }
        for try await part in body {
            DeadlineTimer.shared.cancel(timer)
            try await take(part)
            timer = beginPart()
        }
    }

    /// An error to throw that sets the answer's status and additional header fields.
    package func refusal(_ status: HTTPResponse.Status, _ fields: HTTPFields, _ error: BatonError) -> BatonError {
        answer.withLock {
            $0.status = status
            $0.fields = fields
        }
        return error
    }

    /// The answer to an error.
    func head(of error: BatonError) -> (HTTPResponse.Status, HTTPFields) {
        answer.withLock { ($0.status ?? .init(code: ConnectError.status(of: error.code)), $0.fields) }
    }

    /// Begins the answer.
    package func begin(_ status: HTTPResponse.Status, _ fields: HTTPFields) async throws {
        answer.withLock { $0.hasBegun = true }
        try await send(.head(HTTPResponse(status: status, headerFields: fields)))
    }

    /// Returns once the socket has taken it. A caller that stops reading is cut off.
    package func write(_ bytes: ByteBuffer) async throws { try await send(.body(bytes)) }

    /// A caller that has all of an answer of a known length may be gone before its end.
    package func end() async throws {
        do {
            try await send(.end(nil))
        } catch is CancellationError where !channel.isActive {}
    }

    /// The whole of a short answer.
    package func respond(_ status: HTTPResponse.Status, contentType: String, _ text: String) async throws {
        try await begin(status, [.contentType: contentType, .contentLength: String(text.utf8.count)])
        if method != .head { try await write(ByteBuffer(string: text)) }
        try await end()
    }

    private func send(_ part: HTTPResponsePart) async throws {
        let timer = beginPart()
        defer { DeadlineTimer.shared.cancel(timer) }
        do {
            try await channel.writeAndFlush(part).get()
        } catch {
            // A caller that goes away gives up its call; nothing failed here.
            throw channel.isActive ? error : CancellationError()
        }
    }

    private func beginPart() -> DeadlineTimer.Entry {
        DeadlineTimer.shared.schedule(after: Self.partTimeout) { [channel] in channel.close(promise: nil) }
    }
}
