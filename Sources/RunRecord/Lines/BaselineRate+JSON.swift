import JSON

extension BaselineRate {
    var json: JSONValue {
        var members: JSONObject = [:]
        self.rate.write(to: &members)
        members["difference_low"] = .double(self.differenceLow)
        members["difference_high"] = .double(self.differenceHigh)
        return .object(members)
    }

    init(_ members: EntryMembers) throws(RecordFormatError) {
        self.init(
            try TryRate(members), differenceLow: try members.required("difference_low", \.double),
            differenceHigh: try members.required("difference_high", \.double))
    }
}
