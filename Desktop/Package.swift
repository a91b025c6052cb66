// swift-tools-version: 6.2
import Foundation
import PackageDescription

// The programs of the desktop: baton-desktop, the daemon's helper with windows, the windows of MonkeyBrowser and AddressField, and
// baton-ibus, the input method. A package of its own, so that Baton builds without GTK and IBus. It needs nothing of the other
// package but the messages between the two, which Sources/DesktopProtocol, Sources/WindowProtocol and Sources/FormProtocol link to,
// and the words before an address.

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
    products: [
        .executable(name: "baton-desktop", targets: ["baton-desktop"]),
        .executable(name: "baton-ibus", targets: ["baton-ibus"]),
        .executable(name: "monkeybrowser-window", targets: ["monkeybrowser-window"]),
        .executable(name: "addressfield-window", targets: ["addressfield-window"]),
    ],
    targets: [
        .systemLibrary(name: "CGTK4", providers: [.apt(["libgtk-4-dev"])]),
        .systemLibrary(name: "CWebKitGTK", providers: [.apt(["libwebkitgtk-6.0-dev"])]),
        .target(name: "GTKSupport", dependencies: ["CGTK4", "DesktopProtocol"], swiftSettings: settings),

        .target(name: "DesktopProtocol", swiftSettings: settings),
        .target(
            name: "BatonDesktop", dependencies: ["CGTK4", "DesktopProtocol", "GTKSupport"], swiftSettings: settings),
        .executableTarget(name: "baton-desktop", dependencies: ["BatonDesktop"], swiftSettings: settings),

        .systemLibrary(name: "CIBus", providers: [.apt(["libibus-1.0-dev"])]),
        .target(name: "InputMethod", swiftSettings: settings),
        .target(name: "IBusInput", dependencies: ["CIBus", "InputMethod"], swiftSettings: settings),
        .executableTarget(name: "baton-ibus", dependencies: ["IBusInput"], swiftSettings: settings),

        .target(name: "WindowProtocol", swiftSettings: settings),
        .target(
            name: "BrowserWindow",
            dependencies: ["CGTK4", "CWebKitGTK", "GTKSupport", "WindowProtocol"], swiftSettings: settings),
        .executableTarget(name: "monkeybrowser-window", dependencies: ["BrowserWindow"], swiftSettings: settings),

        .target(name: "FormProtocol", swiftSettings: settings),
        .target(name: "FormWindow", dependencies: ["CGTK4", "FormProtocol", "GTKSupport"], swiftSettings: settings),
        .executableTarget(name: "addressfield-window", dependencies: ["FormWindow"], swiftSettings: settings),

        .testTarget(
            name: "BatonDesktopTests",
            dependencies: ["BatonDesktop", "DesktopProtocol", "FormProtocol", "InputMethod", "WindowProtocol"],
            swiftSettings: settings),
    ]
)
