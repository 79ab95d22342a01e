"""The program `function`: `function KIND` serves one kind, `function --all` every kind."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from modelplane.kit import registry, serve


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="function", description="Serves composition functions over gRPC.")
    parser.add_argument("name", nargs="?", help="which function, such as model-deployment")
    parser.add_argument("--all", action="store_true", help="serve every function, by the kind of the composite")
    parser.add_argument("--address", default="0.0.0.0:9443", help="where to listen (default %(default)s)")
    certificates = os.environ.get("TLS_SERVER_CERTS_DIR")
    parser.add_argument("--tls-certs-dir", default=certificates, help="folder of tls.crt, tls.key and ca.crt")
    parser.add_argument("--insecure", action="store_true", help="speak plain text, without authentication")
    parser.add_argument("--debug", "-d", action="store_true", help="log more")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until told to stop. 0 after that, 2 for a wrong call, 1 where serving cannot start."""
    parser = _parser()
    args = parser.parse_args(argv)
    logging.basicConfig(
        level=logging.DEBUG if args.debug else logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s"
    )
    if bool(args.name) == args.all:
        parser.error("name one function, or give --all")
    if not args.insecure and not args.tls_certs_dir:
        parser.error("give --tls-certs-dir (or TLS_SERVER_CERTS_DIR), or --insecure")
    try:
        functions = registry.load_all() if args.all else {(f := registry.load(args.name)).kind: f}
        creds = None if args.insecure else serve.credentials(Path(args.tls_certs_dir))
        serve.serve(functions, args.address, creds)
    except (LookupError, OSError, RuntimeError) as error:
        print(f"function: {error}", file=sys.stderr)  # noqa: T201  # the person who started it reads this
        return 1
    return 0
