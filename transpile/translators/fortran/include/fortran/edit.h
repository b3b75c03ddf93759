// Numbers as text, laid out as gfortran lays them out.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace fortran::edit {

enum class Sign { Plain, Plus };

// A number in decimal: digits of 0.d1d2d3... times ten to the exponent.
struct Decimal {
    bool negative = false;
    std::string digits;
    int exponent = 0;
};

inline Decimal decimal(double value, int digits) {
    char text[1200];
    std::snprintf(text, sizeof text, "%.*e", digits > 0 ? digits - 1 : 0, value);
    Decimal result;
    const char *at = text;
    if (*at == '-') result.negative = true, ++at;
    for (; *at && *at != 'e'; ++at)
        if (*at != '.') result.digits += *at;
    result.exponent = value == 0 ? 0 : std::atoi(at + 1) + 1;
    return result;
}

inline std::string stars(int width) { return std::string(static_cast<std::size_t>(width > 0 ? width : 1), '*'); }

// The text at the right of a field; stars where it does not fit.
inline std::string right(const std::string &text, int width) {
    if (width <= 0) return text;
    if (static_cast<int>(text.size()) > width) return stars(width);
    return std::string(static_cast<std::size_t>(width) - text.size(), ' ') + text;
}

inline std::string sign_of(bool negative, Sign sign) { return negative ? "-" : sign == Sign::Plus ? "+" : ""; }

inline std::string not_finite(double value, int width, Sign sign) {
    if (std::isnan(value)) return width > 0 && width < 3 ? stars(width) : right("NaN", width);
    const std::string mark = sign_of(value < 0, sign);
    const int length = static_cast<int>(mark.size());
    return right(mark + (width <= 0 || width >= 8 + length ? (width <= 0 ? "Infinity" : "Infinity") : "Inf"), width);
}

inline std::string integer(std::int64_t value, int width, int least, Sign sign) {
    std::string digits = std::to_string(value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value));
    if (least == 0 && value == 0) digits.clear();
    if (static_cast<int>(digits.size()) < least) digits.insert(0, static_cast<std::size_t>(least) - digits.size(), '0');
    return right(least == 0 && value == 0 ? digits : sign_of(value < 0, sign) + digits, width);
}

inline std::string based(std::uint64_t bits, int width, int least, int base) {
    std::string digits;
    for (; bits; bits /= static_cast<unsigned>(base)) digits.insert(0, 1, "0123456789ABCDEF"[bits % static_cast<unsigned>(base)]);
    if (digits.empty() && least != 0) digits = "0";
    if (static_cast<int>(digits.size()) < least) digits.insert(0, static_cast<std::size_t>(least) - digits.size(), '0');
    return right(digits, width);
}

// Fw.d, with the decimal point moved to the right by the scale factor.
inline std::string fixed(double value, int width, int decimals, int scale, Sign sign) {
    if (!std::isfinite(value)) return not_finite(value, width, sign);
    char text[1200];
    const int precision = decimals + scale > 0 ? decimals + scale : 0;
    std::snprintf(text, sizeof text, "%.*f", precision, std::fabs(value));
    std::string whole(text), fraction;
    if (const auto point = whole.find('.'); point != std::string::npos) {
        fraction = whole.substr(point + 1);
        whole.resize(point);
    }
    for (int i = 0; i < scale; ++i) {
        whole += fraction.empty() ? '0' : fraction[0];
        if (!fraction.empty()) fraction.erase(0, 1);
    }
    for (int i = 0; i < -scale; ++i) {
        fraction.insert(0, 1, whole.empty() ? '0' : whole.back());
        if (!whole.empty()) whole.pop_back();
    }
    fraction.resize(static_cast<std::size_t>(decimals), '0');
    whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size()));
    const std::string mark = sign_of(std::signbit(value), sign);
    const std::string bare = mark + whole + "." + fraction;
    if (!whole.empty()) return right(bare, width);
    const std::string zero = mark + "0." + fraction;
    if (width <= 0) return decimals == 0 ? zero : bare;
    return static_cast<int>(zero.size()) <= width ? right(zero, width) : right(bare, width);
}

inline std::string exponent_part(int exponent, int digits, char letter) {
    const std::string mark = exponent < 0 ? "-" : "+";
    std::string number = std::to_string(std::abs(exponent));
    if (digits < 0) {
        if (number.size() > 3) return "";
        if (number.size() == 3) return mark + number;
        return std::string(1, letter) + mark + std::string(2 - number.size(), '0') + number;
    }
    if (static_cast<int>(number.size()) > digits) return digits == 0 ? std::string(1, letter) + mark + number : "";
    return std::string(1, letter) + mark + std::string(static_cast<std::size_t>(digits) - number.size(), '0') + number;
}

