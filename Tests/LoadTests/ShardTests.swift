import Load
import Testing

@Suite("A shard")
struct ShardTests {
    @Test("The whole run is the only part there is")
    func whole() {
        #expect(Shard.whole.index == 0)
        #expect(Shard.whole.count == 1)
    }
}
