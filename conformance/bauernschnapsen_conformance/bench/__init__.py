"""How fast everything is: engine, pipe, suite, installation, and other engines beside ours."""