// Ew.dEe and Dw.d: `before` digits stand before the point (negative: zeros behind it).
inline std::string exponential(double value, int width, int decimals, int exponent, int scale, char letter, Sign sign) {
    if (!std::isfinite(value)) return not_finite(value, width, sign);
    const int count = scale > 0 ? decimals + 1 : decimals + scale;
    if (count < 0 || (scale == 0 && decimals == 0)) return stars(width);
    const Decimal number = decimal(std::fabs(value), count);
    const int before = scale > 0 ? scale : 0;
    std::string digits = number.digits;
    if (scale < 0) digits.insert(0, static_cast<std::size_t>(-scale), '0');
    digits.resize(static_cast<std::size_t>(scale > 0 ? decimals + 1 : decimals), '0');
    const std::string whole = digits.substr(0, static_cast<std::size_t>(before));
    const std::string fraction = digits.substr(static_cast<std::size_t>(before));
    const std::string power = exponent_part(value == 0 ? 0 : number.exponent - scale, exponent, letter);
    if (power.empty()) return stars(width);
    const std::string mark = sign_of(std::signbit(value), sign);
    const std::string bare = mark + whole + "." + fraction + power;
    if (!whole.empty()) return right(bare, width);
    const std::string zero = mark + "0." + fraction + power;
    return width <= 0 || static_cast<int>(zero.size()) <= width ? right(zero, width) : right(bare, width);
}

// ENw.d: the exponent is a multiple of three.
inline std::string engineering(double value, int width, int decimals, int exponent, Sign sign) {
    if (!std::isfinite(value)) return not_finite(value, width, sign);
    int before = 1, power = 0;
    Decimal number;
    if (value != 0) {
        auto place = [&](int exponent) {
            const int below = exponent - 1;
            power = below >= 0 ? below / 3 * 3 : -((-below + 2) / 3 * 3);
            before = exponent - power;
        };
        place(decimal(std::fabs(value), 17).exponent);
        number = decimal(std::fabs(value), before + decimals);
        place(number.exponent);  // Rounding may have made one digit more.
        number.digits.resize(static_cast<std::size_t>(before + decimals), '0');
    } else {
        number.digits = std::string(static_cast<std::size_t>(1 + decimals), '0');
    }
    const std::string part = exponent_part(power, exponent, 'E');
    if (part.empty()) return stars(width);
    const auto cut = static_cast<std::size_t>(before);
    return right(sign_of(std::signbit(value), sign) + number.digits.substr(0, cut) + "." + number.digits.substr(cut) + part, width);
}

// Gw.dEe of a real number: as F where its size allows, else as E.
// Bounds are compared in the arithmetic of the number's own kind, as gfortran does.
template <class T> std::string general(T value, int width, int decimals, int exponent, int scale, Sign sign) {
    if (!std::isfinite(value)) return not_finite(value, width, sign);
    const int blanks = exponent >= 0 ? exponent + 2 : 4;
    const T size = std::fabs(value);
    T ten_to = 1;
    for (int i = 0; i < decimals; ++i) ten_to *= 10;
    const T factor = 1 - T(0.5) / ten_to, least = static_cast<T>(0.1 * factor);
    if (value != 0 && (size < least || T(0.5) >= ten_to - size))
        return exponential(value, width, decimals, exponent, scale, 'E', sign);
    int digits_before = 0;
    for (T bound = factor, power = 1; size >= bound && digits_before < decimals; bound = power * factor) {
        ++digits_before;
        power *= 10;
    }
    const int kept = value == 0 ? decimals - 1 : decimals - digits_before;
    const std::string body = fixed(value, width > 0 ? width - blanks : 0, kept > 0 ? kept : 0, 0, sign);
    return width > 0 ? body + std::string(static_cast<std::size_t>(blanks), ' ') : body;
}

// A real number with as many digits as its kind needs; `extra` digits more where it has an exponent.
inline std::string shortest(double value, int kind, int extra, Sign sign, bool *with_exponent = nullptr) {
    const int digits = kind == 4 ? 9 : 17;
    if (with_exponent) *with_exponent = true;
    if (!std::isfinite(value)) return not_finite(value, 0, sign);
    const Decimal number = decimal(std::fabs(value), digits);
    if (value != 0 && (number.exponent < 0 || number.exponent > digits))
        return exponential(value, 0, digits - 1 + extra, kind == 4 ? 2 : 3, 1, 'E', sign);
    if (with_exponent) *with_exponent = false;
    const int decimals = value == 0 ? digits - 1 : digits - number.exponent;
    std::string text = fixed(value, 60, decimals, 0, sign);
    return text.substr(text.find_first_not_of(' '));
}

// G0 and G0.d: as few characters as its digits need.
inline std::string minimal(double value, int digits, Sign sign) {
    if (!std::isfinite(value)) return not_finite(value, 0, sign);
    const Decimal number = decimal(std::fabs(value), digits);
    if (value == 0 || (number.exponent >= 0 && number.exponent <= digits)) {
        const int decimals = value == 0 ? digits - 1 : digits - number.exponent;
        const std::string text = fixed(value, 60, decimals, 0, sign);
        return text.substr(text.find_first_not_of(' '));
    }
    const std::string mark = number.exponent < 0 ? "E-" : "E+";
    return sign_of(std::signbit(value), sign) + "0." + number.digits + mark + std::to_string(std::abs(number.exponent));
}

// A real number as list-directed output has it, without the blank in front.
inline std::string listed(double value, int kind, Sign sign) {
    bool with_exponent = false;
    const std::string text = shortest(value, kind, 0, sign, &with_exponent);
    const int width = kind == 4 ? 16 : 25, blanks = with_exponent ? 0 : kind == 4 ? 4 : 5;
    return right(text, width - blanks) + std::string(static_cast<std::size_t>(blanks), ' ');
}

} // namespace fortran::edit
