// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Warnings are errors in CI (`CI=true`), so that a newer compiler's warning does not stop a user's build.
let strict = ProcessInfo.processInfo.environment["CI"] != nil

let warnings: [SwiftSetting] =
    strict ? [.treatAllWarnings(as: .error), .treatWarning("DeprecatedDeclaration", as: .warning)] : []

let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
    ] + warnings

extension Target.Dependency {
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let asyncHTTPClient = product(name: "AsyncHTTPClient", package: "async-http-client")
    static let asn1 = product(name: "SwiftASN1", package: "swift-asn1")
    static let collections = product(name: "OrderedCollections", package: "swift-collections")
    static let coreMetrics = product(name: "CoreMetrics", package: "swift-metrics")
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras = product(name: "_CryptoExtras", package: "swift-crypto")
    static let grdb = product(name: "GRDB", package: "GRDB.swift")
    static let grdbSQLite = product(name: "GRDBSQLite", package: "GRDB.swift")
    static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types")
    static let hummingbirdCore = product(name: "HummingbirdCore", package: "hummingbird")
    static let logging = product(name: "Logging", package: "swift-log")
    static let nioConcurrency = product(name: "NIOConcurrencyHelpers", package: "swift-nio")
    static let nioCore = product(name: "NIOCore", package: "swift-nio")
    static let nioEmbedded = product(name: "NIOEmbedded", package: "swift-nio")
    static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio")
    static let nioHTTPTypes = product(name: "NIOHTTPTypes", package: "swift-nio-extras")
    static let nioPosix = product(name: "NIOPosix", package: "swift-nio")
    static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl")
    static let nioTLS = product(name: "NIOTLS", package: "swift-nio")
    static let protobuf = product(name: "SwiftProtobuf", package: "swift-protobuf")
    static let serviceLifecycle = product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    static let subprocess = product(name: "Subprocess", package: "swift-subprocess")
    static let system = product(name: "SystemPackage", package: "swift-system")
    static let unixSignals = product(name: "UnixSignals", package: "swift-service-lifecycle")
    static let x509 = product(name: "X509", package: "swift-certificates")
    static let yams = product(name: "Yams", package: "Yams")
}

