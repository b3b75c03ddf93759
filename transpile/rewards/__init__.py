"""CANDIDATE -> REWARD: the judge for whoever trains models, in Python, over HTTP, and for trainers."""

from transpile.rewards.client import Client
from transpile.rewards.judging import Judge, JudgeOptions, Question, judge
from transpile.rewards.reward import Reward, Scale, Stage

__all__ = ["Client", "Judge", "JudgeOptions", "Question", "Reward", "Scale", "Stage", "judge"]
