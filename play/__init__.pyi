from .serve import serve as serve
from .table import Table as Table
