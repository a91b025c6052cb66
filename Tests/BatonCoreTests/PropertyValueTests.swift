import BatonCore
import Foundation
import Testing

@Suite("Property values")
struct PropertyValueTests {
    @Test("Every type that a userInfo may hold is taken and given back (H-23)")
    func everyType() throws {
        let url = try #require(URL(string: "https://swift.org/?q=1#f"))
        let uuid = UUID()
        let userInfo: [AnyHashable: Any] = [
            "array": [1, "two", 3.5] as [Any], "data": Data([0, 255]),
            "date": Date(timeIntervalSinceReferenceDate: 1.25),
            "dictionary": ["a": ["b": true]], "null": NSNull(), "number": 42, "set": Set(["x", "y"]), "string": "text",
            "url": url, "uuid": uuid, "boolean": true, "real": 1.0, "large": UInt64.max, 7: "an integer key",
        ]
        let value = try PropertyValue(userInfo: userInfo)
        let back = try #require(value.userInfo)
        #expect(back.count == userInfo.count)
        #expect(back["boolean"] as? Bool == true)
        #expect(type(of: try #require(back["boolean"])) == Bool.self)
        #expect(type(of: try #require(back["number"])) == Int.self)
        #expect(type(of: try #require(back["real"])) == Double.self)
        #expect(back["large"] as? UInt64 == .max)
        #expect(back["data"] as? Data == Data([0, 255]))
        #expect(back["date"] as? Date == Date(timeIntervalSinceReferenceDate: 1.25))
        #expect(back["url"] as? URL == url)
        #expect(back["uuid"] as? UUID == uuid)
        #expect(back["set"] as? Set<String> == ["x", "y"])
        #expect(back["null"] is NSNull)
        #expect((back["array"] as? [Any])?.count == 3)
        #expect(((back["dictionary"] as? [AnyHashable: Any])?["a"] as? [AnyHashable: Any])?["b"] as? Bool == true)
        #expect(back[7] as? String == "an integer key")
        #expect(try PropertyValue(userInfo: back) == value)
    }

    @Test("Booleans, integers and doubles stay what they are (H-23)")
    func numbersKeepTheirKind() throws {
        #expect(try PropertyValue(any: true) == .boolean(true))
        #expect(try PropertyValue(any: 1) == .integer(1))
        #expect(try PropertyValue(any: 1.0) == .real(1))
        #expect(try PropertyValue(any: Float(1.5)) == .real(1.5))
        #expect(try PropertyValue(any: UInt8(200)) == .integer(200))
        #expect(try PropertyValue(any: UInt64.max) == .unsignedInteger(.max))
        #expect(try PropertyValue(any: Int64.min) == .integer(.min))
        #expect(PropertyValue.boolean(true) != .integer(1))
        #expect(PropertyValue.integer(1) != .real(1))
        #expect(PropertyValue.real(.nan) == .real(.nan))
    }

    @Test("Foundation's boxed types are taken too (H-23)")
    func boxedTypes() throws {
        #expect(try PropertyValue(any: NSNumber(value: true)) == .boolean(true))
        #expect(try PropertyValue(any: NSNumber(value: false)) == .boolean(false))
        #expect(try PropertyValue(any: NSNumber(value: 5)) == .integer(5))
        #expect(try PropertyValue(any: NSNumber(value: 1)) == .integer(1))
        #expect(try PropertyValue(any: NSNumber(value: 2.5)) == .real(2.5))
        #expect(try PropertyValue(any: NSNumber(value: UInt64.max)) == .unsignedInteger(.max))
        #expect(try PropertyValue(any: NSString(string: "text")) == .string("text"))
        #expect(try PropertyValue(any: NSArray(array: [1, 2])) == .array([.integer(1), .integer(2)]))
        #expect(try PropertyValue(any: NSSet(array: [1])) == .set([.integer(1)]))
        #expect(try PropertyValue(any: NSDictionary(dictionary: ["a": 1])) == .dictionary([.string("a"): .integer(1)]))
        #expect(try PropertyValue(any: AnyHashable("boxed")) == .string("boxed"))
    }

    @Test("Anything else is refused with the path to it (H-23)")
    func unsupported() throws {
        struct Other {}
        let error = try #require(
            throws: BatonError.self, performing: { try PropertyValue(userInfo: ["outer": ["inner": Other()]]) })
        #expect(error.code == .invalidArgument)
        #expect(error.message.contains("/outer/inner"))
        #expect(error.message.contains("Other"))
    }

    @Test("Nesting is bounded, so that no value can exhaust the stack")
    func nesting() throws {
        func nested(_ depth: Int) -> Any {
            var value: Any = 1
            for _ in 0..<depth { value = [value] }
            return value
        }
        #expect(throws: Never.self) { try PropertyValue(any: nested(PropertyValue.maximumDepth)) }
        let error = try #require(
            throws: BatonError.self, performing: { try PropertyValue(any: nested(PropertyValue.maximumDepth + 1)) })
        #expect(error.reason == "nesting_too_deep")
    }
}
