"""Every option of a table: name, type, default, names, help sentence and clause, in one place.

``Rules`` is the option sheet. A field's default is its value in preset `hainan`; the other presets
are differences (presets.py, which also reads and writes JSON).
"""

from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Final, TypeVar

from hainan.rules.terms import (
    WILD_MODES,
    FirstDealer,
    FlowerHu,
    InitialFlowers,
    KongScoring,
    MissedWin,
    Scoring,
    Stacking,
    StakeMode,
    Term,
)
from hainan.rules.tiles import CODE, FLOWER, in_play

T = TypeVar("T")

SCORING_OF_PRESET: Final = {
    "hainan": Scoring.HAINAN,
    "hainan-classic": Scoring.HAINAN,
    "lingao": Scoring.LINGAO,
    "lingao-variant": Scoring.LINGAO,
}
"""The presets; the scoring table belongs to them and is no option (section 10)."""
MAX_LENGTH: Final = 1000
"""The longest match, in hands or rounds: more is a slip of the finger."""


class RulesError(ValueError):
    """An option sheet that contradicts itself or names what isn't there."""

    def __init__(self, option: str, clause: str, problem: str) -> None:
        """Keep option and clause apart from the sentence, for programs."""
        self.option, self.clause = option, clause
        super().__init__(f"{option}: {problem} ({clause})")


@dataclass(frozen=True)
class Option:
    """What people and programs need to know about one option."""

    name: str
    default: bool | int | str | None
    zh: str
    en: str
    clause: str
    help_zh: str
    help_en: str
    choices: type[Term] | None = None

    @property
    def values(self) -> str:
        """The allowed values, for tables and messages."""
        if self.choices is not None:
            return " | ".join(member.id for member in self.choices)
        if self.name == "wild":
            return " | ".join((*WILD_MODES, "1m..7z"))
        if isinstance(self.default, bool):
            return "true | false"
        return f"1..{MAX_LENGTH}" + (" | null" if self.default is None else "")

    def check(self, value: object) -> None:
        """Refuse a value of the wrong type or outside the choices (RulesError)."""
        if self.choices is not None or self.name == "wild":
            fine = isinstance(value, str) and value in _texts(self.name, self.choices)
        elif isinstance(self.default, bool):
            fine = isinstance(value, bool)
        elif value is None:
            fine = self.default is None
        else:
            fine = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MAX_LENGTH
        if not fine:
            raise RulesError(self.name, self.clause, f"{value!r} is not one of {self.values}")


@cache
def _texts(name: str, choices: type[Term] | None) -> frozenset[str]:
    """The texts that an option may have."""
    if choices is not None:
        return frozenset(member.id for member in choices)
    return frozenset((*WILD_MODES, *(text for text, code in CODE.items() if code < FLOWER)))


