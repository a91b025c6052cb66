import BatonCore
import BatonStore
import BatonTestSupport
import BatonTrust
import Files
import LaunchServices
import Logging
import Opening
import Testing
import UniformTypes

@testable import BatonDaemon

@Suite("Installed apps that open things", .timeLimit(.minutes(1)))
struct InstalledHandlersTests {
    @Test("An app's types count as soon as it is installed, and no longer than it is there")
    func atOnce() async throws {
        let temporary = try TemporaryDirectory()
        let locations = try Locations(home: temporary.file("home"), environment: [:], workingDirectory: "/")
        try SecureDirectory.prepareAll(locations)
        let launchServices = try await LaunchServices(
            locations: locations,
            database: try DaemonDatabase(path: locations.database, migrations: LaunchServices.migrations),
            recorder: NullEventRecorder(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            settings: .init(environment: [:]))
        let handlers = InstalledHandlers(launchServices: launchServices, environment: [:])
        let bundle = try BundleFixture(
            in: temporary.file("source"),
            info: [
                "UTExportedTypeDeclarations": [
                    ["UTTypeIdentifier": "com.example.note", "UTTypeConformsTo": ["public.text"]],
                    [
                        "UTTypeIdentifier": "com.example.book", "UTTypeConformsTo": ["com.apple.package"],
                        "UTTypeTagSpecification": ["public.filename-extension": ["book"]],
                    ],
                ]
            ]
        ).signed(by: try TeamKey(name: "Example"))
        let packages = PackageTypes(launchServices)
        #expect(handlers.claimants().isEmpty && handlers.types().declaration(of: "com.example.note") == nil)
        #expect(!packages.isPackage("a.book"))
        // No event is awaited.
        _ = try await launchServices.install(path: bundle.path)
        #expect(handlers.claimants().map(\.bundleID) == [bundle.bundleID])
        #expect(handlers.types().declaration(of: "com.example.note") != nil)
        #expect(packages.isPackage("a.book"))
        try await launchServices.uninstall(bundle.bundleID, keepData: false)
        #expect(handlers.claimants().isEmpty && handlers.types().declaration(of: "com.example.note") == nil)
        #expect(!packages.isPackage("a.book"))
    }
}
