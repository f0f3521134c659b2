"""The terms of the rule book: id, Chinese and English name and clause, beside one another.

Members are integers, so that kernels use them as they are; their numbers follow the order of
docs/formats.md wherever that order is seen outside.
"""

from enum import IntEnum
from typing import Self


class Term(IntEnum):
    """An integer with its names and its clause."""

    zh: str
    en: str
    clause: str

    def __new__(cls, value: int, zh: str = "", en: str = "", clause: str = "") -> Self:
        """A member from its number, names and clause."""
        member = int.__new__(cls, value)
        member._value_ = value
        member.zh, member.en, member.clause = zh, en, clause
        return member

    @property
    def id(self) -> str:
        """The name used in text and JSON."""
        return self.name.lower()


class Pattern(Term):
    """Scoring patterns, in the order that breaks ties (R5.8)."""

    PLAIN = 0, "平胡", "plain hand", "R5.1"
    ALL_PONGS = 1, "碰碰胡", "all pongs", "R5.5"
    PURE_SUIT = 2, "清一色", "pure suit", "R5.6"
    HALF_FLUSH = 3, "半色胡", "half flush", "R5.6"
    SEVEN_PAIRS = 4, "七对", "seven pairs", "R5.2"
    LUXURY_SEVEN_PAIRS = 5, "豪华七对", "luxury seven pairs", "R5.2"
    THIRTEEN_ORPHANS = 6, "十三幺", "thirteen orphans", "R5.3"
    TERMINAL_PONGS = 7, "幺九大字对对碰", "terminal and honor pongs", "R5.7"


class Licence(Term):
    """Licences to win on a discard 番, in the order of docs/formats.md."""

    ONLY_CHOWS = 0, "只吃不碰", "only chows", "R6.2"
    CONCEALED = 1, "门清", "concealed", "R6.3"
    EYE = 2, "有眼", "2-5-8 eye", "R6.4"
    DRAGON_SET = 3, "箭刻", "dragon set", "R6.5"
    SEAT_WIND_SET = 4, "风刻", "seat-wind set", "R6.6"
    ROUND_WIND_SET = 5, "令牌", "round-wind set", "R6.7"
    HALF_FLUSH = 6, "混一色", "half flush", "R6.8"
    POSITION_FLOWER = 7, "翻花对位", "position flower", "R6.9"
    ALL_PONGS = 8, "碰碰胡", "all pongs", "R6.10"
    PURE_SUIT = 9, "清一色", "pure suit", "R6.10"
    SEVEN_PAIRS = 10, "七对", "seven pairs", "R6.10"
    THIRTEEN_ORPHANS = 11, "十三幺", "thirteen orphans", "R6.10"


class MeldKind(Term):
    """What lies open before a player (and the concealed kong)."""

    CHOW = 1, "吃", "chow", "R3.2"
    PONG = 2, "碰", "pong", "R3.2"
    EXPOSED_KONG = 3, "明杠", "exposed kong", "R3.2"
    ADDED_KONG = 4, "补杠", "added kong", "R3.6"
    CONCEALED_KONG = 5, "暗杠", "concealed kong", "R3.9"


class By(Term):
    """How a hand ended."""

    DISCARD = 0, "点炮", "win by discard", "R8.1"
    ROB = 1, "抢杠", "robbed kong", "R3.7"
    SELF_DRAW = 2, "自摸", "self-draw", "R8.1"
    DRAW = 3, "流局", "drawn hand", "R4.1"


class Way(Term):
    """Ways of a self-draw that score apart (R7.2, R7.4, R7.5); NONE is a plain one."""

    NONE = 0, "自摸", "plain self-draw", "R7.5"
    KONG_BLOOM = 1, "杠上开花", "kong bloom", "R7.5"
    FLOWER_BLOOM = 2, "花上添花", "flower bloom", "R7.5"
    HEAVENLY = 3, "天胡", "heavenly hand", "R7.4"
    EARTHLY = 4, "地胡", "earthly hand", "R7.4"


class Reason(Term):
    """What a payment is for."""

    WIN = 0, "胡牌", "win", "R8.1"
    DISCARD = 1, "点炮一分", "the discarder's 1", "R8.1"
    KONG = 2, "杠", "kong", "R8.12"
    FLOWER = 3, "花胡", "flowers", "R8.14"
    FOLLOW = 4, "跟牌", "follow", "R8.19"


class Source(Term):
    """Where the last tile came from (R1.2, R7.5)."""

    FRONT = 0, "摸牌", "front of the wall", "R3.1"
    KONG = 1, "杠后补牌", "replacement for a kong", "R3.1"
    FLOWER = 2, "补花", "replacement for a flower", "R2.1"