def option(
    default: T, zh: str, en: str, clause: str, help_zh: str, help_en: str, choices: type[Term] | None = None
) -> T:
    """A field of ``Rules`` with its texts."""
    texts = (zh, en, clause, help_zh, help_en, choices)
    made: Any = field(default=default, metadata={"texts": texts})
    return made  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Rules:
    """The option sheet of a table: immutable, hashable, comparable.

    Make one with ``presets.rules_of`` or ``presets.rules_from_json``, which check it.
    """

    preset: str = "hainan"

    dealer_bonus: bool = option(
        True, "庄闲", "dealer bonus", "R8.2",
        "庄家输赢每家多算一分底。", "Whatever the dealer wins or loses has a stake one higher.",
    )  # fmt: skip
    dealer_streak: bool = option(
        False, "连庄", "dealer streak", "R8.2",
        "庄家每连庄一次，输赢的底再加一分。",
        "Each hand the dealer has kept the deal raises his stakes by one.",
    )  # fmt: skip
    streak_counts_draws: bool = option(
        False, "流局算连庄", "draws count for the streak", "R1.7",
        "流局后连庄次数也加一。", "A drawn hand also lengthens the dealer's streak.",
    )  # fmt: skip
    ga: bool = option(
        True, "上嘎", "ga stakes", "R8.3",
        "发牌前每人选择上 0、1、2、3、5 个嘎，双方的嘎都加进底分。",
        "Before the deal everyone adds a stake of 0, 1, 2, 3 or 5, which counts in all his payments.",
    )  # fmt: skip
    free_ga: bool = option(
        False, "自由上嘎", "free ga", "R8.3",
        "每局可以任意上嘎，不必不低于上一局。", "A ga may be lower than in the hand before.",
    )  # fmt: skip
    initial_flowers: str = option(
        "own_turn", "起手花", "initial flowers", "R2.2",
        "起手摸到的花何时摆出补牌：轮到自己出牌时，或发完牌马上补。",
        "When flowers of the deal are laid out: in one's own first turn, or by all right after the deal.",
        InitialFlowers,
    )  # fmt: skip
    require_fan: bool = option(
        True, "有番", "licence required", "R6.1",
        "平胡接炮必须有番；关闭即无番玩法，听牌就能胡。",
        "A plain hand needs a licence to win on a discard; off: any complete hand may.",
    )  # fmt: skip
    half_flush: bool = option(
        True, "混一色有番", "half flush licenses", "R6.8",
        "一种花色加字牌算有番。", "One suit with honors is a licence.",
    )  # fmt: skip
    round_wind: bool = option(
        True, "叫令", "round wind", "R6.7",
        "有当令风的刻子或杠算有番。", "A set of the round wind is a licence.",
    )  # fmt: skip
    chow_pair_excludes_round_wind: bool = option(
        True, "只吃不碰将不能是令牌", "only chows: no round-wind pair", "R6.2",
        "叫令时，只吃不碰的将也不能是当令的风。",
        "While the round wind licenses, only chows may not have it as the pair either.",
    )  # fmt: skip
    concealed_kong_keeps_concealed: bool = option(
        False, "暗杠仍算门清", "concealed kong stays concealed", "R6.3",
        "暗杠不破门清。", "A concealed kong doesn't break the concealed licence.",
    )  # fmt: skip
    scattered_thirteen: bool = option(
        False, "十三不靠", "scattered thirteen", "R5.4",
        "十四张互不成对，同花色任意两张至少隔两个数字，按十三幺算。",
        "Fourteen different tiles, those of a suit at least three apart, win as thirteen orphans.",
    )  # fmt: skip
    honors_in_terminal_pongs: bool = option(
        True, "幺九对对碰可带字", "honors in terminal pongs", "R5.7",
        "幺九对对碰可以有字牌；关闭则只许幺九。", "Terminal pongs may hold honors; off: terminals only.",
    )  # fmt: skip
    wild: str = option(
        "none", "癞子", "wild tiles", "R5.9",
        "癞子可当任意牌：翻出的牌本身、它的下一张，或固定一种。",
        "A wild kind stands for any kind: the indicator's own, the one after it, or a fixed one.",
    )  # fmt: skip
    stacking: str = option(
        "multiply", "牌型叠加", "stacking of patterns", "R7.1",
        "海南牌型分同时成立时相乘、相加或取最大。",
        "Hainan pattern scores multiply, add, or only the highest counts.",
        Stacking,
    )  # fmt: skip
    bloom_floor: bool = option(
        False, "花杠胡不少于自摸", "blooms score at least a self-draw", "R7.2",
        "杠上开花、花上添花、天胡、地胡至少按自摸算。",
        "Blooms, heavenly and earthly hands score at least twice T.",
    )  # fmt: skip
    ready: bool = option(
        True, "天听", "ready on the first discard", "R7.6",
        "出第一张牌时听牌可报天听，锁牌，胡牌加一分。",
        "Who waits with his first discard may declare it: the hand is locked and a win scores 1 more.",
    )  # fmt: skip
    no_chow: bool = option(
        False, "不可吃", "no chows", "R3.2",
        "不能吃牌。", "Discards can't be chowed.",
    )  # fmt: skip
    multiple_wins: bool = option(
        False, "一炮三响", "several winners", "R3.3",
        "一张牌多家可同时胡；关闭则截胡。", "Everyone whom a tile completes may win; off: only the nearest.",
    )  # fmt: skip
    multiple_wins_own_share: bool = option(
        False, "一炮多响各付各", "several winners: own shares only", "R8.10",
        "一炮多响时点炮者只付每位赢家自己那份加一分。",
        "With several winners the discarder pays each only his own share and 1.",
    )  # fmt: skip
    missed_win: str = option(
        "locked", "漏胡", "passing up a win", "R9.1",
        "放过一次胡后的限制：无、漏胡锁定、或过手胡须更大。",
        "What passing up a win costs: nothing, a lock, or only a higher hand may win.", MissedWin,
    )  # fmt: skip
    stake_mode: str = option(
        "multiply", "底分算法", "stake mode", "R8.1",
        "胡牌分与底相乘，或相加减一。",
        "A win pays score times stake, or score plus stake less one.", StakeMode,
    )  # fmt: skip
    discarder_pays_all: bool = option(
        False, "防勾脚", "discarder pays all", "R8.5",
        "点炮、点杠者一家付三家的分。",
        "The discarder pays every share of a win, the feeder every share of a kong.",
    )  # fmt: skip
    meld_liability: bool = option(
        True, "三道包", "three-meld liability", "R8.7",
        "吃碰杠同一家三道，双方点炮互相包三家。",
        "Three melds from one player: between the two, a discard that is won is paid for everybody.",
    )  # fmt: skip
    four_melds: bool = option(
        True, "四道包", "four-meld liability", "R8.8",
        "吃碰杠同一家四道，双方自摸也由对方包。",
        "Four melds from one player: also a self-draw by either is paid by the other.",
    )  # fmt: skip
    four_melds_any: bool = option(
        False, "四道全包", "four melds: any win", "R8.8",
        "四道时供牌者包下对方的任何胡牌。", "With four melds the feeder pays for any win of the holder.",
    )  # fmt: skip
    last_tiles_liability: bool = option(
        False, "海底包牌", "last-tiles liability", "R8.9",
        "临近七墩半时点炮者包三家。", "A discard among the last tiles that is won is paid for everybody.",
    )  # fmt: skip
    last_tiles_by_count: bool = option(
        False, "海底多一张", "last tiles one earlier", "R8.9",
        "海底包牌提早一张牌开始。", "The last-tiles window opens one tile earlier.",
    )  # fmt: skip
    score_draws: bool = option(
        False, "流局算分", "draws are scored", "R8.12",
        "流局也结算杠和花。", "Kongs and flowers are paid in a drawn hand too.",
    )  # fmt: skip
    kong_scoring: str = option(
        "plain", "杠分", "kong scoring", "R8.13",
        "明杠、补杠每家一分，或点杠者双倍、补杠更高。",
        "Exposed and added kongs 1 from each, or more from the feeder and for added ones.", KongScoring,
    )  # fmt: skip
    flower_hu: str = option(
        "count", "花胡", "flower bonus", "R8.14",
        "花牌收分：无、七花八花、四花一套、真花假花。",
        "Flower payments: none, by seven and eight, by full sets, or true and false sets.", FlowerHu,
    )  # fmt: skip
    flower_run: bool = option(
        False, "顺子花胡", "flower run", "R8.15",
        "集齐 1234 号花收每家一分，八花两分。", "Flowers 1 to 4 in any colours pay 1 from each, all eight 2.",
    )  # fmt: skip
    flower_set: bool = option(
        False, "同色花胡", "flower set", "R8.16",
        "春夏秋冬或梅兰菊竹一套收每家两分，每多一花多一分。",
        "A full colour of flowers pays 2 from each, and 1 more for each further flower.",
    )  # fmt: skip
    follow: bool = option(
        True, "跟牌", "follow", "R8.19",
        "首张牌被其余三家跟打，首家付每家一分（四人局）。",
        "Who leads a tile that the other three discard too pays each of them 1 (four players).",
    )  # fmt: skip
    show_concealed_kongs: bool = option(
        False, "暗杠亮牌", "concealed kongs shown", "R3.9",
        "暗杠亮给大家看。", "Concealed kongs are shown to everybody.",
    )  # fmt: skip
    no_honors: bool = option(
        False, "去字牌", "no honors", "R1.1",
        "不用东南西北中发白，共 116 张。", "Winds and dragons are left out: 116 tiles.",
    )  # fmt: skip
    no_winds: bool = option(
        False, "去风牌", "no winds", "R1.1",
        "不用东南西北，共 128 张。", "Winds are left out: 128 tiles.",
    )  # fmt: skip
    first_dealer: str = option(
        "host", "首局庄家", "first dealer", "R1.5",
        "第一局由房主、掷骰或随机坐庄。", "Who deals first: the host, by dice, or at random.", FirstDealer,
    )  # fmt: skip
    hands: int = option(
        8, "局数", "match length in hands", "R1.9",
        "一场打多少局。", "How many hands a match has.",
    )  # fmt: skip
    rounds: int | None = option(
        None, "圈数", "match length in round winds", "R1.9",
        "一场打多少令（四令为一大局），给出时代替局数。",
        "How many full round winds a match has (4 is one 大局); replaces the number of hands.",
    )  # fmt: skip

    @property
    def scoring(self) -> Scoring:
        """The hand-score table of the preset (R7.1, R7.3)."""
        return SCORING_OF_PRESET[self.preset]

    @property
    def wild_kind(self) -> int | None:
        """The fixed wild kind, if there is one (R5.9)."""
        return CODE.get(self.wild)

    def values(self) -> dict[str, Any]:
        """Every option by name, without the preset."""
        return {name: getattr(self, name) for name in OPTIONS}


