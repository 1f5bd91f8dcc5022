"""`python -m nakajima_zoo`: the same as `nakajima-zoo`."""

from .cli import main

if __name__ == "__main__":
    main()