let package = Package(
    name: "baton",
    products: [
        .library(name: "Baton", targets: ["Baton"]),
        .library(name: "BatonRecords", targets: ["BatonRecords"]),
        .executable(name: "baton", targets: ["baton-cli"]),
        .executable(name: "batond", targets: ["batond"]),
        .executable(name: "baton-cloud", targets: ["baton-cloud"]),
        .executable(name: "MonkeyBrowser", targets: ["MonkeyBrowser"]),
        .executable(name: "iCloudKeyValue", targets: ["iCloudKeyValue"]),
        .executable(name: "CloudContacts", targets: ["CloudContacts"]),
        .executable(name: "iCloudUIDoc", targets: ["iCloudUIDoc"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", "3.12.0"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
    ],
    targets: [
        // MARK: Foundations
        .target(name: "BatonCore"),
        .testTarget(name: "BatonCoreTests", dependencies: ["BatonCore", "BatonTestSupport"]),

        .target(name: "BatonConcurrency", dependencies: ["BatonCore", .nioCore, .nioPosix, .serviceLifecycle]),
        .testTarget(
            name: "BatonConcurrencyTests",
            dependencies: ["BatonConcurrency", .nioCore, .nioEmbedded]),

        .target(
            name: "BatonWire", dependencies: ["BatonCore", .nioCore, .protobuf], exclude: ["Generated/SHA256SUMS"]),
        .testTarget(
            name: "BatonWireTests", dependencies: ["BatonCore", "BatonWire", "BatonTestSupport", .nioCore, .protobuf]),

        .target(name: "UniformTypes", dependencies: ["BatonCore"]),
        .testTarget(name: "UniformTypesTests", dependencies: ["UniformTypes", "BatonTestSupport"]),

        .target(name: "MetadataQuery", dependencies: ["BatonConcurrency", "BatonCore"]),
        .testTarget(
            name: "MetadataQueryTests",
            dependencies: ["BatonConcurrency", "BatonCore", "BatonTestSupport", "MetadataQuery"]),

        .systemLibrary(name: "CGumbo", providers: [.apt(["libgumbo-dev"])]),
        .target(name: "WebMarkup", dependencies: ["BatonCore", "CGumbo"]),
        .testTarget(name: "WebMarkupTests", dependencies: ["BatonCore", "WebMarkup"]),

        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "DocumentFormats", dependencies: ["BatonCore", "CZlib"]),
        .testTarget(name: "DocumentFormatsTests", dependencies: ["BatonCore", "BatonTestSupport", "DocumentFormats"]),

        .systemLibrary(name: "CStemmer", providers: [.apt(["libstemmer-dev"])]),
        .target(name: "SearchText", dependencies: ["CStemmer"]),
        .testTarget(name: "SearchTextTests", dependencies: ["SearchText"]),

        .target(name: "SearchQuery", dependencies: ["BatonCore"]),
        .testTarget(name: "SearchQueryTests", dependencies: ["BatonCore", "SearchQuery"]),

        .target(name: "FileSync", dependencies: ["BatonConcurrency", "BatonCore", .crypto]),
        .testTarget(
            name: "FileSyncTests", dependencies: ["BatonConcurrency", "BatonCore", "BatonTestSupport", "FileSync"]),

        .target(name: "RecordMerge", dependencies: ["BatonCore", "FileSync", .crypto]),
        .testTarget(
            name: "RecordMergeTests", dependencies: ["BatonCore", "BatonTestSupport", "FileSync", "RecordMerge"]),

        .target(name: "FileCoordination", dependencies: ["BatonConcurrency"]),
        .testTarget(
            name: "FileCoordinationTests",
            dependencies: ["BatonConcurrency", "BatonCore", "BatonTestSupport", "FileCoordination"]),

        .systemLibrary(name: "CLinux"),
        .target(name: "Files", dependencies: ["BatonCore", "CLinux"]),
        .testTarget(name: "FilesTests", dependencies: ["BatonTestSupport", "Files"]),

        .target(
            name: "BatonTrust",
            dependencies: [
                "BatonCore", "BatonWire", "Files", "UniformTypes", .asn1, .crypto, .protobuf, .x509,
            ]
        ),
        .testTarget(
            name: "BatonTrustTests",
            dependencies: [
                "BatonCore", "BatonWire", "BatonTrust", "BatonTestSupport", "Files", "UniformTypes", .asn1, .crypto,
                .protobuf, .x509,
            ]
        ),

        .target(name: "AssociatedDomains", dependencies: ["BatonCore", .asn1, .crypto, .x509]),
        .testTarget(
            name: "AssociatedDomainsTests",
            dependencies: ["AssociatedDomains", "BatonCore", "BatonTestSupport", .asn1, .crypto, .x509]),

        .target(name: "BatonStore", dependencies: ["BatonConcurrency", "BatonCore", "Files", .grdb]),
        .testTarget(
            name: "BatonStoreTests", dependencies: ["BatonStore", "BatonCore", "BatonTestSupport", "Files", .grdb]),

        .target(name: "Packs", dependencies: ["BatonCore", "BatonStore", "FileSync", .grdb]),
        .testTarget(
            name: "PacksTests",
            dependencies: ["BatonCore", "BatonStore", "BatonTestSupport", "FileSync", "Packs", .grdb]),

        // MARK: Transport
        .target(
            name: "BatonClient",
            dependencies: [
                "BatonCore", "BatonWire", .nioCore, .nioHTTP1, .nioPosix, .nioTLS,
                .protobuf,
            ]
        ),

        // Apart from BatonClient, so that an app that links `Baton` builds no TLS.
        .target(
            name: "LinkClient",
            dependencies: ["BatonClient", "BatonCore", "BatonWire", .nioCore, .nioPosix, .nioSSL]
        ),

        .target(
            name: "CloudClient",
            dependencies: [
                "BatonCore", "BatonWire", "BatonClient", .crypto, .nioCore, .nioPosix, .nioSSL, .protobuf,
            ]
        ),

        .target(
            name: "SiteAssociationClient",
            dependencies: ["BatonCore", "AssociatedDomains", .nioCore, .nioHTTP1, .nioPosix, .nioSSL]
        ),
        .testTarget(
            name: "SiteAssociationClientTests",
            dependencies: [
                "SiteAssociationClient", "AssociatedDomains", "BatonCore", "BatonTestSupport", .nioCore, .nioPosix,
                .nioSSL,
            ]
        ),

        .systemLibrary(name: "CAvahi", providers: [.apt(["libavahi-core-dev"])]),
        .target(name: "BatonDiscovery", dependencies: ["BatonCore", "CAvahi", .collections, .serviceLifecycle]),
        .testTarget(
            name: "BatonDiscoveryTests", dependencies: ["BatonCore", "BatonDiscovery", "BatonTestSupport"]),

        .target(
            name: "BatonTransport",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonWire", "BatonClient", "LinkClient", .httpTypes, .hummingbirdCore,
                .logging,
                .nioCore, .nioHTTP1, .nioHTTPTypes, .nioPosix, .nioSSL, .nioTLS, .protobuf, .serviceLifecycle,
            ]
        ),
        .testTarget(
            name: "BatonTransportTests",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonWire", "BatonTrust", "BatonTransport", "BatonClient",
                "BatonTestSupport", "LinkClient", .crypto,
                .logging, .nioCore, .nioEmbedded, .nioHTTP1, .nioPosix, .nioSSL, .nioTLS, .protobuf,
            ]
        ),

        // MARK: Services
        .target(
            name: "Peers",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonWire", "BatonTrust", "BatonClient", "BatonDiscovery",
                "BatonTransport", "LinkClient", .collections, .protobuf, .serviceLifecycle,
            ],
            path: "Sources/Services/Peers"
        ),
        .testTarget(
            name: "PeersTests",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonWire", "BatonClient", "BatonDiscovery", "BatonTransport",
                "BatonTestSupport", "Peers", .protobuf,
            ]
        ),

        .target(
            name: "Devices",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonWire", "BatonTrust", "BatonStore", "BatonClient",
                "BatonDiscovery", "BatonTransport", "Files", "LinkClient", "Peers", .collections, .crypto, .grdb,
                .logging, .nioCore, .protobuf, .serviceLifecycle,
            ],
            path: "Sources/Services/Devices"
        ),
        .testTarget(
            name: "DevicesTests",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonWire", "BatonTrust", "BatonStore", "BatonClient",
                "BatonDiscovery", "BatonTransport", "Devices", "Files", "Peers",
                "BatonTestSupport", "LinkClient", .crypto, .grdb, .logging, .nioCore, .protobuf, .serviceLifecycle,
            ]
        ),

        .target(
            name: "AppSessions",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonWire", "BatonTransport", .protobuf, .serviceLifecycle,
            ],
            path: "Sources/Services/AppSessions"
        ),
        .testTarget(
            name: "AppSessionsTests",
            dependencies: [
                "AppSessions", "BatonConcurrency", "BatonCore", "BatonWire", "BatonTransport", "BatonTestSupport",
                .protobuf,
            ]
        ),

        .target(
            name: "Handoff",
            dependencies: [
                "AppSessions", "BatonConcurrency", "BatonCore", "BatonWire", "BatonClient", "BatonTransport", "Files",
                "Peers", .collections, .nioCore, .protobuf, .serviceLifecycle,
            ],
            path: "Sources/Services/Handoff"
        ),
        .testTarget(
            name: "HandoffTests",
            dependencies: [
                "AppSessions", "BatonCore", "BatonWire", "BatonClient", "BatonTransport", "Handoff", "BatonTestSupport",
                .nioCore, .protobuf,
            ]),

        .target(
            name: "Sync",
            dependencies: [
                "BatonClient", "BatonConcurrency", "BatonCore", "BatonStore", "BatonTransport", "BatonTrust",
                "BatonWire", "CloudClient", "Devices", "Files", "Peers",
                .crypto, .grdb, .logging, .protobuf, .serviceLifecycle,
            ],
            path: "Sources/Services/Sync"),
        .testTarget(
            name: "SyncTests",
            dependencies: [
                "BatonCloud", "BatonConcurrency", "BatonCore", "BatonStore", "BatonTestSupport", "BatonTransport",
                "BatonTrust", "BatonWire", "CloudClient", "Devices", "KeyValue", "Peers", "Sync", .crypto, .logging,
                .protobuf,
            ]
        ),

        .target(
            name: "KeyValue",
            dependencies: [
                "AppSessions", "BatonCore", "BatonWire", "BatonStore", "BatonTransport", "Sync", .crypto, .grdb,
                "BatonConcurrency", .protobuf,
                .serviceLifecycle,
            ],
            path: "Sources/Services/KeyValue"
        ),
        .testTarget(
            name: "KeyValueTests",
            dependencies: [
                "BatonCore", "BatonStore", "BatonTestSupport", "BatonTransport", "BatonWire", "KeyValue", "Sync", .grdb,
                .protobuf,
            ]
        ),

        .target(
            name: "Records",
            dependencies: [
                "AppSessions", "BatonConcurrency", "BatonCore", "BatonStore", "BatonTransport", "BatonWire", "FileSync",
                "Files", "RecordMerge", "Sync", .crypto, .grdb, .protobuf, .serviceLifecycle,
            ],
            path: "Sources/Services/Records"
        ),
        .testTarget(
            name: "RecordsTests",
            dependencies: [
                "BatonCore", "BatonStore", "BatonTestSupport", "BatonWire", "FileSync", "RecordMerge", "Records",
                "Sync",
                .crypto, .grdb, .protobuf,
            ]
        ),

        .target(
            name: "Documents",
            dependencies: [
                "AppSessions", "BatonConcurrency", "BatonCore", "BatonStore", "BatonTransport", "BatonWire", "CLinux",
                "BatonClient", "Files", "FileSync", "Packs", "Peers", "Sync", .crypto, .grdb, .protobuf,
                .serviceLifecycle,
            ],
            path: "Sources/Services/Documents"
        ),
        .testTarget(
            name: "DocumentsTests",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonStore", "BatonTestSupport", "BatonWire", "Documents", "FileSync",
                "Packs", "Sync", .crypto, .grdb, .protobuf,
            ]
        ),

        .target(
            name: "LaunchServices",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonWire", "BatonTrust", "BatonStore", "BatonTransport", "CLinux",
                "Files", .grdb, .logging, .protobuf,
                .subprocess, .system,
            ],
            path: "Sources/Services/LaunchServices"
        ),
        .testTarget(
            name: "LaunchServicesTests",
            dependencies: [
                "LaunchServices", "BatonConcurrency", "BatonCore", "BatonWire", "BatonTrust", "BatonStore",
                "BatonTestSupport", "Files", .grdb,
                .logging, .protobuf,
            ]
        ),

        .systemLibrary(name: "CGIO", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(name: "CSystemd", providers: [.apt(["libsystemd-dev"])]),
        .target(
            name: "SessionBus",
            dependencies: ["CSystemd"]
        ),
        .target(
            name: "Opening",
            dependencies: [
                "AppSessions", "BatonConcurrency", "BatonCore", "BatonStore", "BatonTransport", "BatonTrust",
                "BatonWire",
                "CGIO", "Files", "Handoff", "SessionBus", "UniformTypes", .grdb, .protobuf, .serviceLifecycle,
            ],
            path: "Sources/Services/Opening"
        ),
        .testTarget(
            name: "OpeningTests",
            dependencies: [
                "AppSessions", "BatonConcurrency", "BatonCore", "BatonStore", "BatonTestSupport", "BatonTransport",
                "BatonTrust",
                "BatonWire", "Opening", "SessionBus", "UniformTypes", .protobuf,
            ]),

        // Its folder Protocol is part of the package in Desktop, too.
        .target(
            name: "DesktopHelper",
            dependencies: [
                "BatonConcurrency", "BatonCore", "SessionBus", .serviceLifecycle, .subprocess, .system,
            ],
            path: "Sources/Services/DesktopHelper"
        ),
        .testTarget(
            name: "DesktopHelperTests", dependencies: ["BatonConcurrency", "BatonCore", "DesktopHelper"]),

        .target(name: "AirDropProtocol", dependencies: ["BatonConcurrency", "BatonCore", "CZlib", "Files"]),
        .testTarget(
            name: "AirDropProtocolTests",
            dependencies: ["AirDropProtocol", "BatonConcurrency", "BatonCore", "BatonTestSupport"]),
        .target(name: "AirDropArchive", dependencies: ["AirDropProtocol", "BatonCore", "Files"]),
        .testTarget(
            name: "AirDropArchiveTests",
            dependencies: ["AirDropArchive", "AirDropProtocol", "BatonCore", "BatonTestSupport", "Files"]),

        .target(
            name: "Transfers",
            dependencies: [
                "AirDropProtocol", "BatonConcurrency", "BatonCore", "BatonTransport", "BatonWire", "Files",
                "BatonClient", "Peers", .crypto, .protobuf,
            ],
            path: "Sources/Services/Transfers"
        ),
        .testTarget(
            name: "TransfersTests",
            dependencies: [
                "BatonClient", "BatonCore", "BatonTestSupport", "BatonTrust", "BatonWire", "Transfers", .crypto,
                .protobuf,
            ]),

        .target(
            name: "AirDrop",
            dependencies: [
                "AirDropArchive", "AirDropProtocol", "BatonConcurrency", "BatonCore", "BatonDiscovery", "LinkClient",
                "BatonTransport", "BatonTrust", "BatonWire", "CLinux", "Files", "Peers", "Transfers", .crypto,
                .httpTypes, .logging, .nioCore, .nioHTTP1, .nioPosix, .nioSSL,
                .protobuf, .serviceLifecycle,
            ],
            path: "Sources/Services/AirDrop"
        ),
        .testTarget(
            name: "AirDropTests",
            dependencies: [
                "AirDrop", "AirDropProtocol", "BatonClient", "BatonConcurrency", "BatonCore", "BatonDiscovery",
                "BatonTestSupport", "BatonTrust", "BatonWire", "Transfers",
                .crypto, .logging, .protobuf,
            ]),

        .target(
            name: "Notices",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonWire", "Files", "BatonTransport", "SessionBus", .collections,
                .protobuf, .serviceLifecycle,
            ],
            path: "Sources/Services/Notices"
        ),
        .testTarget(
            name: "NoticesTests",
            dependencies: [
                "Notices", "BatonConcurrency", "BatonCore", "BatonTestSupport", "BatonTransport", "BatonWire",
                "SessionBus", .protobuf, .serviceLifecycle,
            ]
        ),

        .target(name: "ICalendar"),
        .testTarget(name: "ICalendarTests", dependencies: ["ICalendar"]),

        .target(
            name: "Reminders",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonStore", "BatonTransport", "BatonWire", "ICalendar", "Sync",
                "Files", .grdb, .protobuf, .serviceLifecycle,
            ],
            path: "Sources/Services/Reminders"
        ),
        .testTarget(
            name: "RemindersTests",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonStore", "BatonTestSupport", "BatonWire", "ICalendar",
                "Reminders", "Sync", .protobuf, .serviceLifecycle,
            ]
        ),
        .target(name: "Prediction"),
        .testTarget(name: "PredictionTests", dependencies: ["Prediction"]),
        .target(
            name: "ContextAwareness",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonStore", "BatonTransport", "BatonWire", "CLinux",
                "Files", "SessionBus",
                .protobuf, .serviceLifecycle, .subprocess, .system,
            ],
            path: "Sources/Services/Context"
        ),
        .testTarget(name: "ContextTests", dependencies: ["BatonCore", "BatonTestSupport", "ContextAwareness"]),
        .target(
            name: "Predictions",
            dependencies: [
                "BatonConcurrency", "BatonCore", "Files", "BatonTransport", "BatonWire", "Prediction", .protobuf,
                .serviceLifecycle,
            ],
            path: "Sources/Services/Predictions"
        ),
        .testTarget(
            name: "PredictionsTests",
            dependencies: ["BatonCore", "BatonTestSupport", "BatonWire", "Prediction", "Predictions"]),
        .target(name: "BackupFormat", dependencies: ["BatonCore", "FileSync"]),
        .testTarget(
            name: "BackupFormatTests", dependencies: ["BackupFormat", "BatonCore", "BatonTestSupport", "FileSync"]),

        .systemLibrary(name: "CZstd", providers: [.apt(["libzstd-dev"])]),
        .target(
            name: "Backup",
            dependencies: [
                "BackupFormat", "BatonConcurrency", "BatonCore", "BatonTransport", "BatonTrust", "BatonWire", "CLinux",
                "CZstd",
                "Files", "FileSync", "Packs", .collections, .crypto, .grdb, .protobuf, .serviceLifecycle,
                .grdbSQLite,
            ],
            path: "Sources/Services/Backup"
        ),
        .testTarget(
            name: "BackupTests",
            dependencies: [
                "Backup", "BackupFormat", "BatonCore", "BatonTestSupport", "CLinux", "FileSync", "Files", .crypto, .grdb,
                "BatonConcurrency",
                "BatonWire", .protobuf,
            ]),

        .target(name: "VCard"),
        .testTarget(name: "VCardTests", dependencies: ["VCard"]),

        .target(name: "RequestGrammar"),
        .testTarget(name: "RequestGrammarTests", dependencies: ["RequestGrammar"]),

        .target(
            name: "Requests",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonTransport", "BatonWire", "RequestGrammar", .protobuf,
            ],
            path: "Sources/Services/Requests"
        ),
        .testTarget(
            name: "RequestsTests",
            dependencies: ["BatonCore", "BatonWire", "RequestGrammar", "Requests", .protobuf]
        ),

        .target(
            name: "Contacts",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonStore", "BatonTransport", "BatonWire",
                "Files", "SessionBus",
                "VCard",
                .crypto, .protobuf, .serviceLifecycle,
            ],
            path: "Sources/Services/Contacts"
        ),
        .testTarget(
            name: "ContactsTests", dependencies: ["BatonCore", "BatonTestSupport", "Contacts", "VCard"]),

        .target(
            name: "Suggestions",
            dependencies: [
                "AppSessions", "BatonConcurrency", "BatonCore", "BatonTransport", "BatonWire", "WebMarkup", .protobuf,
            ],
            path: "Sources/Services/Suggestions"
        ),
        .testTarget(
            name: "SuggestionsTests",
            dependencies: [
                "AppSessions", "BatonCore", "BatonTransport", "BatonWire", "Suggestions", "WebMarkup", .protobuf,
            ]
        ),

        .target(
            name: "People",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonStore", "BatonTransport", "BatonWire", "VCard", .grdb, .protobuf,
                .serviceLifecycle,
            ],
            path: "Sources/Services/People"
        ),
        .testTarget(
            name: "PeopleTests",
            dependencies: [
                "BatonCore", "BatonStore", "BatonTestSupport", "BatonTransport", "BatonWire", "People", "VCard",
                .protobuf,
            ]
        ),

        .target(
            name: "Media",
            dependencies: [
                "AppSessions", "BatonConcurrency", "BatonCore", "Files", "BatonTransport", "BatonWire",
                "Handoff", "Peers", "SessionBus",
                .protobuf, .serviceLifecycle,
            ],
            path: "Sources/Services/Media"
        ),
        .testTarget(
            name: "MediaTests",
            dependencies: [
                "AppSessions", "BatonConcurrency", "BatonCore", "BatonTestSupport", "BatonTransport", "BatonWire",
                "Media", "SessionBus", .protobuf,
            ]
        ),

        .target(
            name: "SavedActivities",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonWire", "BatonStore", "BatonTransport", .grdb, .protobuf,
                .serviceLifecycle,
            ],
            path: "Sources/Services/SavedActivities"
        ),
        .testTarget(
            name: "SavedActivitiesTests",
            dependencies: [
                "SavedActivities", "BatonCore", "BatonWire", "BatonStore", "BatonTransport", "BatonTestSupport", .grdb,
                .protobuf,
            ]
        ),

        .target(
            name: "Spotlight",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonStore", "BatonTransport", "BatonWire", "DocumentFormats",
                "Peers", "SearchQuery", "SearchText", .grdb, .grdbSQLite, .protobuf, .serviceLifecycle,
            ],
            path: "Sources/Services/Spotlight"
        ),
        .testTarget(
            name: "SpotlightTests",
            dependencies: [
                "BatonCore", "BatonStore", "BatonTestSupport", "BatonWire", "SearchText", "Spotlight", .grdb, .protobuf,
            ]
        ),

        .target(
            name: "Geocoding",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonStore", "BatonTransport", "BatonWire",
                .asyncHTTPClient, .grdb, .nioCore, .nioHTTP1, .protobuf,
            ],
            path: "Sources/Services/Geocoding"
        ),
        .testTarget(
            name: "GeocodingTests",
            dependencies: [
                "BatonCore", "BatonStore", "BatonTestSupport", "BatonTransport", "Geocoding", .nioCore, .nioHTTP1,
                .nioPosix,
            ]
        ),

        .target(
            name: "SiteAssociations",
            dependencies: [
                "AssociatedDomains", "BatonConcurrency", "BatonCore", "BatonWire", "BatonStore", "BatonTransport",
                "SiteAssociationClient",
                .grdb,
                .logging, .nioCore, .nioPosix, .protobuf, .serviceLifecycle,
            ],
            path: "Sources/Services/SiteAssociations"
        ),
        .testTarget(
            name: "SiteAssociationsTests",
            dependencies: [
                "SiteAssociations", "AssociatedDomains", "BatonCore", "BatonStore", "BatonTestSupport", "BatonWire",
                "SiteAssociationClient", .logging, .protobuf, .serviceLifecycle,
            ]
        ),

        .target(
            name: "Coordination",
            dependencies: [
                "AppSessions", "BatonConcurrency", "BatonCore", "Files", "BatonTransport", "BatonWire",
                "FileCoordination", .protobuf, .serviceLifecycle,
            ],
            path: "Sources/Services/Coordination"
        ),
        .testTarget(
            name: "CoordinationTests",
            dependencies: [
                "AppSessions", "BatonConcurrency", "BatonCore", "BatonTestSupport", "BatonTransport", "BatonWire",
                "Coordination", "FileCoordination", .protobuf,
            ]
        ),

        .target(
            name: "Protection",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonTransport", "BatonWire", "Files",
                "SessionBus", .crypto, .cryptoExtras, .protobuf, .serviceLifecycle,
            ],
            path: "Sources/Services/Protection"
        ),
        .testTarget(
            name: "ProtectionTests",
            dependencies: ["BatonConcurrency", "BatonCore", "BatonTestSupport", "Protection", .crypto]
        ),

        // MARK: Composition
        .target(
            name: "BatonDaemon",
            dependencies: [
                "AirDrop", "AppSessions", "AssociatedDomains", "Backup", "BackupFormat",
                "BatonConcurrency", "BatonCore", "BatonDiscovery", "BatonStore", "BatonTransport", "BatonTrust",
                "BatonWire", "CGIO", "CLinux", "CloudClient", "Contacts", "ContextAwareness", "Coordination", "Files",
                "DesktopHelper", "Devices", "DocumentFormats", "Documents", "FileCoordination", "Geocoding", "Handoff",
                "ICalendar",
                "KeyValue", "LaunchServices", "Media", "Notices", "Opening", "Peers", "People", "Prediction",
                "Predictions", "Protection", "Records", "Reminders", "RequestGrammar", "Requests",
                "SavedActivities", "SearchText", "SessionBus", "SiteAssociationClient", "SiteAssociations",
                "Spotlight", "Suggestions", "Sync", "Transfers", "UniformTypes", "VCard", "WebMarkup",
                .argumentParser, .crypto, .logging, .nioCore, .protobuf, .serviceLifecycle, .subprocess,
                .unixSignals,
            ]
        ),
        .testTarget(
            name: "BatonDaemonTests",
            dependencies: [
                "BatonCore", "BatonWire", "BatonTrust", "BatonStore", "BatonTransport", "Devices", "Documents",
                "Files", "Handoff",
                "LaunchServices",
                "BatonClient", "BatonDaemon", "BatonTestSupport", "Opening", "Requests", "UniformTypes", .logging,
                .nioCore,
                .protobuf,
            ]
        ),
        .executableTarget(name: "batond", dependencies: ["BatonDaemon"]),

        // MARK: The cloud
        .systemLibrary(name: "CLibPQ", providers: [.apt(["libpq-dev"])]),
        .target(
            name: "BatonCloud",
            dependencies: [
                "BatonConcurrency", "BatonCore", "BatonWire", "BatonTrust", "BatonStore", "BatonTransport", "CLibPQ",
                "Files",
                .argumentParser,
                .asn1, .asyncHTTPClient, .collections, .coreMetrics, .crypto,
                .grdb, .httpTypes, .logging, .nioCore, .nioHTTP1, .nioPosix, .nioSSL, .protobuf, .serviceLifecycle,
                .unixSignals, .x509, .yams,
            ]
        ),
        // What every driver must pass, for the tests of each.
        .target(
            name: "CloudConformance", dependencies: ["BatonCloud", "BatonCore", "BatonTestSupport", "BatonWire"],
            path: "Tests/CloudConformance"),
        .testTarget(
            name: "BatonCloudTests",
            dependencies: [
                "BatonClient", "BatonCloud", "BatonCore", "BatonTestSupport", "BatonTrust", "BatonWire",
                "CloudConformance", .coreMetrics, .crypto, .grdb, .logging, .nioCore, .nioHTTP1, .nioPosix, .nioSSL,
                .protobuf,
            ],
            exclude: ["spoiling-proxy.py"]
        ),
        .executableTarget(name: "baton-cloud", dependencies: ["BatonCloud"]),

        // MARK: The app library
        .target(
            name: "AppLink",
            dependencies: [
                "BatonClient", "BatonConcurrency", "BatonCore", "BatonWire", "FileCoordination", "Files", .logging,
                .protobuf,
            ]
        ),
        .target(
            name: "Baton",
            dependencies: [
                "AppLink", "BatonConcurrency", "BatonCore", "BatonWire", "BatonClient", "CLinux", "FileCoordination",
                "Files", "MetadataQuery",
                "VCard",
                "UniformTypes", .logging, .protobuf,
            ]
        ),
        .testTarget(
            name: "BatonTests",
            dependencies: [
                "AppLink", "Baton", "BatonClient", "BatonConcurrency", "BatonCore", "BatonTestSupport",
                "BatonTransport",
                "BatonWire",
                "FileCoordination", "MetadataQuery", "MonkeyBrowser", "UniformTypes", "VCard",
                .logging, .protobuf,
            ]
        ),

        // Apart from Baton, so that an app without a database builds no SQLite.
        .target(name: "RecordMirror", dependencies: ["CLinux", .grdb, .grdbSQLite]),
        .testTarget(
            name: "RecordMirrorTests", dependencies: ["BatonCore", "FileSync", "RecordMerge", "RecordMirror", .grdb]),
        .target(
            name: "BatonRecords",
            dependencies: [
                "AppLink", "Baton", "BatonConcurrency", "BatonCore", "BatonWire", "RecordMirror", .grdb, .protobuf,
            ]),
        .testTarget(name: "BatonRecordsTests", dependencies: ["Baton", "BatonRecords", .grdb]),

        // Apple's line about predicates, unchanged, with an app's imports.
        .testTarget(name: "PredicateSourceTests", dependencies: ["Baton"]),

        // An app's code from before Swift 6, with an app's settings.
        .testTarget(
            name: "BatonSwift5Tests", dependencies: ["Baton"], swiftSettings: [.swiftLanguageMode(.v5)]),

        // MARK: The command line
        .target(
            name: "BatonCommands",
            dependencies: [
                "AssociatedDomains", "BatonCore", "BatonWire", "BatonTrust", "BatonClient", "SiteAssociationClient",
                "BatonConcurrency",
                "Files", "VCard", "WebMarkup", .argumentParser, .asyncHTTPClient, .nioCore, .nioHTTP1, .protobuf,
            ]
        ),
        .testTarget(
            name: "BatonCommandsTests",
            dependencies: [
                "AssociatedDomains", "BatonCommands", "BatonClient", "BatonCore", "BatonTrust", "BatonWire",
                "BatonTestSupport", "WebMarkup", .argumentParser, .crypto, .protobuf,
            ]
        ),
        .executableTarget(name: "baton-cli", dependencies: ["BatonCommands"], path: "Sources/baton-cli"),

        // MARK: Examples
        .executableTarget(name: "MonkeyBrowser", dependencies: ["Baton"], path: "Examples/MonkeyBrowser/Sources"),
        .executableTarget(name: "iCloudKeyValue", dependencies: ["Baton"], path: "Examples/iCloudKeyValue/Sources"),
        .executableTarget(name: "CloudContacts", dependencies: ["Baton"], path: "Examples/Contacts/Sources"),
        .executableTarget(name: "iCloudUIDoc", dependencies: ["Baton"], path: "Examples/iCloudUIDoc/Sources"),
        .executableTarget(
            name: "ReminderLists", dependencies: ["Baton", "BatonRecords", .grdb], path: "Examples/Reminders/Sources"),
        .executableTarget(name: "RichTextEditor", dependencies: ["Baton"], path: "Examples/RichTextEditor/Sources"),
        .executableTarget(name: "ToDo", dependencies: ["Baton"], path: "Examples/ToDo/Sources"),
        .executableTarget(name: "ShareSheet", dependencies: ["Baton"], path: "Examples/ShareSheet/Sources"),
        .executableTarget(name: "PNGViewer", dependencies: ["Baton"], path: "Examples/PNGViewer/Sources"),
        .executableTarget(name: "LaunchImages", dependencies: ["Baton"], path: "Examples/LaunchImages/Sources"),
        .executableTarget(name: "Mail", dependencies: ["Baton"], path: "Examples/Mail/Sources"),
        .executableTarget(name: "Directions", dependencies: ["Baton"], path: "Examples/Directions/Sources"),
        .executableTarget(name: "MonkeyChat", dependencies: ["Baton"], path: "Examples/MonkeyChat/Sources"),
        .executableTarget(name: "MonkeyPlayer", dependencies: ["Baton"], path: "Examples/MonkeyPlayer/Sources"),
        .executableTarget(name: "XamarinPlatform", dependencies: ["Baton"], path: "Examples/XamarinPlatform/Sources"),
        .executableTarget(name: "AddressField", dependencies: ["Baton"], path: "Examples/AddressField/Sources"),
        .executableTarget(
            name: "RestaurantReviews", dependencies: ["Baton"], path: "Examples/RestaurantReviews/Sources"),

        // MARK: Test support and tests of the whole
        .target(
            name: "BatonTestSupport",
            dependencies: [
                "BatonCore", "BatonWire", "BatonTrust", "BatonClient", "BatonDiscovery", .asn1, .crypto, .protobuf,
                .subprocess, .system, .x509,
            ]
        ),
        .executableTarget(
            name: "HandoffProbe", dependencies: ["Baton"], path: "Tests/HandoffProbe"),
        .executableTarget(name: "ImportProbe", dependencies: ["Baton"], path: "Tests/ImportProbe"),
        .executableTarget(name: "KeyValueProbe", dependencies: ["Baton"], path: "Tests/KeyValueProbe"),
        .executableTarget(name: "RecordsProbe", dependencies: ["Baton"], path: "Tests/RecordsProbe"),
        .executableTarget(name: "CoordinationProbe", dependencies: ["Baton"], path: "Tests/CoordinationProbe"),
        // The program of apps that are scripts, for LaunchServicesTests.
        .executableTarget(name: "ScriptApp", path: "Tests/ScriptApp"),
        // Starts batond, baton, the examples and the probes, which “swift test” builds with everything else.
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "BatonTestSupport", "BatonCore", "BatonWire", "BatonTrust", "BatonClient", "BatonDiscovery",
                "BatonTransport", .protobuf,
            ]
        ),
    ]
)

