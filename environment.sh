#!/bin/sh
# Install Tilescore into .venv: `environment.sh app`, then `dev`, `bench` or `train`; make calls it.
# `environment.sh lock` writes constraints.txt anew (make supply): the versions and hashes of all these packages.
set -eu
python=.venv/bin/python
tools=.work/tools/bin

# pip compares each package that constraints.txt lists with its hash there. pip itself and setuptools come first, because
# an older pip ignores the hashes. In strict mode, type checkers and editors follow a tree of links.
install() {
    awk '/^[^ #]/ {wanted = /^(pip|setuptools)==/} wanted' constraints.txt |
        $python -m pip install --quiet --no-compile --require-hashes --no-deps --requirement /dev/stdin &&
        $python -m pip install --quiet --no-compile --no-require-hashes --constraint constraints.txt --no-build-isolation \
            --config-settings editable_mode=strict "$@"
}

# The environment leaves out compiled files, test suites of packages and build tools, a sixth of its size.
without_setuptools() { $python -m pip uninstall --quiet --yes setuptools; }

# What no part of the program ever loads goes. What the app loads is compiled, a tenth of all files: otherwise the first
# start takes twice as long.
slim() {
    (cd .venv/lib/python3.*/site-packages && rm -rf pandas/tests pyarrow/tests pyarrow/include pyarrow/_flight.* \
        pyarrow/libarrow_flight.* pyarrow/libarrow_python_flight.* pydeck/nbextension/static)
    PYTHONDONTWRITEBYTECODE='' $python -P -c '
import streamlit.starlette, streamlit.web.bootstrap, uvicorn.lifespan.on, uvicorn.loops.auto
import uvicorn.protocols.websockets.websockets_sansio_impl, tilescore.ui.cli.main, tilescore.ui.server.gate
import tilescore.ui.pages.frame, tilescore.models.registry
tilescore.models.registry.load_reader()' || echo "Tilescore does not load on this machine yet: '.venv/bin/tilescore app' says what it needs"
}

export PIP_DISABLE_PIP_VERSION_CHECK=1
case $1 in
app)
    ${PYTHON:-python3} -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
        echo "Tilescore needs Python 3.11 or newer; say PYTHON=/path/to/python3.11 make ..."
        exit 1
    }
    [ -x $python ] || ${PYTHON:-python3} -m venv .venv
    install --editable .
    without_setuptools
    slim ;;
dev)
    install --editable '.[dev,oracle]' || {
        echo "no C++ compiler for PyMahjongGB: the tests against it are skipped"
        install --editable '.[dev]'
    }
    without_setuptools
    # One process compiles the tests and what they import. Otherwise each of those that run them does all of it.
    [ -e .work/compiled ] || PYTHONPYCACHEPREFIX=$PWD/.work/compiled PYTHONDONTWRITEBYTECODE='' \
        $python -m pytest --collect-only >/dev/null 2>&1 || true ;;
bench)
    install --editable '.[bench]' || echo "no mahjong-detector: reading is not compared with it"
    without_setuptools ;;
train)
    # PyTorch has one build for processors and one for graphics cards: the version is pinned, the file is not.
    install torch==2.13.0
    $python -c 'import torchvision' 2>/dev/null || [ ! -d ../shared/tools/torchvision-cpu ] ||
        install ../shared/tools/torchvision-cpu
    install --editable '.[train]' ;;
tools)
    ${PYTHON:-python3} -m venv .work/tools
    $tools/python -m pip install --quiet uv==0.13.9 cyclonedx-bom==7.5.0 ;;
lock)
    printf '%s\n' torchvision triton cuda-bindings cuda-toolkit nvidia-cudnn-cu13 nvidia-cusparselt-cu13 nvidia-nccl-cu13 \
        nvidia-nvshmem-cu13 |
        $tools/uv pip compile pyproject.toml --group supply --all-extras --universal --python-version 3.11 --generate-hashes \
            --upgrade --excludes /dev/stdin --no-emit-package torch --custom-compile-command "make supply" \
            --output-file constraints.txt ;;
esac
