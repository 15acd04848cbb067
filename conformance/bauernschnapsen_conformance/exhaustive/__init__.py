"""Everything that an engine can be asked about tricks and auctions, and asking it."""
