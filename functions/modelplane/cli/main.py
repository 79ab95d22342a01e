"""The program `modelplane`."""

from __future__ import annotations

import logging
import sys
from pathlib import Path


def main() -> int:
    """Run the command that the arguments name; its exit status."""
    try:
        import typer  # noqa: PLC0415  # the command line is an extra
    except ModuleNotFoundError:
        print("modelplane: the command line is not installed; pip install 'modelplane[cli]'", file=sys.stderr)
        return 1

    app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)

    @app.callback()
    def modelplane() -> None:
        """One control plane for language models on GPU clusters in several clouds."""

    @app.command()
    def demo(
        # Annotated would have to be resolved in the module, where typer is not loaded.
        examples: Path | None = typer.Option(None, help="The folder of the story's manifests."),  # noqa: B008  # see above
        width: int = typer.Option(100, help="Columns of the output where it is no terminal.", min=60),
    ) -> None:
        """Play story S1 on an embedded control plane: two regions, one model, no GPU, no cluster."""
        from modelplane.cli import demo as played  # noqa: PLC0415  # loads every function

        # A function that fails says so in a condition, which the story shows; its traceback would hide the tables.
        logging.basicConfig(level=logging.CRITICAL)
        raise typer.Exit(0 if played.play(examples or played.folder(), width) else 1)

    return _status(app)


def _status(app: object) -> int:
    try:
        app()  # type: ignore[operator]  # a typer application, whose type is only known where it is installed
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
    return 0
