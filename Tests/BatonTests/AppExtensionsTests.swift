import Foundation
import Testing

@testable import Baton

final class TestIndexExtension: CSIndexExtensionRequestHandler {}
final class TestImportExtension: CSImportExtension {}

@Suite("Extensions of an app")
struct AppExtensionsTests {
    private func extensions(_ list: Any) -> AppExtensions {
        AppExtensions(infoDictionary: ["BatonExtensions": list], module: "BatonTests")
    }

    // Issue 28, part 2: an array of dictionaries with Apple's `NSExtension` keys.
    @Test("The index extension is the class that Info.plist names, with a module, Xcode's variable or neither")
    func classes() {
        for name in [
            "BatonTests.TestIndexExtension", "$(PRODUCT_MODULE_NAME).TestIndexExtension", "TestIndexExtension",
        ] {
            let found = extensions([
                ["NSExtensionPointIdentifier": "com.apple.other", "NSExtensionPrincipalClass": "Other"],
                ["NSExtensionPointIdentifier": "com.apple.spotlight.index", "NSExtensionPrincipalClass": name],
            ])
            #expect(found.className(at: AppExtensions.indexPoint) == "BatonTests.TestIndexExtension")
            #expect(found.indexExtension() == TestIndexExtension.self)
        }
    }

    @Test("The import extension is the class at its own point")
    func importer() {
        let found = extensions([
            [
                "NSExtensionPointIdentifier": "com.apple.spotlight.index",
                "NSExtensionPrincipalClass": "TestImportExtension",
            ],
            [
                "NSExtensionPointIdentifier": "com.apple.spotlight.import",
                "NSExtensionPrincipalClass": "$(PRODUCT_MODULE_NAME).TestImportExtension",
            ],
        ])
        #expect(found.importExtension() == TestImportExtension.self && found.indexExtension() == nil)
    }

    @Test("What is no extension is none: no list, no class, another class, more than 16")
    func others() {
        let point = ["NSExtensionPointIdentifier": "com.apple.spotlight.index"]
        #expect(extensions("text").indexExtension() == nil)
        #expect(extensions([point]).indexExtension() == nil)
        #expect(extensions([point.merging(["NSExtensionPrincipalClass": "Nobody"]) { $1 }]).indexExtension() == nil)
        let full = Array(repeating: ["NSExtensionPointIdentifier": "x", "NSExtensionPrincipalClass": "Y"], count: 16)
        let last = point.merging(["NSExtensionPrincipalClass": "TestIndexExtension"]) { $1 }
        #expect(extensions(full + [last]).indexExtension() == nil)
    }

    @Test("A handler that overrides nothing acknowledges, so that it is not asked for ever")
    func acknowledges() async {
        let handler = TestIndexExtension()
        await withCheckedContinuation { waiter in
            handler.searchableIndex(
                .default(), reindexAllSearchableItemsWithAcknowledgementHandler: { waiter.resume() })
        }
    }
}
