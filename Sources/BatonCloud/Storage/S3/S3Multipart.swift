import BatonCore
import Foundation
import NIOHTTP1

/// Stores a large object in parts, each of which is checked and tried again on its own. It is there when all are.
struct S3Multipart: Sendable {
    let client: S3Client
    let key: String
    let partSize: Int

    func store(_ content: Data) async throws {
        let begun = try await client.send(S3Client.Request(method: .POST, key: key, query: [("uploads", "")]))
        guard let upload = S3Document.first("UploadId", in: begun.text) else { throw Self.notUnderstood }
        do {
            try await complete(upload, tags: try await parts(of: content, upload))
        } catch {
            // Parts that remain anyway are left to the store's own lifecycle rule.
            _ = try? await client.send(
                S3Client.Request(method: .DELETE, key: key, query: [("uploadId", upload)]), accepted: [200, 204, 404])
            throw error
        }
    }

    private func parts(of content: Data, _ upload: String) async throws -> [String] {
        var tags: [String] = []
        for start in stride(from: 0, to: content.count, by: partSize) {
            let part = content.subdata(in: start..<min(content.count, start + partSize))
            let answer = try await client.send(
                S3Client.Request(
                    method: .PUT, key: key, query: [("partNumber", "\(tags.count + 1)"), ("uploadId", upload)],
                    body: part, isStoring: true))
            guard let tag = answer.tag else { throw Self.notUnderstood }
            tags.append(tag)
        }
        return tags
    }

    private func complete(_ upload: String, tags: [String]) async throws {
        let list = tags.enumerated().map { number, tag in
            "<Part><PartNumber>\(number + 1)</PartNumber><ETag>\"\(S3Document.escaped(tag))\"</ETag></Part>"
        }
        let body = "<CompleteMultipartUpload>\(list.joined())</CompleteMultipartUpload>"
        let answer = try await client.send(
            S3Client.Request(method: .POST, key: key, query: [("uploadId", upload)], body: Data(body.utf8)))
        // An answer that began well may end badly.
        guard S3Document.first("ETag", in: answer.text) != nil else { throw Self.notUnderstood }
    }

    private static let notUnderstood = BatonError(
        .unavailable, reason: "blob_storage_failed", "The object store sent an invalid response. Try again.")
}
