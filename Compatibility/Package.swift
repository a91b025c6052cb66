// swift-tools-version: 6.2
import PackageDescription

// A package of its own: only an app that asks for these modules sees them. A module named UIKit beside Baton's dependencies could
// change what their `#if canImport(UIKit)` chooses.
let modules = [
    "AppKit", "CloudKit", "Contacts", "CoreLocation", "CoreSpotlight", "Intents", "MapKit", "MediaPlayer", "UIKit",
    "UniformTypeIdentifiers",
]

let package = Package(
    name: "baton-compatibility",
    products: (modules + ["os", "OSLog"]).map { .library(name: $0, targets: [$0]) },
    dependencies: [.package(name: "baton", path: "..")],
    targets: modules.map { .target(name: $0, dependencies: [.product(name: "Baton", package: "baton")]) } + [
        // They need nothing of Baton: logging, and locks.
        .target(name: "os"), .target(name: "OSLog", dependencies: ["os"]),
    ]
)
