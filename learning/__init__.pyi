from .augment import augment as augment
from .augment import augment_at_random as augment_at_random
from .board_policy import BoardPolicy as BoardPolicy
from .board_policy import board_kwargs as board_kwargs
from .layout import Layout as Layout
from .layout import LayoutPlayer as LayoutPlayer
from .masked_policy import MaskedPolicy as MaskedPolicy
from .seat import SeatBatch as SeatBatch
