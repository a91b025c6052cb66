import Crypto
package import Foundation

/// Signs requests to S3: AWS Signature Version 4, with the hash of the body, so that the store refuses a body that was
/// changed on the way.
package struct S3Signature: Sendable {
    let credentials: S3Credentials
    let region: String

    package init(credentials: S3Credentials, region: String) {
        self.credentials = credentials
        self.region = region
    }

    /// - Parameters:
    ///   - path: escaped.
    ///   - query: not escaped.
    ///   - headers: besides those that are added here.
    /// - Returns: all headers, the authorization among them.
    package func sign(
        _ method: String, host: String, path: String, query: [(String, String)] = [],
        headers: [(String, String)] = [], bodyHash: String, date: Date
    ) -> [(String, String)] {
        let time = Self.stamp(date)
        var all = headers.map { ($0.0.lowercased(), $0.1) }
        all += [("host", host), ("x-amz-content-sha256", bodyHash), ("x-amz-date", time)]
        if let token = credentials.sessionToken { all.append(("x-amz-security-token", token)) }
        let sorted = all.sorted { $0.0 < $1.0 }
        let names = sorted.map(\.0).joined(separator: ";")
        let request = [
            method, path, Self.escaped(query), sorted.map { "\($0.0):\($0.1)\n" }.joined(), names, bodyHash,
        ].joined(separator: "\n")
        let scope = "\(time.prefix(8))/\(region)/s3/aws4_request"
        let text = "AWS4-HMAC-SHA256\n\(time)\n\(scope)\n\(Self.hash(Data(request.utf8)))"
        var key = Data("AWS4\(credentials.secret)".utf8)
        for part in [String(time.prefix(8)), region, "s3", "aws4_request"] { key = Self.mac(part, key) }
        let signature = Self.mac(text, key).hexadecimal
        all.append(
            (
                "authorization",
                "AWS4-HMAC-SHA256 Credential=\(credentials.identifier)/\(scope), SignedHeaders=\(names), "
                    + "Signature=\(signature)"
            ))
        return all
    }

    /// Sorted, and escaped as both the request and its signature need.
    static func escaped(_ query: [(String, String)]) -> String {
        query.map { (escaped($0.0), escaped($0.1)) }.sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            let character = Character(UnicodeScalar(byte))
            if character.isASCII, character.isLetter || character.isNumber || "-._~".contains(character) {
                escaped.append(character)
            } else {
                escaped += "%" + Data([byte]).hexadecimal.uppercased()
            }
        }
        return escaped
    }

    package static func hash(_ data: Data) -> String { Data(SHA256.hash(data: data)).hexadecimal }

    private static func mac(_ text: String, _ key: Data) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: key)))
    }

    /// `20130524T000000Z`
    private static func stamp(_ date: Date) -> String {
        let whole = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
        let text: String = whole.formatted(.iso8601)
        return text.filter { $0.isASCII && ($0.isNumber || $0.isLetter) }
    }
}
