/// The keys of machines that speak to a driver as it is.
public enum DriverKeys: MachineKeys {
    public typealias Timer = TimerName
    public typealias Exchange = ExchangeID
    public typealias Connection = ConnectionID
}
