extension LoadPlan {
    /// Returns the part of the plan that one core plays.
    ///
    /// - Throws: ``ShapeError`` if the shape cannot be dealt to as many.
    public func part(ofCore core: Int, of cores: Int) throws(ShapeError) -> LoadPlan {
        guard cores > 1 else { return self }
        return try LoadPlan(self.shape, seed: self.seed, shard: self.shard.part(ofCore: core, of: cores))
    }
}
