/// `baton.cloud.v1.AccountService`, `baton.cloud.v1.ZoneService` and `baton.cloud.v1.BlobService`
package enum CloudMethods {
    private static let accounts = "baton.cloud.v1.AccountService"
    private static let zones = "baton.cloud.v1.ZoneService"
    private static let blobs = "baton.cloud.v1.BlobService"

    package static let getServer = ConnectMethod<Baton_Cloud_V1_GetServerRequest, Baton_Cloud_V1_GetServerResponse>(
        accounts, "GetServer")
    package static let getChallenge = ConnectMethod<
        Baton_Cloud_V1_GetChallengeRequest, Baton_Cloud_V1_GetChallengeResponse
    >(accounts, "GetChallenge")
    package static let register = ConnectMethod<Baton_Cloud_V1_RegisterRequest, Baton_Cloud_V1_AuthenticateResponse>(
        accounts, "Register")
    package static let authenticate = ConnectMethod<
        Baton_Cloud_V1_AuthenticateRequest, Baton_Cloud_V1_AuthenticateResponse
    >(accounts, "Authenticate")
    package static let mergeMembership = ConnectMethod<
        Baton_Cloud_V1_MergeMembershipRequest, Baton_Cloud_V1_MergeMembershipResponse
    >(accounts, "MergeMembership")
    package static let getUsage = ConnectMethod<Baton_Cloud_V1_GetUsageRequest, Baton_Cloud_V1_GetUsageResponse>(
        accounts, "GetUsage")
    package static let deleteAccount = ConnectMethod<
        Baton_Cloud_V1_DeleteAccountRequest, Baton_Cloud_V1_DeleteAccountResponse
    >(accounts, "DeleteAccount")

    package static let listZones = ConnectMethod<Baton_Cloud_V1_ListZonesRequest, Baton_Cloud_V1_ListZonesResponse>(
        zones, "ListZones")
    package static let writeItems = ConnectMethod<
        Baton_Cloud_V1_WriteItemsRequest, Baton_Cloud_V1_WriteItemsResponse
    >(zones, "WriteItems")
    package static let fetchItems = ConnectMethod<
        Baton_Cloud_V1_FetchItemsRequest, Baton_Cloud_V1_FetchItemsResponse
    >(zones, "FetchItems")
    package static let fetchChanges = ConnectMethod<
        Baton_Cloud_V1_FetchChangesRequest, Baton_Cloud_V1_FetchChangesResponse
    >(zones, "FetchChanges")
    package static let deleteZone = ConnectMethod<
        Baton_Cloud_V1_DeleteZoneRequest, Baton_Cloud_V1_DeleteZoneResponse
    >(zones, "DeleteZone")
    package static let subscribe = ConnectMethod<Baton_Cloud_V1_SubscribeRequest, Baton_Cloud_V1_SubscribeEvent>(
        zones, "Subscribe")

    package static let findMissingBlobs = ConnectMethod<
        Baton_Cloud_V1_FindMissingBlobsRequest, Baton_Cloud_V1_FindMissingBlobsResponse
    >(blobs, "FindMissingBlobs")
    /// Bulk bytes, which are no calls of Connect: `PUT` and `GET` of this and the blob's name in hexadecimal.
    package static let blobPath = "/v1/blobs/"

    /// Those that need no token.
    package static let open: Set<String> = [
        getServer.path, getChallenge.path, register.path, authenticate.path,
    ]
}
