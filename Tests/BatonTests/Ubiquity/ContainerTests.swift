import BatonCore
import BatonTestSupport
import Foundation
import Testing

@testable import Baton

/// Containers and their items, by what Apple's names do.
@Suite("Containers", .timeLimit(.minutes(1))) @MainActor struct ContainerTests {
    @Test(
        "A container is where the daemon says, by its name or as the first, and has Documents (D-3, D-5, D-9, D-10, D-11)"
    )
    func container() async throws {
        try await ContainerApp.run { app in
            let url = app.daemon.container
            let documents = app.daemon.url("Documents")
            try FileManager.default.removeItem(at: documents)
            let first = try await app.offMain { FileManager.default.url(forUbiquityContainerIdentifier: nil) }
            #expect(first?.path == url.path)
            #expect(FileManager.default.fileExists(atPath: documents.path))
            let named = try await app.offMain {
                FileManager.default.url(forUbiquityContainerIdentifier: ContainerDaemon.identifier)
            }
            #expect(named?.path == url.path)
            #expect(app.daemon.opened == ["", ContainerDaemon.identifier])
        }
    }

    @Test(
        "Without an account, an entitlement or a daemon there is no container, and nothing crashes (D-9, D-13)",
        arguments: ["no_account", "no_entitlement", "switched_off", ""])
    func none(reason: String) async throws {
        try await ContainerApp.run { app in
            if reason.isEmpty { app.daemon.crash() } else { app.daemon.setAccount(Data(), reason: reason) }
            let url = try await app.offMain { FileManager.default.url(forUbiquityContainerIdentifier: nil) }
            #expect(url == nil)
            let file = app.daemon.url("Documents/a.txt")
            let isUbiquitous = try await app.offMain { FileManager.default.isUbiquitousItem(at: file) }
            #expect(!isUbiquitous)
            await #expect(throws: CocoaError.self) {
                try await app.offMain { try FileManager.default.startDownloadingUbiquitousItem(at: file) }
            }
        }
    }

    @Test("A container that the app does not have is none")
    func unknown() async throws {
        try await ContainerApp.run { app in
            let url = try await app.offMain {
                FileManager.default.url(forUbiquityContainerIdentifier: "ABCDE12345.com.example.Other")
            }
            #expect(url == nil)
        }
    }

    @Test("The identity token is of the account, and a notification tells of another (D-9)")
    func identity() async throws {
        try await ContainerApp.run { app in
            let posted = Mailbox<Void>()
            let observer = NotificationCenter.default.addObserver(
                forName: .NSUbiquityIdentityDidChange, object: nil, queue: nil
            ) { _ in if AppRuntime.current === app.runtime { posted.send(()) } }
            defer { NotificationCenter.default.removeObserver(observer) }
            #expect(try await token(app) == Data([1]))
            app.daemon.setAccount(Data(), reason: "no_account")
            _ = try await posted.next()
            #expect(try await token(app) == nil)
            app.daemon.setAccount(Data([2]))
            _ = try await posted.next()
            #expect(try await token(app) == Data([2]))
        }
    }

    private func token(_ app: ContainerApp) async throws -> Data? {
        try await app.offMain { (FileManager.default.ubiquityIdentityToken as? NSData).map { Data(referencing: $0) } }
    }

    @Test("An item is evicted and downloaded, and says where it is (D-8)")
    func transfers() async throws {
        try await ContainerApp.run { app in
            try app.daemon.arrive("Documents/a.txt", "one")
            let file = app.daemon.url("Documents/a.txt")
            #expect(try await app.offMain { FileManager.default.isUbiquitousItem(at: file) })
            try await until(app, file) { $0.ubiquitousItemDownloadingStatus == .current }
            try await app.offMain { try FileManager.default.evictUbiquitousItem(at: file) }
            #expect(app.text("Documents/a.txt") == nil)
            #expect(try await app.offMain { FileManager.default.isUbiquitousItem(at: file) })
            try await until(app, file) { $0.ubiquitousItemDownloadingStatus == .notDownloaded }
            try await app.offMain { try FileManager.default.startDownloadingUbiquitousItem(at: file) }
            try await until(app, file) {
                $0.ubiquitousItemDownloadingStatus == .current && $0.ubiquitousItemIsUploaded == true
            }
            #expect(app.text("Documents/a.txt") == "one")
            let elsewhere = URL(fileURLWithPath: app.daemon.directory.file("other.txt"))
            let values = try await app.offMain { elsewhere.ubiquitousItemResourceValues() }
            #expect(!values.isUbiquitousItem && values.ubiquitousItemIsUploaded == nil)
        }
    }

    private func until(
        _ app: ContainerApp, _ file: URL, _ isReached: @escaping @Sendable (UbiquitousItemResourceValues) -> Bool
    ) async throws {
        while try await !app.offMain({ isReached(file.ubiquitousItemResourceValues()) }) { await Task.yield() }
    }

    @Test(
        "What the daemon refuses is an error of iCloud's range",
        arguments: [
            (BatonError(.unavailable, reason: "cloud_unreachable", "Later."), 4355),
            (BatonError(.resourceExhausted, reason: "over_quota", "Full."), 4354),
            (BatonError(.failedPrecondition, reason: "not_uploaded", "Not yet."), 4353),
            (BatonError(.failedPrecondition, reason: "no_account", "Nobody."), 4355),
            (BatonError(.notFound, reason: "no_item", "None."), 4),
        ])
    func errors(refusal: BatonError, code: Int) async throws {
        try await ContainerApp.run { app in
            try app.daemon.arrive("Documents/a.txt", "one")
            let file = app.daemon.url("Documents/a.txt")
            _ = try await app.offMain { FileManager.default.url(forUbiquityContainerIdentifier: nil) }
            app.daemon.refuseNext(refusal)
            let error = await #expect(throws: CocoaError.self) {
                try await app.offMain { try FileManager.default.evictUbiquitousItem(at: file) }
            }
            #expect(error?.code.rawValue == code)
            #expect(error?.localizedDescription == refusal.message)
        }
    }

    @Test("Nothing is published, and the error says so")
    func publishing() async throws {
        try await ContainerApp.run { app in
            try app.daemon.arrive("Documents/a.txt", "one")
            let file = app.daemon.url("Documents/a.txt")
            let error = await #expect(throws: CocoaError.self) {
                try await app.offMain { try FileManager.default.url(forPublishingUbiquitousItemAt: file) }
            }
            #expect(error?.code == .featureUnsupported)
        }
    }

    @Test("A local file is moved into the container and out of it, and nothing is overwritten (D-23)")
    func setUbiquitous() async throws {
        try await ContainerApp.run { app in
            let local = URL(fileURLWithPath: app.daemon.directory.file("local.txt"))
            try Data("mine".utf8).write(to: local)
            let inside = app.daemon.url("Documents/in.txt")
            try await app.offMain {
                try FileManager.default.setUbiquitous(true, itemAt: local, destinationURL: inside)
            }
            #expect(app.text("Documents/in.txt") == "mine")
            #expect(!FileManager.default.fileExists(atPath: local.path))
            let within = app.daemon.url("Documents/b.txt")
            for (flag, from, to) in [(true, inside, within), (true, local, local), (false, local, inside)] {
                await #expect(throws: CocoaError.self) {
                    try await app.offMain {
                        try FileManager.default.setUbiquitous(flag, itemAt: from, destinationURL: to)
                    }
                }
            }
            try Data("other".utf8).write(to: local)
            let error = await #expect(throws: CocoaError.self) {
                try await app.offMain {
                    try FileManager.default.setUbiquitous(false, itemAt: inside, destinationURL: local)
                }
            }
            #expect(error?.code == .fileWriteFileExists)
            #expect(app.text("Documents/in.txt") == "mine")
            try FileManager.default.removeItem(at: local)
            try await app.offMain {
                try FileManager.default.setUbiquitous(false, itemAt: inside, destinationURL: local)
            }
            #expect(try String(contentsOf: local, encoding: .utf8) == "mine")
        }
    }

    @Test("An item that is not on this device is downloaded before it leaves the container")
    func leaving() async throws {
        try await ContainerApp.run { app in
            try app.daemon.arrive("Documents/a.txt", "far", isDownloaded: false)
            let (inside, local) = (app.daemon.url("Documents/a.txt"), app.daemon.directory.file("out.txt"))
            try await app.offMain {
                try FileManager.default.setUbiquitous(
                    false, itemAt: inside, destinationURL: URL(fileURLWithPath: local))
            }
            #expect(try String(contentsOfFile: local, encoding: .utf8) == "far")
        }
    }
}
