import BatonCore
import SwiftASN1
import X509

/// The SignedData of a PKCS#7 (CMS, RFC 5652) message with its content inside: what `openssl smime -sign -nodetach
/// -outform DER` makes, with or without signed attributes (H-93).
///
/// The outer structure may be BER, as streaming signers write it; certificates and signed attributes are DER, since
/// they are what is signed.
struct SignedData {
    /// Certificates in one message. Paths are built from them, which must not take long.
    static let maximumCertificates = 10

    enum SignerIdentifier {
        case issuerAndSerialNumber(DistinguishedName, Certificate.SerialNumber)
        case subjectKeyIdentifier([UInt8])
    }

    /// Attributes that are signed in place of the content, whose digest is one of them.
    struct SignedAttributes {
        /// As they were signed: a SET.
        let bytes: [UInt8]
        let contentType: ASN1ObjectIdentifier?
        let messageDigest: [UInt8]?
    }

    let content: [UInt8]
    let certificates: [Certificate]
    let signer: SignerIdentifier
    let digestAlgorithm: ASN1ObjectIdentifier
    let signedAttributes: SignedAttributes?
    let signatureAlgorithm: ASN1ObjectIdentifier
    let signature: [UInt8]

    init(_ bytes: [UInt8]) throws(BatonError) {
        do {
            self = try Self.parse(try BER.parse(bytes))
        } catch let error as BatonError {
            throw error
        } catch {
            throw Self.malformed("it is no PKCS#7 SignedData in DER", error)
        }
    }

    private init(
        content: [UInt8], certificates: [Certificate], signer: SignerIdentifier, digestAlgorithm: ASN1ObjectIdentifier,
        signedAttributes: SignedAttributes?, signatureAlgorithm: ASN1ObjectIdentifier, signature: [UInt8]
    ) {
        self.content = content
        self.certificates = certificates
        self.signer = signer
        self.digestAlgorithm = digestAlgorithm
        self.signedAttributes = signedAttributes
        self.signatureAlgorithm = signatureAlgorithm
        self.signature = signature
    }

    // MARK: Parsing

