from .app import agent
from .compat import *  # noqa: F403
