"""How the kernels are put together: each entry is compiled once, as a whole, from all kernels that it calls.

Numba by itself optimises and compiles every function for itself, and each time all that it calls once more:
with kernels that call kernels that is several times the work. Here a kernel is a ``Part``, which waits for an
entry to link it, and an entry a ``Whole``. The code that is run comes out the same.
"""

from typing import Any

from numba._dynfunc import make_function
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering


class Part(JITCodeLibrary):
    """Code that is linked into others and never run by itself."""

    def finalize(self) -> None:
        """Simplify what is here, without what it calls."""
        self._raise_if_finalized()
        self._optimize_final_module()
        self._finalize_dynamic_globals()
        self._finalized = True


class Whole(JITCodeLibrary):
    """Code that is run."""

    def finalize(self) -> None:
        """Link all parts that are called, however far away, and compile them together."""
        self._linking_libraries = callers_first(self._linking_libraries)
        super().finalize()

    def _verify_declare_only_symbols(self) -> None:
        super()._verify_declare_only_symbols()
        missing = [one.name for one in self._final_module.functions if one.is_declaration]
        for name in missing:
            # LLVM would put address 0 there.
            assert not name.startswith("_ZN"), f"{self.name} calls {name}, which isn't linked"


def callers_first(libraries: list[Any]) -> list[Any]:
    """Libraries and all parts that they call, in the order of linking: of each, LLVM takes only what the ones
    before it have asked for."""
    callees_first: dict[Any, None] = {}
    seen: set[Any] = set()

    def visit(library: Any) -> None:
        if library in seen:
            return
        seen.add(library)
        if isinstance(library, Part):
            for called in library._linking_libraries:
                visit(called)
        callees_first[library] = None

    for library in libraries:
        visit(library)
    return list(callees_first)[::-1]


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):
    """Lowering into a part."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        """As its parent does, but that nothing is compiled: Numba knows the part by a function of Python's
        which has no address, and is never called."""
        state.library = Part(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        name = state.func_id.func_qualname
        by = make_function(lowered.fndesc.lookup_module(), name, "", 0, lowered.env, (state.library,))
        state.targetctx.insert_user_function(by, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=by)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class WholeLowering(NativeLowering):
    """Lowering into a whole."""

    _name = "whole_lowering"

    def run_pass(self, state: Any) -> bool:
        """As its parent does."""
        state.library = Whole(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        super().run_pass(state)
        return True


def compiler_with(lowering: type[Any]) -> type[Any]:
    """Numba's own compiler but for the lowering."""

    class Compiler(CompilerBase):
        def define_pipelines(self) -> list[Any]:
            pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
            pipeline.passes = [
                (lowering if one is NativeLowering else one, about) for one, about in pipeline.passes
            ]
            pipeline.finalize()
            return [pipeline]

    return Compiler


PartCompiler = compiler_with(PartLowering)
WholeCompiler = compiler_with(WholeLowering)
