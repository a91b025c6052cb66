// swift-tools-version: 6.2
import PackageDescription

// A package of its own: only an app that asks for these modules sees them. A module named UIKit beside Baton's dependencies could
// change what their `#if canImport(UIKit)` chooses.
let modules = [
    "AppKit", "Contacts", "CoreLocation", "CoreSpotlight", "Intents", "MapKit", "UIKit", "UniformTypeIdentifiers",
]
let modules = ["AppKit", "Contacts", "CoreLocation", "CoreSpotlight", "MapKit", "MediaPlayer", "UIKit", "UniformTypeIdentifiers"]

let package = Package(
    name: "baton-compatibility",
    products: modules.map { .library(name: $0, targets: [$0]) },
    dependencies: [.package(name: "baton", path: "..")],
    targets: modules.map { .target(name: $0, dependencies: [.product(name: "Baton", package: "baton")]) }
)
