package import BatonCore
package import Foundation

/// A site's file `apple-app-site-association`, read and verified: plain JSON, or JSON in a signed PKCS#7 message.
package struct SiteFile: Sendable {
    /// Bytes of the file as it is served, signed or not.
    package static let maximumSize = 128 << 10
    package static let name = "apple-app-site-association"

    package let association: SiteAssociation
    /// Nil for plain JSON.
    package let signer: SiteFileSigner?

    /// - Parameters:
    ///   - contentType: as served; nil when the file came from elsewhere and has none.
    ///   - anchors: the certificates that the chain of a signature must lead to.
    ///   - time: at which certificates must be valid.
    /// - Throws: ``BatonError`` with a reason of its own for each thing that is wrong: `site_file_too_large`,
    ///   `site_file_empty`, `site_file_content_type`, `site_file_form`, `site_file_not_json`, `site_file_too_deep`,
    ///   `site_file_duplicate_key`, `site_file_wrong_type`, `site_file_patterns_too_long`,
    ///   `site_file_signature_malformed`, `site_file_signature_invalid`, `site_file_signer_expired`,
    ///   `site_file_signer_not_yet_valid`, `site_file_signer_untrusted`.
    package init(
        _ bytes: [UInt8], contentType: String?, anchors: TrustAnchors, time: Date
    ) async throws(BatonError) {
        guard bytes.count <= Self.maximumSize else { throw Self.tooLarge }
        let form = try Form(bytes)
        if let contentType { try form.check(contentType) }
        switch form {
        case .json:
            association = try SiteAssociation(json: bytes)
            signer = nil
        case .signed:
            let (content, signer) = try await SignedSiteFile.open(bytes, anchors: anchors, time: time)
            association = try SiteAssociation(json: content)
            self.signer = signer
        }
    }

    static let tooLarge = BatonError(
        .resourceExhausted, reason: "site_file_too_large",
        "The file is too large: it has more than \(maximumSize >> 10) KB (\(maximumSize) bytes), the limit for site "
            + "files, signed or not. Shorten it.")

    private enum Form {
        case json, signed

        init(_ bytes: [UInt8]) throws(BatonError) {
            func unusable(_ what: String) -> BatonError {
                BatonError(
                    .invalidArgument, reason: "site_file_form",
                    "The file is \(what). Serve JSON, or a signed file as “baton links sign” makes it.")
            }
            guard let first = bytes.first else {
                throw BatonError(.invalidArgument, reason: "site_file_empty", "The file is empty.")
            }
            // A SEQUENCE of ASN.1; no JSON that could be meant begins with the digit 0.
            if first == 0x30 {
                self = .signed
                return
            }
            let start = String(decoding: bytes.prefix(64), as: UTF8.self)
            if start.hasPrefix("-----BEGIN") { throw unusable("in PEM form, not DER: sign it with -outform DER") }
            if start.hasPrefix("MIME-Version:") { throw unusable("an S/MIME mail, not DER: sign it with -outform DER") }
            if bytes.starts(with: [0x1F, 0x8B]) { throw unusable("compressed") }
            if first == UInt8(ascii: "<") {
                throw unusable("HTML or XML, such as a page that says that nothing is there")
            }
            self = .json
        }

        /// H-92: which content type goes with which form.
        func check(_ contentType: String) throws(BatonError) {
            let essence = contentType.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
            let allowed: [String] =
                switch self {
                case .json: ["application/json"]
                case .signed: ["application/pkcs7-mime", "application/x-pkcs7-mime"]
                }
            guard !allowed.contains(essence) else { return }
            throw BatonError(
                .failedPrecondition, reason: "site_file_content_type",
                "The file is \(self == .json ? "plain JSON" : "signed") and served with the content type "
                    + "“\(contentType.prefix(100))”. Serve it as \(allowed[0]).")
        }
    }
}
