import BatonCore
import Testing

struct SpokenNameTests {
    private static let names = ["Kitchen laptop", "Anna's phone", "Kitchen", "Old laptop"]

    @Test(
        "A name is found in any case, by its beginning, and by the beginning of any of its words",
        arguments: [
            ("Kitchen", ["Kitchen"]), ("kitchen", ["Kitchen"]), ("kit", ["Kitchen laptop", "Kitchen"]),
            ("phone", ["Anna's phone"]), ("PHO", ["Anna's phone"]), ("laptop", ["Kitchen laptop", "Old laptop"]),
            ("old lap", ["Old laptop"]), ("aptop", []), ("", []),
        ])
    func finds(text: String, expected: [String]) {
        #expect(SpokenName.best(text, among: Self.names) { $0 } == expected)
    }

    @Test("A name that is mistyped is suggested, as a whole or by one of its words")
    func suggests() {
        #expect(SpokenName.closest(to: "kitchne", among: Self.names) == "Kitchen laptop")
        #expect(SpokenName.closest(to: "phnoe", among: Self.names) == "Anna's phone")
        #expect(SpokenName.closest(to: "garage", among: Self.names) == nil)
        #expect(SpokenName.closest(to: String(repeating: "x", count: 500), among: Self.names) == nil)
    }

    @Test("A device is named by any word of its name, and a typo is told with what was meant")
    func devices() throws {
        let all = Self.names.enumerated().map {
            DeviceReference.Candidate(id: "ID\($0.offset)", name: $0.element, isMember: true)
        }
        #expect(try DeviceReference.find("phone", among: all).id == "ID1")
        #expect(try DeviceReference.find("kitchen", among: all).id == "ID2")
        let error = #expect(throws: BatonError.self) { try DeviceReference.find("phnoe", among: all) }
        #expect(error?.message.contains("Did you mean “Anna's phone”?") == true)
        #expect(throws: BatonError.self) { try DeviceReference.find("laptop", among: all) }
    }

    @Test("A recovery key can be named, as to withdraw it, and is listed among no devices")
    func recoveryKey() throws {
        let key = DeviceReference.Candidate(id: "KEY", name: "Recovery key", isMember: true, isRecoveryKey: true)
        let all = [key, DeviceReference.Candidate(id: "ID1", name: "Kitchen", isMember: true)]
        #expect(try DeviceReference.find("recovery", among: all) == key)
        let error = #expect(throws: BatonError.self) { try DeviceReference.find("garage", among: all) }
        #expect(error?.message.hasSuffix("Devices: Kitchen.") == true)
    }
}
