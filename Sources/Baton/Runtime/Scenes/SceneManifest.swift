import Foundation

/// `UIApplicationSceneManifest` of an app's `Info.plist`.
struct SceneManifest: Sendable, Hashable {
    struct Entry: Sendable, Hashable {
        var role: String
        var name: String?
        var sceneClassName: String?
        var delegateClassName: String?
    }

    static let infoKey = "UIApplicationSceneManifest"

    var supportsMultipleScenes = false
    var entries: [Entry] = []
    /// The module of classes that are named without one.
    var module = ""

    /// - Returns: nil for an app without the key, or with a value that is no dictionary.
    init?(infoDictionary: [String: Any], module: String) {
        guard let manifest = infoDictionary[Self.infoKey] as? [String: Any] else { return nil }
        self.module = module
        supportsMultipleScenes = manifest["UIApplicationSupportsMultipleScenes"] as? Bool ?? false
        let roles = manifest["UISceneConfigurations"] as? [String: Any] ?? [:]
        for role in roles.keys.sorted() {
            for entry in roles[role] as? [[String: Any]] ?? [] {
                entries.append(
                    Entry(
                        role: role, name: entry["UISceneConfigurationName"] as? String,
                        sceneClassName: entry["UISceneClassName"] as? String,
                        delegateClassName: entry["UISceneDelegateClassName"] as? String))
            }
        }
    }

    static var ofThisApp: SceneManifest? { AppBundle.main.sceneManifest }

    func configuration(named name: String?, role: String) -> (sceneClass: AnyClass?, delegateClass: AnyClass?)? {
        guard let entry = entries.first(where: { $0.role == role && (name == nil || $0.name == name) }) else {
            return nil
        }
        return (entry.sceneClassName.flatMap(classNamed), entry.delegateClassName.flatMap(classNamed))
    }

    /// `Module.Class`; Xcode's variable for the module stands for this program's, as does a name without a module.
    private func classNamed(_ name: String) -> AnyClass? {
        // The system's own class for scenes.
        if name == "UIWindowScene" { return UIWindowScene.self }
        let name = name.replacingOccurrences(of: "$(PRODUCT_MODULE_NAME)", with: module)
        return NSClassFromString(name.contains(".") ? name : "\(module).\(name)")
    }
}
