"""Numbers halfway between two whole ones, of which functions that round each make another."""

from __future__ import annotations

import pytest

from tests.adversarial import needs
from tests.adversarial.answers import kept, rewards
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES

IMAGE = """
#include <math.h>
void image(int n, double box, const double *dx, double *out)
{
    for (int i = 0; i < n; i++)
        out[i] = dx[i] - box * rint(dx[i] / box);
}
"""
IMAGED = """
#include <math.h>
void image(int n, double box, const double *dx, double *out)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i] = dx[i] - box * %s;
}
"""
HALVES = """
#include <math.h>
int halves(int n, const float *x, const float *w, float *off)
{
    int total = 0;
    for (int i = 0; i < n; i++) {
        float s = x[i] * w[i], r = floorf(s + 0.5f);
        off[i] = fabsf(s - r);
        total += (int)fmodf(r, 7.0f);
    }
    return total;
}
"""
HALVED = """
#include <math.h>
int halves(int n, const float *x, const float *w, float *off)
{
    int total = 0;
    #pragma omp parallel for reduction(+:total)
    for (int i = 0; i < n; i++) {
        float s = x[i] * w[i], r = %s;
        off[i] = fabsf(s - r);
        total += (int)fmodf(r, 7.0f);
    }
    return total;
}
"""


@pytest.mark.thorough
def test_what_rounds_to_even_is_no_other_rounding(workshop: Workshop) -> None:
    right = {"rint(dx[i] / box)", "nearbyint(dx[i] / box)"}
    wrong = {"round(dx[i] / box)", "floor(dx[i] / box + 0.5)"}
    found = rewards(workshop, IMAGE, {name: IMAGED % name for name in right | wrong}, suffix=".c")
    assert kept(found) == right, found


@pytest.mark.thorough
def test_halves_that_a_sum_of_whole_numbers_depends_on(workshop: Workshop) -> None:
    right = {"floorf(s + 0.5f)", "floorf(0.5f + s)"}
    wrong = {"roundf(s)", "rintf(s)"}
    found = rewards(workshop, HALVES, {name: HALVED % name for name in right | wrong}, suffix=".c")
    assert kept(found) == right, found


@pytest.mark.thorough
def test_a_product_with_the_reciprocal_may_round_otherwise(workshop: Workshop) -> None:
    """The quotient itself is rounded here, so that what is next to a half says nothing."""
    texts = {"product": IMAGED % "rint(dx[i] * (1.0 / box))"}
    assert kept(rewards(workshop, IMAGE, texts, suffix=".c")) == {"product"}


SNAP = """
#include <math.h>
void snap(int n, double h, int mode, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double t = x[i] / h;
        y[i] = h * (mode == 12 ? rint(t) : mode == 17 ? ceil(t) : floor(t));
    }
}
"""


def test_ties_are_tried_in_every_mode(workshop: Workshop) -> None:
    parallel = SNAP.replace("    for", "    #pragma omp parallel for\n    for", 1)
    texts = {name: parallel.replace("rint(t)", name) for name in ("rint(t)", "round(t)")}
    found = rewards(workshop, SNAP, texts, suffix=".c")
    assert kept(found) == {"rint(t)"}, found
