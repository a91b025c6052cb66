import BatonCore
import BatonTrust
import Foundation

/// The property lists of a bundle: what an app says of itself, and the list of its files.
enum PropertyListTarget: FuzzTarget {
    static let name = "property-list"

    static func seeds() throws -> [[UInt8]] {
        let info: [String: Any] = [
            "CFBundleIdentifier": "com.example.app", "CFBundleExecutable": "App", "CFBundleVersion": "1.2",
            "NSUserActivityTypes": ["com.example.reading"],
            "BatonUserActivityTitles": ["com.example.reading": ["A"]],
            "CFBundleDocumentTypes": [
                [
                    "CFBundleTypeName": "NSRTFDPboardType", "LSItemContentTypes": ["com.myCompany.rtfd"],
                    "NSUbiquitousDocumentUserActivityType": "com.myCompany.myEditor.editing",
                ] as [String: Any]
            ],
        ]
        let resources = try CodeResources(entries: [
            "App": .file(hash: [UInt8](repeating: 7, count: 32), size: 12, isExecutable: true), "lib": .directory,
            "lib/x": .symlink(target: "../App"),
        ])
        return try [PropertyListSerialization.PropertyListFormat.xml, .binary].map {
            Array(try PropertyListSerialization.data(fromPropertyList: info, format: $0, options: 0))
        } + [resources.bytes]
    }

    static func run(_ bytes: [UInt8]) {
        if let info = try? BundleInfo(infoPlist: bytes, entitlements: bytes, bundleName: "App.app") {
            precondition(!info.executable.contains("/"), "an executable outside of the bundle")
        }
        if let resources = try? CodeResources(bytes: bytes) {
            for path in resources.sortedPaths {
                precondition(
                    !path.hasPrefix("/") && !path.split(separator: "/").contains(".."), "a path that leads out")
            }
        }
    }
}
