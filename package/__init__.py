"""nakajima_zoo: four abstract strategy games by Masahiro Nakajima as reinforcement-learning environments.

What a first hour needs is here; `__init__.pyi` lists it. Everything is loaded when it is first used.
"""

import sys

import lazy_loader

__version__ = "0.2.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

if "gymnasium" in sys.modules:  # whoever uses it finds the games in its registry; others do not wait for it
    from . import wrappers as wrappers
