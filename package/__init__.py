"""nakajima_zoo: four abstract strategy games by Masahiro Nakajima as reinforcement-learning environments."""

__version__ = "0.1.0"
