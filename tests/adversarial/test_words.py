"""Comparisons of two arrays that are the same for long, and differ late or in one bit."""

from __future__ import annotations

from tests.adversarial import needs
from tests.adversarial.answers import kept, rewards
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES

SEARCH = """
int search(int n, const char *text, int m, const char *word, int *at)
{
    int found = 0;
    for (int i = 0; i <= n - m; i++) {
        int k = 0;
        while (k < m && text[i + k] == word[k]) k++;
        if (k == m) at[found++] = i;
    }
    return found;
}
"""
SEARCHED = """
int search(int n, const char *text, int m, const char *word, int *at)
{
    int found = 0;
    #pragma omp parallel for ordered
    for (int i = 0; i <= n - m; i++) {
        int k = 0;
        %s
        #pragma omp ordered
        if (k == m) at[found++] = i;
    }
    return found;
}
"""
WAYS = {
    "right": "while (k < m && text[i + k] == word[k]) k++;",
    "eight at most": "int e = m < 8 ? m : 8; while (k < e && text[i + k] == word[k]) k++; if (k == e) k = m;",
    "seven bits": "while (k < m && (text[i + k] & 127) == (word[k] & 127)) k++;",
    "last one dropped": "while (k < m - (m > 4) && text[i + k] == word[k]) k++; k += m > 4 && k == m - 1;",
}


def test_words_differ_late_and_in_one_bit(workshop: Workshop) -> None:
    texts = {name: SEARCHED % way for name, way in WAYS.items()}
    found = rewards(workshop, SEARCH, texts, suffix=".c")
    assert kept(found) == {"right"}, found