OPTIONS: Final[dict[str, Option]] = {
    f.name: Option(f.name, f.default, *f.metadata["texts"])  # type: ignore[arg-type]
    for f in fields(Rules)
    if f.name != "preset"
}
"""All options by name, in the order of the sheet."""


def check_types(changes: dict[str, Any]) -> None:
    """Refuse unknown options and values of the wrong type (RulesError)."""
    for name, value in changes.items():
        if name not in OPTIONS:
            raise RulesError(name, "section 10", "there is no such option")
        OPTIONS[name].check(value)


def check_consistent(rules: Rules, players: int) -> None:
    """Refuse a sheet that contradicts itself (section 10)."""
    if rules.preset == "hainan" and rules.dealer_bonus == rules.dealer_streak:
        raise RulesError(
            "dealer_bonus", "R8.2", "preset hainan has exactly one of dealer_bonus and dealer_streak on"
        )
    if rules.follow and players != 4:
        raise RulesError("follow", "R8.19", "only four players can follow")
    if rules.four_melds and not rules.meld_liability:
        raise RulesError("four_melds", "R8.8", "needs meld_liability")
    kind = rules.wild_kind
    if kind is not None and not in_play(kind, no_honors=rules.no_honors, no_winds=rules.no_winds):
        raise RulesError("wild", "R1.1", f"{rules.wild} is not among the tiles of this sheet")