class PayRule(Term):
    """The clause that makes the payer pay; its ``clause`` is what an item cites."""

    SHARE = 0, "各家各付", "everybody pays his share", "R8.1"
    PAYS_ALL = 1, "防勾脚", "the discarder pays all", "R8.5"
    ROBBED_PLAIN = 2, "无番抢杠包牌", "robbed without a licence", "R8.6"
    THREE_MELDS = 3, "三道", "three melds", "R8.7"
    FOUR_MELDS = 4, "四道", "four melds", "R8.8"
    LAST_TILES = 5, "海底包牌", "last tiles", "R8.9"
    MULTIPLE_WINS = 6, "一炮三响", "several winners", "R8.10"
    KONG = 7, "杠", "kong", "R8.12"
    KONG_DOUBLE = 8, "点杠者双倍", "kong, feeder double", "R8.13"
    FLOWER_COUNT = 9, "花胡", "flower count", "R8.14"
    FLOWER_RUN = 10, "顺子花胡", "flower run", "R8.15"
    FLOWER_SET = 11, "同色花胡", "flower set", "R8.16"
    FLOWER_TRUE_FALSE = 12, "真花假花", "true and false flowers", "R8.17"
    FOLLOW = 13, "跟牌", "follow", "R8.19"


class EventType(Term):
    """What happened at the table, as told to clients (docs/formats.md, section 3)."""

    GA = 0, "上嘎", "ga", "R8.3"
    DEAL = 1, "发牌", "deal", "R1.4"
    INDICATOR = 2, "翻癞子", "indicator", "R5.9"
    DRAW = 3, "摸牌", "draw", "R3.1"
    FLOWER = 4, "花", "flower", "R2.1"
    DISCARD = 5, "打", "discard", "R3.1"
    READY = 6, "天听", "ready", "R7.6"
    CHOW = 7, "吃", "chow", "R3.2"
    PONG = 8, "碰", "pong", "R3.2"
    KONG = 9, "杠", "kong", "R3.2"
    WIN = 10, "胡", "win", "R3.8"
    DRAW_HAND = 11, "流局", "drawn hand", "R4.1"
    FOLLOW = 12, "跟牌", "follow", "R8.19"
    PAY = 13, "结算", "payments", "R8.1"


class InitialFlowers(Term):
    """Option ``initial_flowers``."""

    OWN_TURN = 0, "自己出牌时补", "in one's own first turn", "R2.2"
    AFTER_DEAL = 1, "起手即补", "right after the deal", "R2.2"


class FlowerHu(Term):
    """Option ``flower_hu``."""

    NONE = 0, "无", "none", "R8.14"
    COUNT = 1, "七花八花", "seven and eight flowers", "R8.14"
    FOUR_SET = 2, "四花一套", "a full set of four", "R8.14"
    TRUE_FALSE = 3, "真花假花", "true and false flowers", "R8.17"


class KongScoring(Term):
    """Option ``kong_scoring``."""

    PLAIN = 0, "各家均付", "each the same", "R8.12"
    FEEDER_DOUBLE = 1, "点杠者双倍", "the feeder pays double", "R8.13"


class MissedWin(Term):
    """Option ``missed_win``."""

    NONE = 0, "不限", "no limit", "R9.1"
    LOCKED = 1, "漏胡", "locked", "R9.1"
    HIGHER_ONLY = 2, "过手胡", "higher only", "R9.2"


class Stacking(Term):
    """Option ``stacking`` (Hainan table only)."""

    MULTIPLY = 0, "相乘", "multiply", "R7.1"
    ADD = 1, "相加", "add", "R7.1"
    MAX = 2, "取最大", "highest only", "R7.1"


class StakeMode(Term):
    """Option ``stake_mode``."""

    MULTIPLY = 0, "相乘", "score times stake", "R8.1"
    ADD = 1, "相加", "score plus stake", "R8.1"


class FirstDealer(Term):
    """Option ``first_dealer``."""

    HOST = 0, "房主", "the room's host", "R1.5"
    DICE = 1, "掷骰", "by dice", "R1.5"
    RANDOM = 2, "随机", "at random", "R1.5"


class Scoring(Term):
    """The hand-score table, which belongs to the preset."""

    HAINAN = 0, "海南", "Hainan", "R7.1"
    LINGAO = 1, "临高", "Lingao", "R7.3"


WILD_MODES = ("none", "indicator", "next")
"""Values of option ``wild`` beside a fixed kind (R5.9)."""