    private static func parse(_ root: ASN1Node) throws -> SignedData {
        try BER.sequence(root, identifier: .sequence) { nodes in
            guard try ASN1ObjectIdentifier(derEncoded: &nodes) == .signedData else {
                throw malformed("it is PKCS#7, but not SignedData")
            }
            return try BER.explicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific, parseSignedData)
        }
    }

    private static func parseSignedData(_ node: ASN1Node) throws -> SignedData {
        try BER.sequence(node, identifier: .sequence) { nodes in
            _ = try Int(derEncoded: &nodes)
            // The digest algorithms: each signer names its own again.
            _ = nodes.next()
            let content = try parseContent(&nodes)
            var certificates: [Certificate] = []
            var signers: [ASN1Node] = []
            while let node = nodes.next() {
                switch node.identifier {
                case tag(0): certificates = try parseCertificates(node)
                case tag(1): break
                case .set: signers += try children(node)
                default: throw malformed("it has a part that SignedData has not")
                }
            }
            guard let signer = signers.first, signers.count == 1 else {
                throw malformed("it has \(signers.count) signers. Sign it with one")
            }
            return try parseSigner(signer, content: content, certificates: certificates)
        }
    }

    private static func parseContent(_ nodes: inout ASN1NodeCollection.Iterator) throws -> [UInt8] {
        guard let node = nodes.next() else { throw malformed("it has no content") }
        return try BER.sequence(node, identifier: .sequence) { nodes in
            guard try ASN1ObjectIdentifier(derEncoded: &nodes) == .data else {
                throw malformed("its content is not of the type “data”")
            }
            let content = try BER.optionalExplicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) { node in
                Array(try ASN1OctetString(berEncoded: node).bytes)
            }
            guard let content else { throw malformed("its content is detached. Sign it with -nodetach") }
            return content
        }
    }

    private static func parseCertificates(_ node: ASN1Node) throws -> [Certificate] {
        let nodes = try children(node)
        guard nodes.count <= maximumCertificates else {
            throw malformed("it has more than \(maximumCertificates) certificates")
        }
        return try nodes.map { try Certificate(derEncoded: $0) }
    }

    private static func parseSigner(
        _ node: ASN1Node, content: [UInt8], certificates: [Certificate]
    ) throws -> SignedData {
        try BER.sequence(node, identifier: .sequence) { nodes in
            _ = try Int(derEncoded: &nodes)
            guard let identifier = nodes.next() else { throw malformed("its signer is not named") }
            let signer = try parseIdentifier(identifier)
            let digestAlgorithm = try parseAlgorithm(&nodes)
            let attributes = try BER.optionalImplicitlyTagged(
                &nodes, tagNumber: 0, tagClass: .contextSpecific, parseAttributes)
            let signatureAlgorithm = try parseAlgorithm(&nodes)
            let signature = try ASN1OctetString(berEncoded: &nodes)
            // Attributes that are not signed say nothing that could be believed.
            while nodes.next() != nil {}
            return SignedData(
                content: content, certificates: certificates, signer: signer, digestAlgorithm: digestAlgorithm,
                signedAttributes: attributes, signatureAlgorithm: signatureAlgorithm,
                signature: Array(signature.bytes))
        }
    }

    private static func parseIdentifier(_ node: ASN1Node) throws -> SignerIdentifier {
        if node.identifier == tag(0), case .primitive(let bytes) = node.content {
            return .subjectKeyIdentifier(Array(bytes))
        }
        return try DER.sequence(node, identifier: .sequence) { nodes in
            guard let issuer = nodes.next() else { throw malformed("its signer's issuer is missing") }
            return .issuerAndSerialNumber(
                try DistinguishedName(derEncoded: issuer),
                Certificate.SerialNumber(bytes: try ArraySlice<UInt8>(derEncoded: &nodes)))
        }
    }

    private static func parseAlgorithm(_ nodes: inout ASN1NodeCollection.Iterator) throws -> ASN1ObjectIdentifier {
        guard let node = nodes.next() else { throw malformed("an algorithm is missing") }
        return try BER.sequence(node, identifier: .sequence) { nodes in
            let algorithm = try ASN1ObjectIdentifier(derEncoded: &nodes)
            while nodes.next() != nil {}
            return algorithm
        }
    }

    private static func parseAttributes(_ node: ASN1Node) throws -> SignedAttributes {
        var contentType: ASN1ObjectIdentifier?
        var messageDigest: [UInt8]?
        for attribute in try children(node) {
            try DER.sequence(attribute, identifier: .sequence) { nodes in
                let type = try ASN1ObjectIdentifier(derEncoded: &nodes)
                guard let set = nodes.next(), set.identifier == .set else {
                    throw malformed("an attribute has no values")
                }
                let values = try children(set)
                guard type == .contentType || type == .messageDigest else { return }
                guard let value = values.first, values.count == 1 else {
                    throw malformed("an attribute has \(values.count) values")
                }
                if type == .contentType, contentType == nil {
                    contentType = try ASN1ObjectIdentifier(derEncoded: value)
                } else if type == .messageDigest, messageDigest == nil {
                    messageDigest = Array(try ASN1OctetString(derEncoded: value).bytes)
                } else {
                    throw malformed("an attribute comes twice")
                }
            }
        }
        // The signature covers the SET, whose tag the implicit one replaces (RFC 5652, section 5.4).
        return SignedAttributes(
            bytes: [0x31] + node.encodedBytes.dropFirst(), contentType: contentType, messageDigest: messageDigest)
    }

    private static func children(_ node: ASN1Node) throws -> [ASN1Node] {
        guard case .constructed(let nodes) = node.content else { throw malformed("a set is not one") }
        return Array(nodes)
    }

    private static func tag(_ number: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
    }

    static func malformed(_ what: String, _ cause: (any Error)? = nil) -> BatonError {
        BatonError(
            .invalidArgument, reason: "site_file_signature_malformed",
            "The signed file cannot be read: \(what).", cause: cause)
    }
}

extension ASN1ObjectIdentifier {
    static let data: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
    static let signedData: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 2]
    static let contentType: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 3]
    static let messageDigest: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 4]
}
