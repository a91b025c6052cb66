import BatonCore
import Documents
import Testing

/// D-3: both forms of identifiers.
@Suite("Names of containers")
struct ContainerNameTests {
    @Test("a container is named by a team or iCloud, and an identifier; nothing else is a name of a folder (D-3)")
    func forms() {
        for name in ["iCloud.com.example.App", "DEVELOPER0.com.example.App"] { #expect(ContainerName.isValid(name)) }
        for name in [
            "", ".", "..", "iCloud", "iCloud.", "iCloud..", "iCloud.a/b", "icloud.com.example",
            "/iCloud.com.example.App",
            "iCloud.com.example\u{0}", "com.example.App", "iCloud." + String(repeating: "a", count: 300),
        ] {
            #expect(!ContainerName.isValid(name), "\(name)")
        }
    }
}
