from .serve import serve as serve
from .table import Table as Table
from .terminal import run_terminal as run_terminal
