import Foundation

/// `BatonExtensions` of an app's `Info.plist`: dictionaries with Apple's `NSExtension` keys. The first 16 count.
struct AppExtensions: Sendable, Hashable {
    static let infoKey = "BatonExtensions"
    static let indexPoint = "com.apple.spotlight.index"
    static let importPoint = "com.apple.spotlight.import"
    /// Says for which point the program was started.
    static let variable = "BATON_EXTENSION"

    private struct Entry: Sendable, Hashable {
        var point: String
        var className: String
    }

    private var entries: [Entry] = []
    /// The module of classes that are named without one.
    private var module = ""

    init() {}

    init(infoDictionary: [String: Any], module: String) {
        self.module = module
        let list = infoDictionary[Self.infoKey] as? [[String: Any]] ?? []
        entries = list.prefix(16).compactMap { dictionary in
            guard let point = dictionary["NSExtensionPointIdentifier"] as? String,
                let name = dictionary["NSExtensionPrincipalClass"] as? String
            else { return nil }
            return Entry(point: point, className: name)
        }
    }

    /// `Module.Class` of the first extension at a point; Xcode's variable for the module stands for this program's.
    func className(at point: String) -> String? {
        guard let entry = entries.first(where: { $0.point == point }) else { return nil }
        let name = entry.className.replacingOccurrences(of: "$(PRODUCT_MODULE_NAME)", with: module)
        return name.contains(".") ? name : "\(module).\(name)"
    }

    func indexExtension() -> CSIndexExtensionRequestHandler.Type? {
        className(at: Self.indexPoint).flatMap(NSClassFromString) as? CSIndexExtensionRequestHandler.Type
    }

    func importExtension() -> CSImportExtension.Type? {
        className(at: Self.importPoint).flatMap(NSClassFromString) as? CSImportExtension.Type
    }
}