// MARK: Benchmarks, which no other build pays for: see Benchmarks/README.md
if ProcessInfo.processInfo.environment["BATON_BENCHMARKS"] != nil {
    package.targets += [
        .executableTarget(
            name: "baton-benchmark",
            dependencies: [
                "AssociatedDomains", "Baton", "BatonClient", "BatonCloud", "BatonCore", "BatonStore", "BatonTransport",
                "BatonTrust", "BatonWire", "CloudClient", "KeyValue", "LinkClient", "Sync", .crypto, .grdb, .logging,
                .nioCore, .nioPosix, .nioSSL, .protobuf,
                "BatonRecords", "CGumbo", "Contacts", "Prediction", "RequestGrammar", "SearchText", "Spotlight",
                "VCard",
                "WebMarkup",
            ],
            path: "Benchmarks/Sources"
        ),
        .executableTarget(
            name: "BenchmarkApp", dependencies: ["Baton"], path: "Benchmarks/App",
            exclude: ["Entitlements.plist", "Info.plist"]),
    ]
}

// MARK: Fuzzing, which no other build sees: see Fuzzing/README.md
if ProcessInfo.processInfo.environment["BATON_FUZZING"] != nil {
    package.targets.append(
        .executableTarget(
            name: "baton-fuzz",
            dependencies: [
                "AirDropArchive", "AirDropProtocol", "AssociatedDomains", "BatonCommands", "BatonCore", "BatonTrust",
                "BatonWire", "Files", .asn1, .crypto, .nioCore, .protobuf, .x509,
                "FileSync", "RecordMerge", "RecordMirror", "Records", .grdb,
                "ContextAwareness", "ICalendar", "RequestGrammar", "SearchQuery", "VCard", "WebMarkup",
            ],
            path: "Fuzzing/Sources",
            // libFuzzer without its main, which Fuzzing/run finds in the toolchain.
            linkerSettings: [
                .unsafeFlags([ProcessInfo.processInfo.environment["BATON_FUZZER_LIBRARY"] ?? ""]),
                .linkedLibrary("stdc++"),
            ]))
    let fuzzed = [
        "AirDropArchive", "AirDropProtocol", "AssociatedDomains", "BatonCommands", "BatonCore", "BatonTrust",
        "BatonWire", "Files",
        "FileSync", "RecordMerge", "RecordMirror", "Records",
        "ContextAwareness", "ICalendar", "RequestGrammar", "SearchQuery", "VCard", "WebMarkup",
    ]
    for target in package.targets where fuzzed.contains(target.name) {
        target.swiftSettings = [.unsafeFlags(["-sanitize=fuzzer", "-O"])]
    }
}

for target in package.targets
where [.regular, .executable, .test].contains(target.type) && target.name != "BatonSwift5Tests" {
    target.swiftSettings = (target.swiftSettings ?? []) + settings
}
