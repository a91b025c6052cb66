import AssociatedDomains
import BatonCore
import BatonTestSupport
import Foundation
import Testing

/// Bad input gets a clear verdict, and nothing of the file counts.
struct HostileSiteFileTests {
    private func reason(_ bytes: [UInt8], _ contentType: String? = nil) async -> String? {
        do {
            _ = try await SiteFile(bytes, contentType: contentType, anchors: .system, time: Date())
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(
        "A file that is no JSON is refused",
        arguments: [
            "{", "}", "[1,]", "{\"a\":1,}", "{'a':1}", "{\"a\" 1}", "{\"a\":01}", "{\"a\":.5}", "{\"a\":1.}",
            "{\"a\":1e}",
            "{\"a\":+1}", "{\"a\":NaN}", "{\"a\":tru}", "{} {}", "{}x", "{\"a\":\"\u{1}\"}", "{\"a\":\"\\x\"}",
            "{\"a\":\"\\u12\"}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\\udc00\\ud800\"}", "{\"a\":\"\\ud800\\u0041\"}",
            "{\"a\":\"", "/* comment */{}", "{\"a\":1e999}", "nul", "\u{FEFF}", "{\"a\":1//\n}",
        ])
    func notJSON(text: String) async {
        #expect(await reason(Array(text.utf8)) == "site_file_not_json")
    }

    @Test("JSON in every form of its grammar is read")
    func json() async throws {
        let text =
            "\u{FEFF} {\"a\" : [ ] , \"b\":{ }, \"c\":[-0.5e+3, 0, 12E-1, true, false, null],\t\"\\u00e9\\ud83d\\ude00\\n\\/\":\"\" }\r\n"
        #expect(await reason(Array(text.utf8)) == nil)
    }

    @Test("Text that is not UTF-8 is refused")
    func notUTF8() async {
        #expect(await reason(Array("{\"a\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8)) == "site_file_not_json")
        #expect(await reason(Array("{\"a\":\"".utf8) + [0xED, 0xA0, 0x80] + Array("\"}".utf8)) == "site_file_not_json")
    }

    // Foundation's coders would take the first and say nothing.
    @Test("A name that comes twice in one object is refused, however it is written")
    func duplicates() async {
        #expect(await reason(Array(#"{"a":1,"b":2,"a":1}"#.utf8)) == "site_file_duplicate_key")
        #expect(await reason(Array(#"{"x":[{"a":1,"\u0061":2}]}"#.utf8)) == "site_file_duplicate_key")
        #expect(await reason(Array(#"{"a":{"a":1},"b":{"a":1}}"#.utf8)) == nil)
        // Different characters that look the same are different names.
        #expect(await reason(Array(#"{"\u00e9":1,"e\u0301":2}"#.utf8)) == nil)
    }

    @Test("Deep nesting is refused at the limit, without recursion to its end")
    func depth() async {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(await reason(Array("{\"a\":".utf8) + nested(31) + Array("}".utf8)) == nil)
        #expect(await reason(Array("{\"a\":".utf8) + nested(32) + Array("}".utf8)) == "site_file_too_deep")
        #expect(await reason([UInt8](repeating: UInt8(ascii: "["), count: 100_000)) == "site_file_too_deep")
        #expect(
            await reason(Array(String(repeating: "{\"a\":", count: 20_000).utf8)) == "site_file_too_deep")
    }

    @Test("128 KB are read and a byte more is not, signed or not")
    func size() async {
        let limit = SiteFile.maximumSize
        let frame = Array(#"{"comment":""}"#.utf8)
        func file(_ size: Int) -> [UInt8] {
            Array(frame.dropLast(2)) + [UInt8](repeating: UInt8(ascii: "a"), count: size - frame.count)
                + Array("\"}".utf8)
        }
        #expect(await reason(file(limit)) == nil)
        #expect(await reason(file(limit + 1)) == "site_file_too_large")
        #expect(await reason(file(1 << 20)) == "site_file_too_large")
        #expect(await reason([0x30] + [UInt8](repeating: 0, count: 1 << 20)) == "site_file_too_large")
    }

    @Test(
        "A known key with a value of the wrong type makes the whole file invalid",
        arguments: [
            "[]", "1", "\"text\"", "null", #"{"applinks":[]}"#, #"{"applinks":null}"#, #"{"activitycontinuation":[]}"#,
            #"{"activitycontinuation":{}}"#, #"{"activitycontinuation":{"apps":"A"}}"#,
            #"{"activitycontinuation":{"apps":[1]}}"#, #"{"webcredentials":{"apps":{}}}"#,
            #"{"applinks":{"details":1}}"#, #"{"applinks":{"details":[1]}}"#, #"{"applinks":{"details":{"A.b":[]}}}"#,
            #"{"applinks":{"details":[{"appIDs":"A"}]}}"#, #"{"applinks":{"details":[{"appID":["A"]}]}}"#,
            #"{"applinks":{"details":[{"appID":"A","paths":"*"}]}}"#,
            #"{"applinks":{"details":[{"appID":"A","components":{}}]}}"#,
            #"{"applinks":{"details":[{"appID":"A","components":[[]]}]}}"#,
            #"{"applinks":{"details":[{"appID":"A","components":[{"/":1}]}]}}"#,
            ##"{"applinks":{"details":[{"appID":"A","components":[{"#":null}]}]}}"##,
            #"{"applinks":{"details":[{"appID":"A","components":[{"?":[]}]}]}}"#,
            #"{"applinks":{"details":[{"appID":"A","components":[{"exclude":"true"}]}]}}"#,
            #"{"applinks":{"details":[{"appID":"A","components":[{"exclude":1}]}]}}"#,
            #"{"applinks":{"details":[{"appID":"A","components":[{"caseSensitive":0}]}]}}"#,
            #"{"applinks":{"details":[{"appID":"A","components":[{"/":"$(nope)"}]}]}}"#,
            #"{"applinks":{"details":[],"defaults":[]}}"#, #"{"applinks":{"details":[],"apps":"x"}}"#,
            #"{"applinks":{"details":[],"substitutionVariables":[]}}"#,
            #"{"applinks":{"details":[],"substitutionVariables":{"a":"b"}}}"#,
            #"{"applinks":{"details":[],"substitutionVariables":{"a(":["b"]}}}"#,
            #"{"applinks":{"details":[],"substitutionVariables":{"":["b"]}}}"#,
        ])
    func wrongTypes(text: String) async {
        #expect(await reason(Array(text.utf8)) == "site_file_wrong_type")
    }

    @Test("Keys that are not known are ignored, of whatever type")
    func unknownKeys() async throws {
        let association = try await Fixture.components(#"[{"/": "/a", "new": {"x": [1]}, "comment": 5}]"#)
        #expect(try Fixture.outcome(association, "https://company.com/a") == .matched)
    }

    @Test(
        "A file in another form is named for what it is",
        arguments: [
            "-----BEGIN PKCS7-----\n", "MIME-Version: 1.0\n", "<!DOCTYPE html><html></html>",
        ])
    func otherForms(text: String) async {
        #expect(await reason(Array(text.utf8)) == "site_file_form")
        #expect(await reason([0x1F, 0x8B, 8, 0]) == "site_file_form")
        #expect(await reason([]) == "site_file_empty")
    }

    // H-92: each form has its content type.
    @Test("A file that is served with another content type than its form's is refused (H-92)")
    func contentTypes() async {
        let json = Array("{}".utf8)
        #expect(await reason(json, "application/json") == nil)
        #expect(await reason(json, "Application/JSON; charset=utf-8") == nil)
        for wrong in ["text/html", "text/plain", "application/octet-stream", "", "application/pkcs7-mime", "json"] {
            #expect(await reason(json, wrong) == "site_file_content_type", "\(wrong)")
        }
        #expect(await reason([0x30, 0x80], "application/json") == "site_file_content_type")
        #expect(await reason([0x30, 0x80], "application/pkcs7-mime") == "site_file_signature_malformed")
    }

    @Test("Variables whose values make patterns too long to match in time are refused")
    func longVariables() async {
        let values = (0..<2000).map { #""value\#($0)""# }.joined(separator: ",")
        func file(_ pattern: String, components: Int = 1) -> [UInt8] {
            let list = [String](repeating: #"{"/":"\#(pattern)"}"#, count: components).joined(separator: ",")
            return Array(
                """
                {"applinks":{"substitutionVariables":{"v":[\(values)]},"details":[{"appID":"A","components":[\(list)]}]}}
                """.utf8)
        }
        #expect(await reason(file("$(v)")) == nil)
        #expect(await reason(file("$(v)$(v)$(v)$(v)$(v)")) == "site_file_patterns_too_long")
        #expect(await reason(file("$(v)$(v)", components: 8)) == "site_file_patterns_too_long")
    }

    @Test("Random bytes and random changes of a file never crash, and never name an app that was not there")
    func randomChanges() async throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        let original = Array(
            """
            {"activitycontinuation":{"apps":["\(Fixture.app)"]},"applinks":{"substitutionVariables":{"v":["a*","?"]},
            "details":[{"appIDs":["\(Fixture.app)"],"components":[{"/":"/$(v)/$(lang)*","?":{"a":"$(digit)"},"exclude":true}]}]}}
            """.utf8)
        for _ in 0..<3000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = .random(in: .min ... .max, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(bytes[Int.random(in: bytes.indices, using: &generator)], at: index)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            guard let file = try? await SiteFile(bytes, contentType: nil, anchors: .system, time: Date()) else {
                continue
            }
            let verdict = file.association.verdict(
                on: try WebPageURL("https://company.com/aa/en?a=1"), appID: Fixture.otherApp, service: .appLinks)
            #expect(verdict.outcome == .notMatched, "seed \(seed)")
        }
    }
}
