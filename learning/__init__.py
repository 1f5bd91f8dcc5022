"""What training needs: seats, symmetries, layouts of observations, policies that know masks and boards."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
