"""Confidence intervals of counted shares. Pure."""

from math import sqrt

Z_95 = 1.959964  # quantile of the normal distribution at 0.975: 95 of 100 such intervals hold the true share


def wilson(count: int, of: int, z: float = Z_95) -> tuple[float, float]:
    """Return the confidence interval for `count` out of `of`, 0.0 to 1.0; the whole range for an empty total.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927), without a
    continuity correction: method 3 of R. G. Newcombe, Statistics in Medicine 17 (1998), 857-872.
    """
    if not 0 <= count <= of:
        raise ValueError(f"expected a count from 0 to {of}, got {count}")
    if of == 0:
        return 0.0, 1.0
    share, square = count / of, z * z
    middle = share + square / (2 * of)
    reach = z * sqrt(share * (1 - share) / of + square / (4 * of * of))
    low, high = (middle - reach) / (1 + square / of), (middle + reach) / (1 + square / of)
    return (0.0 if count == 0 else low), (1.0 if count == of else high)
