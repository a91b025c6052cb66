// swift-tools-version: 6.2
import Foundation
import PackageDescription

// baton-desktop, the helper with windows. A package of its own, so that Baton builds without GTK. It needs nothing of the
// other package but the messages between the two, which Sources/DesktopProtocol links to.

// Warnings are errors in CI, as in the other package.
let strict = ProcessInfo.processInfo.environment["CI"] != nil

let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (strict ? [.treatAllWarnings(as: .error), .treatWarning("DeprecatedDeclaration", as: .warning)] : [])

let package = Package(
    name: "baton-desktop",
    products: [.executable(name: "baton-desktop", targets: ["baton-desktop"])],
    targets: [
        .systemLibrary(name: "CGTK4", providers: [.apt(["libgtk-4-dev"])]),
        .target(name: "DesktopProtocol", swiftSettings: settings),
        .target(name: "BatonDesktop", dependencies: ["CGTK4", "DesktopProtocol"], swiftSettings: settings),
        .executableTarget(name: "baton-desktop", dependencies: ["BatonDesktop"], swiftSettings: settings),
        .testTarget(
            name: "BatonDesktopTests", dependencies: ["BatonDesktop", "DesktopProtocol"], swiftSettings: settings),
    ]
)
