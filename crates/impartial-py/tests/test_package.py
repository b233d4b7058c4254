"""The package as it is handed out: its wheel, its sources, and every name that people are told of."""

import importlib.metadata
import json
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import impartial

PACKAGE = Path(__file__).parents[1]


def test_the_wheel_runs_on_every_python_from_3_9_on():
    wheel = importlib.metadata.distribution("impartial").read_text("WHEEL")
    tags = [line.split(": ")[1] for line in wheel.splitlines() if line.startswith("Tag: ")]
    assert tags and all(tag.startswith("cp39-abi3-") for tag in tags)
    assert importlib.metadata.version("impartial") == impartial.__version__
    assert (Path(impartial.__file__).parent / "py.typed").exists()


def test_the_sources_are_complete(tmp_path):
    """The sources alone have everything that a build asks for: cargo resolves them."""
    if shutil.which("cargo") is None or subprocess.run([sys.executable, "-m", "maturin", "--version"], capture_output=True).returncode:
        pytest.skip("cargo or maturin is missing")
    manifest = PACKAGE / "Cargo.toml"
    pack = [sys.executable, "-m", "maturin", "sdist", "--manifest-path", str(manifest), "--out", str(tmp_path)]
    subprocess.run(pack, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        names = packed.getnames()
        packed.extractall(tmp_path)
    root = tmp_path / archive.name.removesuffix(".tar.gz")
    assert any(name.endswith("python/impartial/py.typed") for name in names)
    asked = ["cargo", "metadata", "--offline", "--no-deps", "--format-version", "1", "--manifest-path", str(root / "Cargo.toml")]
    told = json.loads(subprocess.run(asked, check=True, capture_output=True, text=True).stdout)
    assert {"impartial", "impartial-check", "impartial-py", "semilinear"} <= {package["name"] for package in told["packages"]}
    assert {package["version"] for package in told["packages"]} == {impartial.__version__}


NAMES = {
    "Game": "period values grundy outcome winning_moves options solve quotient count plot position chains congruent",
    "Strategy": "load save verify convert count outcome outcomes grundy winning_moves latex plot stratification series set",
    "Quotient": "multiply elements table generators relations p heap outcome plot _repr_html_ _repr_svg_ _repr_latex_",
    "Stratification": "modules latex plot _repr_svg_ _repr_latex_",
    "Series": "sympy symbols latex _repr_latex_",
    "Set": "union intersection difference complement translate project count members equal",
    "Poset": "plot _repr_svg_",
    "Rules": "options grundy outcome winning_moves",
    "Stopped": "known strategy",
    "Survey": "rows frame merge certificate strategy to_parquet",
}


@pytest.mark.parametrize("name", NAMES)
def test_names(name):
    thing = getattr(impartial, name)
    slots = getattr(thing, "__slots__", ())
    for part in NAMES[name].split():
        assert hasattr(thing, part) or part in slots, f"{name}.{part}"
    assert thing.__doc__


def test_functions():
    for name in ("check", "chains", "games", "prove", "survey", "interrupt"):
        assert callable(getattr(impartial, name)) and getattr(impartial, name).__doc__
    assert set(impartial.__all__) <= set(dir(impartial)) | {"survey", "Survey"}
    with pytest.raises(AttributeError):
        impartial.no_such_name


def test_what_is_missing_is_named():
    """Without NumPy and the others everything works but what is theirs."""
    program = """
import sys
for name in ("numpy", "pandas", "sympy", "pyarrow", "tqdm"):
    sys.modules[name] = None
from impartial import Game, survey
solved = Game("exotic").solve()
table = Game("0.123").quotient(play="misere").table
assert isinstance(table, list) and table[1][1] == 0
for ask in (lambda: solved.outcomes([[1, 2]]), lambda: solved.series().sympy(), lambda: Game("kayles").values(9).array,
            lambda: survey(["kayles"]).frame(), lambda: survey(["kayles"], parquet="never")):
    try:
        ask()
        print("no error")
    except ImportError as error:
        assert "pip install" in str(error), error
print("ok")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.stdout == "ok\n", done.stdout + done.stderr
