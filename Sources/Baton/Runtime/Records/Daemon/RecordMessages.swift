import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf

extension Baton_App_V1_RecordZoneID {
    init(_ id: CKRecordZone.ID) {
        self.init()
        zoneName = id.zoneName
        ownerName = id.ownerName == CKCurrentUserDefaultName ? "" : id.ownerName
    }

    var zoneID: CKRecordZone.ID {
        CKRecordZone.ID(fetched: zoneName, ownerName: ownerName.isEmpty ? CKCurrentUserDefaultName : ownerName)
    }
}

extension Baton_App_V1_RecordIdentifier {
    init(_ id: CKRecord.ID) {
        self.init()
        recordName = id.recordName
        zone = .init(id.zoneID)
    }

    var recordID: CKRecord.ID { CKRecord.ID(fetched: recordName, zoneID: zone.zoneID) }
}

extension Baton_App_V1_RecordLocation {
    init(_ location: CLLocation) {
        self.init()
        latitude = location.coordinate.latitude
        longitude = location.coordinate.longitude
        altitude = location.altitude
        horizontalAccuracy = location.horizontalAccuracy
        verticalAccuracy = location.verticalAccuracy
        course = location.course
        speed = location.speed
        timestamp = location.timestamp.timeIntervalSinceReferenceDate
    }
}

extension CLLocation {
    convenience init(_ message: Baton_App_V1_RecordLocation) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: message.latitude, longitude: message.longitude),
            altitude: message.altitude, horizontalAccuracy: message.horizontalAccuracy,
            verticalAccuracy: message.verticalAccuracy, course: message.course, speed: message.speed,
            timestamp: Date(timeIntervalSinceReferenceDate: message.timestamp))
    }
}

extension Baton_App_V1_RecordSavePolicy {
    init(_ policy: CKModifyRecordsOperation.RecordSavePolicy) {
        self =
            switch policy {
            case .ifServerRecordUnchanged: .unspecified
            case .changedKeys: .changedKeys
            case .allKeys: .allKeys
            }
    }
}

extension RecordAccount {
    init(_ state: Baton_App_V1_AccountState, user: String, container: String = "") {
        let status: CKAccountStatus =
            switch state {
            case .available: .available
            case .noAccount: .noAccount
            case .restricted: .restricted
            case .temporarilyUnavailable: .temporarilyUnavailable
            case .unspecified, .UNRECOGNIZED: .couldNotDetermine
            }
        self.init(status: status, userRecordName: user.isEmpty ? nil : user, container: container)
    }
}

extension CKError {
    /// The daemon's refusal of one record or zone.
    init(_ problem: Baton_App_V1_RecordProblem) {
        self.init(Self.code(problem.reason) ?? .serverRejectedRequest, problem.message)
    }

    /// A record that has moved, with the three versions of it.
    init(_ problem: Baton_App_V1_RecordProblem, changed record: CKRecord, server: CKRecord) {
        var info: [String: Any] = [
            CKRecordChangedErrorClientRecordKey: record, CKRecordChangedErrorServerRecordKey: server,
        ]
        info[CKRecordChangedErrorAncestorRecordKey] = record.withState { $0.ancestor }.map { CKRecord(state: $0) }
        self.init(.serverRecordChanged, problem.message, info)
    }

    /// Why a call failed as a whole.
    init(daemon error: any Error) {
        switch error {
        case let error as CKError: self = error
        case is CancellationError: self = CKOperation.cancelled
        case let error as BatonError:
            let code = Self.code(error.reason) ?? Self.code(error.code)
            self.init(code, error.message, code == .requestRateLimited ? [CKErrorRetryAfterKey: 5.0] : [:])
        default: self.init(.internalError, "The records could not be reached: \(error)")
        }
    }

    private static func code(_ reason: String) -> Code? {
        switch reason {
        case "missing_entitlement": .missingEntitlement
        case "bad_container": .badContainer
        case "not_authenticated": .notAuthenticated
        case "bad_database": .badDatabase
        case "limit_exceeded": .limitExceeded
        case "zone_not_found": .zoneNotFound
        case "user_deleted_zone": .userDeletedZone
        case "invalid_arguments": .invalidArguments
        case "change_token_expired": .changeTokenExpired
        case "quota_exceeded": .quotaExceeded
        case "service_unavailable": .serviceUnavailable
        case "permission_failure": .permissionFailure
        case "server_record_changed": .serverRecordChanged
        case "unknown_item": .unknownItem
        case "batch_request_failed": .batchRequestFailed
        case "reference_violation": .referenceViolation
        case "asset_file_not_found": .assetFileNotFound
        case "asset_not_available": .assetNotAvailable
        // The daemon has begun anew, and forgot the parts that it had: the whole is sent again.
        case "daemon_silent", "unknown_upload": .networkFailure
        default: nil
        }
    }

    private static func code(_ code: BatonError.Code) -> Code {
        switch code {
        case .unavailable: .networkUnavailable
        case .deadlineExceeded: .networkFailure
        case .canceled: .operationCancelled
        case .unimplemented: .incompatibleVersion
        case .permissionDenied, .unauthenticated: .permissionFailure
        case .invalidArgument, .outOfRange: .invalidArguments
        case .resourceExhausted: .requestRateLimited
        case .notFound: .unknownItem
        case .aborted: .zoneBusy
        case .failedPrecondition, .alreadyExists: .serverRejectedRequest
        case .unknown, .internal, .dataLoss: .internalError
        }
    }
}
