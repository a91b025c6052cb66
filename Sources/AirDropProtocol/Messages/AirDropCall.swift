package import BatonCore
import Files

/// The three requests of the protocol, all `POST` over HTTP/1.1 and TLS.
package enum AirDropCall: String, CaseIterable, Sendable {
    case discover = "/Discover"
    case ask = "/Ask"
    case upload = "/Upload"

    package static let userAgent = "AirDrop/1.0"
    package static let propertyListType = "application/octet-stream"
    /// A cpio archive, compressed with gzip, without a `Content-Encoding`.
    package static let archiveType = "application/x-cpio"

    /// - Parameter target: the request's, which may have a query; the query is ignored.
    package init?(target: String) {
        self.init(rawValue: String(target.prefix { $0 != "?" }))
    }

    package var contentType: String { self == .upload ? Self.archiveType : Self.propertyListType }

    /// Bytes of the largest body that is read whole; nil for the archive, which is read as a stream.
    package var maximumBodySize: Int? {
        switch self {
        case .discover: AirDropLimits.discoverSize
        case .ask: AirDropLimits.askSize
        case .upload: nil
        }
    }

    /// - Throws: `invalid_argument` with reason `airdrop_wrong_archive_type` (HTTP 406) when an upload is not the archive
    ///   of this protocol.
    package static func checkUpload(contentType: String?) throws(BatonError) {
        let type = contentType?.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        guard type == archiveType else {
            throw BatonError(
                .invalidArgument, reason: "airdrop_wrong_archive_type",
                "The sender uploads \(SafeName.display(contentType ?? "something without a type")), and this device only "
                    + "takes \(archiveType).")
        }
    }
}
