"""Nothing is broken here: the yardstick for all others."""

from base import serve

serve()
