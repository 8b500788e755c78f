/// `/v2`, the contract for new clients: the service judges, and a token authenticates the device.
///
/// Values that both sides share. The server writes answers and reads requests without Foundation; clients decode the
/// same types with any `Decoder`, unknown members ignored.
public enum V2 {}
