"""The table: games for people, in a browser, which needs the extra `play`, or in a terminal."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
