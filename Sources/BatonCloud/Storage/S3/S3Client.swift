import AsyncHTTPClient
import BatonCore
import Crypto
import Foundation
import NIOCore
import NIOHTTP1

/// A client of an S3-compatible store. Transient failures are retried a bounded number of times, after random pauses
/// that grow.
final class S3Client: Sendable {
    struct Answer: Sendable {
        var status: Int
        var headers: HTTPHeaders
        var body: Data

        var text: String { String(decoding: body, as: UTF8.self) }
        /// The ETag of an object, without its quotes.
        var tag: String? { headers.first(name: "etag").map { $0.filter { $0 != "\"" } } }
    }

    struct Request: Sendable {
        var method: HTTPMethod
        /// Nil for the bucket.
        var key: String?
        var query: [(String, String)] = []
        var headers: [(String, String)] = []
        var body = Data()
        /// Limit of the answer's body, in bytes.
        var limit = 1 << 20
        /// The answer names the object by the MD5 of its bytes, which must be those that were sent.
        var isStoring = false
    }

    static let maximumAttempts = 6
    /// For one attempt, in seconds: this, and one for each 100 kB.
    private static let patience = 10
    /// Later than that no third attempt is begun: a device gives a call 30 seconds, and is to hear why.
    private static let persistence = Duration.seconds(12)
    private let location: S3Location
    /// Before each key, as lists return it.
    var prefix: String { location.prefix }
    private let signature: S3Signature
    private let clock: WallClock
    private let http: HTTPClient

    init(_ location: S3Location, _ credentials: S3Credentials, clock: WallClock) {
        self.location = location
        self.clock = clock
        signature = S3Signature(credentials: credentials, region: location.region)
        var configuration = HTTPClient.Configuration()
        configuration.timeout.connect = .seconds(5)
        // A store that goes silent is hung, however long the whole may take.
        configuration.timeout.read = .seconds(10)
        configuration.redirectConfiguration = .disallow
        configuration.httpVersion = .http1Only
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func close() async { try? await http.shutdown() }

    // A client whose creation failed half-way never reaches ``close()``, but must be shut down. A second shutdown is
    // harmless.
    deinit { http.shutdown { [http] _ in withExtendedLifetime(http) {} } }

    /// The answer, whatever the store decided: only what may be otherwise the next time is tried again.
    /// - Parameter accepted: statuses that the caller understands.
    func send(_ request: Request, accepted: Set<Int> = [200]) async throws -> Answer {
        var attempt = 0
        let start = ContinuousClock.now
        while true {
            attempt += 1
            var failure = Failure(status: 0, code: "no answer")
            do {
                let answer = try await once(request)
                if accepted.contains(answer.status) {
                    guard request.isStoring, !Self.isWhat(request.body, answer) else { return answer }
                    failure = Failure(status: answer.status, code: "the object is not what was sent")
                } else {
                    failure = Failure(
                        status: answer.status, code: S3Document.first("Code", in: answer.text) ?? "no code")
                    guard failure.isTransient else { throw failure.meaning }
                }
            } catch let error as BatonError {
                throw error
            } catch {
                // A call that was given up is not tried again.
                try Task.checkCancellation()
                failure = Failure(status: 0, code: "\(type(of: error))")
            }
            let isLate = attempt > 1 && start.duration(to: .now) > Self.persistence
            guard attempt < Self.maximumAttempts, !isLate else {
                throw failure.meaning
            }
            let ceiling = 100 << attempt
            try await Task.sleep(for: .milliseconds(Int.random(in: ceiling / 4...ceiling)))
        }
    }

    private func once(_ request: Request) async throws -> Answer {
        let path = "/\(location.bucket)" + (request.key.map { "/\(location.prefix)\($0)" } ?? "")
        let headers = signature.sign(
            request.method.rawValue, host: location.host, path: path, query: request.query, headers: request.headers,
            bodyHash: S3Signature.hash(request.body), date: clock.now)
        let query = S3Signature.escaped(request.query)
        var message = HTTPClientRequest(url: location.base + path + (query.isEmpty ? "" : "?" + query))
        message.method = request.method
        for (name, value) in headers where name != "host" { message.headers.add(name: name, value: value) }
        if !request.body.isEmpty || request.method == .PUT || request.method == .POST {
            message.body = .bytes(ByteBuffer(bytes: request.body))
        }
        let seconds = Self.patience + (request.body.count + request.limit) / 100_000
        let response = try await http.execute(message, deadline: .now() + .seconds(Int64(seconds)))
        let body = request.method == .HEAD ? ByteBuffer() : try await response.body.collect(upTo: request.limit)
        if request.method != .HEAD, let text = response.headers.first(name: "content-length"),
            let length = Int(text), length != body.readableBytes
        {
            throw Failure(status: 0, code: "the answer ends too early")
        }
        return Answer(
            status: Int(response.status.code), headers: response.headers, body: Data(body.readableBytesView))
    }

    /// Where the store returns the MD5 of what it has, which it does unless it encrypts with keys of its own.
    private static func isWhat(_ body: Data, _ answer: Answer) -> Bool {
        let encryption = answer.headers.first(name: "x-amz-server-side-encryption")
        guard let tag = answer.tag, tag.utf8.count == 32, encryption == nil || encryption == "AES256" else {
            return true
        }
        return Data(Insecure.MD5.hash(data: body)).hexadecimal == tag.lowercased()
    }

    struct Failure: Error {
        /// 0 when there was no whole answer.
        var status: Int
        var code: String

        var isTransient: Bool {
            status == 0 || status >= 500 && status != 507 || [408, 429].contains(status)
                || ["RequestTimeout", "SlowDown", "OperationAborted", "BadDigest", "XAmzContentSHA256Mismatch"]
                    .contains(code)
        }

        var meaning: BatonError {
            if status == 507 || code == "QuotaExceeded" || code == "XMinioStorageFull" {
                return BatonError(
                    .resourceExhausted, reason: "disk_full",
                    "The server's disk is full; nothing was changed. Try later.",
                    cause: self)
            }
            return BatonError(
                .unavailable, reason: "blob_storage_failed", "The server could not reach its blobs. Try again.",
                cause: self)
        }

        /// The error to report when the server tries the bucket at its start. The code is the store's own: letters and
        /// digits.
        var atStart: BatonError {
            guard status != 0, !isTransient else {
                return BatonError(
                    .unavailable, reason: "bucket_unreachable",
                    "The bucket does not answer. Check its address in --s3, and that it runs.", cause: self)
            }
            let advice =
                switch code {
                case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken":
                    "Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
                case "AuthorizationHeaderMalformed", "PermanentRedirect", "IllegalLocationConstraintException":
                    "Check the region: “?region=” at the end of --s3."
                case "NoSuchBucket": "Make the bucket first, or check its name in --s3."
                case "RequestTimeTooSkewed": "Set this machine's clock."
                case "AccessDenied": "Let these keys read, write, list and delete in the bucket."
                default: "Check its address in --s3, its region, and the keys."
                }
            let told = code.prefix(64).filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == " ") }
            return BatonError(
                .failedPrecondition, reason: "bucket_refused",
                "The bucket refused a test object, with status \(status) and “\(told)”. \(advice)", cause: self)
        }
    }
}
