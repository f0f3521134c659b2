"""Hainan and Lingao mahjong: rules, referee, score calculator and simulator."""

__version__ = "0.1.0"
