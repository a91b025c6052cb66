/// `baton.control.v1.CloudControlService`
package enum CloudControlMethods {
    private static let service = "baton.control.v1.CloudControlService"

    package static let logIn = ConnectMethod<
        Baton_Control_V1_LogInToCloudRequest, Baton_Control_V1_LogInToCloudResponse
    >(service, "LogInToCloud")
    package static let logOut = ConnectMethod<
        Baton_Control_V1_LogOutOfCloudRequest, Baton_Control_V1_LogOutOfCloudResponse
    >(service, "LogOutOfCloud")
    package static let status = ConnectMethod<
        Baton_Control_V1_GetCloudStatusRequest, Baton_Control_V1_GetCloudStatusResponse
    >(service, "GetCloudStatus")
    package static let usage = ConnectMethod<
        Baton_Control_V1_GetCloudUsageRequest, Baton_Control_V1_GetCloudUsageResponse
    >(service, "GetCloudUsage")
    package static let explainSync = ConnectMethod<
        Baton_Control_V1_ExplainSyncRequest, Baton_Control_V1_ExplainSyncResponse
    >(service, "ExplainSync")
}
