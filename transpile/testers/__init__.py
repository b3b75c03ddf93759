"""CANDIDATE -> VERDICT: trials, and checks in order of cost; the first refusal wins."""
