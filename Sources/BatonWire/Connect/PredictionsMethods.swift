/// `baton.control.v1.PredictionsService`
package enum PredictionsMethods {
    private static let service = "baton.control.v1.PredictionsService"

    package static let listPredictions = ConnectMethod<
        Baton_Control_V1_ListPredictionsRequest, Baton_Control_V1_ListPredictionsResponse
    >(service, "ListPredictions")
    package static let explainPrediction = ConnectMethod<
        Baton_Control_V1_ExplainPredictionRequest, Baton_Control_V1_ExplainResponse
    >(service, "ExplainPrediction")
    package static let forgetPredictions = ConnectMethod<
        Baton_Control_V1_ForgetPredictionsRequest, Baton_Control_V1_ForgetPredictionsResponse
    >(service, "ForgetPredictions")
    package static let allowPredictions = ConnectMethod<
        Baton_Control_V1_AllowPredictionsRequest, Baton_Control_V1_AllowPredictionsResponse
    >(service, "AllowPredictions")
    package static let answerPrediction = ConnectMethod<
        Baton_Control_V1_AnswerPredictionRequest, Baton_Control_V1_AnswerPredictionResponse
    >(service, "AnswerPrediction")
}
