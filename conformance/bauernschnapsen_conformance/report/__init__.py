"""Reports: views of one `outcome.Report` for people and for programs."""
