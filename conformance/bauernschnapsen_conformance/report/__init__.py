"""Reports: views of one `runner.Report` for people and for programs."""
