import BatonCore
import BatonWire
import Foundation
import NIOCore

/// A value of `userInfo`, as another device sends it.
enum PropertyValueTarget: FuzzTarget {
    static let name = "property-value"

    static func seeds() throws -> [[UInt8]] {
        let value = PropertyValue.dictionary([
            .string("a"): .array([.null, .boolean(true), .integer(-1), .unsignedInteger(.max), .real(0.5)]),
            .integer(2): .set([.string("ü"), .data(Data([0, 255]))]),
            .url(URL(fileURLWithPath: "/tmp/x y")): .date(Date(timeIntervalSinceReferenceDate: 1)),
            .boolean(false): .uuid(UUID()),
        ])
        let message = Baton_Value_V1_PropertyValue(value)
        return try [ConnectCodec.proto, .json].map { Array(try $0.encode(message).readableBytesView) }
    }

    static func run(_ bytes: [UInt8]) {
        for codec in [ConnectCodec.proto, .json] {
            guard let message = try? codec.decode(Baton_Value_V1_PropertyValue.self, from: ByteBuffer(bytes: bytes)),
                let value = try? PropertyValue(message)
            else { continue }
            precondition(
                (try? PropertyValue(Baton_Value_V1_PropertyValue(value))) == value, "what was read reads differently")
            // As the app sees it, and as it comes back from there.
            if let userInfo = value.userInfo {
                guard let again = try? PropertyValue(userInfo: userInfo) else {
                    preconditionFailure("what was given to an app is not taken back from it")
                }
                precondition(again.userInfo?.count == userInfo.count, "entries were lost")
            } else {
                _ = value.any
            }
        }
    }
}
