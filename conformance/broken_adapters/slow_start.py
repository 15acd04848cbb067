"""Takes its time before it answers the first line; `--how SECONDS` says how much."""

import time

from base import arguments, serve

time.sleep(float(arguments().how or 0.5))
serve()
