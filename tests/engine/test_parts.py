"""Entries are compiled as wholes, of the kernels that they call as parts."""

import pytest

from hainan.engine import jit

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="of compiled code")


@jit.kernel
def twice(number: int) -> int:
    return 2 * number


@jit.kernel
def once_more(number: int) -> int:
    return twice(number) + 1


def start(number: int) -> int:
    return once_more(number) - twice(number)


def test_the_installed_numba_is_one_that_parts_were_tried_with() -> None:
    import numba

    assert numba.__version__.startswith(jit.KNOWN), "try engine/parts.py with it, then add it in jit.py"


def test_a_whole_is_linked_of_parts_which_are_never_compiled_by_themselves() -> None:
    from hainan.engine.parts import Part, Whole, callers_first

    entry = jit.compiled("WholeCompiler")(start)
    assert [entry(number) for number in (0, 1, 5)] == [1, 1, 1]
    [whole] = [found.library for found in entry.overloads.values()]
    assert isinstance(whole, Whole)
    parts = {
        name: next(iter(kernel.overloads.values())).library
        for name, kernel in (("twice", twice), ("once_more", once_more))
    }
    assert all(isinstance(part, Part) for part in parts.values())
    called = [library for library in whole._linking_libraries if isinstance(library, Part)]
    assert called == [parts["once_more"], parts["twice"]], "callers first, or LLVM leaves out what they call"
    assert callers_first([parts["twice"], parts["once_more"]])[0] is parts["once_more"]
    symbols = {function.name for part in parts.values() for function in part.get_defined_functions()}
    assert not [name for name in symbols if whole.codegen._engine.is_symbol_defined(name)]


def test_what_isnt_linked_is_found_before_it_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    from hainan.engine import parts

    monkeypatch.setattr(parts, "callers_first", lambda libraries: [])
    entry = jit.compiled("WholeCompiler")(start)
    with pytest.raises(AssertionError, match="isn't linked"):
        entry(1)
