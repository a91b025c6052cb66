import ArgumentParser
import BatonCore
import Foundation

/// Where several nodes keep what they share.
struct StorageOptions: ParsableArguments {
    @Option(
        help: """
            A PostgreSQL database, as a URL without a password: that is taken from PGPASSFILE or ~/.pgpass. May be \
            repeated: accounts are spread over them, and the first knows where each is. Needs --s3.
            """)
    var postgres: [String] = []

    @Option(
        help: """
            A bucket for blobs: https://HOST/BUCKET[/PREFIX][?region=REGION]. The keys are taken from \
            AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.
            """)
    var s3: String?

    func objects() throws(BatonError) -> (S3Location, S3Credentials)? {
        guard let s3 else { return nil }
        return (try S3Location(s3), try S3Credentials(environment: ProcessInfo.processInfo.environment))
    }
}
