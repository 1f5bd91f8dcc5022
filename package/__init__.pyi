__version__: str

from . import arena as arena
from . import arguments as arguments
from . import envs as envs
from . import learning as learning
from . import play as play
from . import players as players
from . import wrappers as wrappers
from .arena import Score as Score
from .arena import evaluate as evaluate
from .arena import play_games as play_games
from .envs import (
    GAMES as GAMES,
)
from .envs import (
    Batch as Batch,
)
from .envs import (
    Game as Game,
)
from .envs import (
    game_names as game_names,
)
from .envs import (
    make_game as make_game,
)
from .envs import (
    register_game as register_game,
)
from .envs import (
    renaissance_v0 as renaissance_v0,
)
from .envs import (
    ring_world_v0 as ring_world_v0,
)
from .envs import (
    scalas_v0 as scalas_v0,
)
from .envs import (
    tsukiji_v0 as tsukiji_v0,
)
from .players import Player as Player
from .players import Positions as Positions
from .players import make_player as make_player
from .players import register_player as register_player
