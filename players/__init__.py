"""Who chooses actions: random and greedy players, leagues, search, trained models; and their names."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
